# Every version and compression reads the same as the file that it was made of; so do parts, which keep its compression.
d=$(mktemp -d)
for f in v6 v7-zstd v7-zlib v7-latency; do
	$SONDE ftrace report -i tests/data/dat/$f.dat > $d/want 2>&1
	for how in '--file-version 6' '--compression none' '--compression zlib' '--compression zstd' '--compression any' ''; do
		$SONDE ftrace convert -i tests/data/dat/$f.dat $how $d/out.dat || echo failed
		$SONDE ftrace report -i $d/out.dat 2>&1 | cmp - $d/want
		echo "$f $how: $($SONDE ftrace dump -i $d/out.dat --summary | head -n 10 | grep -E 'Version|Compression' | tr -s '\t\n' ' ')"
	done
done
$SONDE ftrace split -i tests/data/dat/v7-zlib.dat -o $d/part.dat 2> /dev/null
$SONDE ftrace dump -i $d/part.dat --summary | grep Compression
# The kernel's types and modules, where the recorder kept them, are kept.
f=tests/data/dat/v7-kept.dat
for how in '--compression none' '--compression zlib' '--compression zstd' '--file-version 6'; do
	$SONDE ftrace convert -i $f $how $d/kept.dat
	$SONDE ftrace dump --options -i $d/kept.dat | grep -E 'Option (BTF|MODULES)' | sed 's/@.*/@/'
	$SONDE ftrace dump --sections -i $d/kept.dat 2>&1 | grep -E '"(BTF|modules)"' | tr -s ' ' | sed 's/@ [0-9]*//'
	$SONDE ftrace convert -i $d/kept.dat --compression none $d/plain.dat
	grep -c 'veth 45056 0 - Live 0xffffc93f2a1c0000$' $d/plain.dat
done
cp tests/data/dat/v6.dat $d
$SONDE ftrace convert -i $d/v6.dat $d/v6.dat 2>&1 | head -n 1
$SONDE ftrace convert -i tests/data/dat/v6.dat --file-version 6 --compression zlib -o $d/no 2>&1 | head -n 1
$SONDE ftrace convert -i tests/data/dat/v6.dat 2>&1 | head -n 1
$SONDE ftrace convert -i tests/data/dat/v6-be32.dat $d/no 2>&1
ls $d
rm -r $d
