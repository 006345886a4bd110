# Where the parts of a recording are and what they are called, as trace-cmd 3.1.6 tells it; ours name them, too.
for f in v7-zstd v7-latency v6; do $SONDE ftrace dump --sections --strings -i tests/data/dat/$f.dat 2>&1; done
$SONDE ftrace dump --options --flyrecord -i tests/data/dat/v7-zstd.dat | grep '@\|offset, size'
d=$(mktemp -d)
for c in none zstd zlib; do
	$SONDE ftrace convert -i tests/data/dat/v7-zstd.dat -o $d/$c.dat --compression $c 2> /dev/null
	$SONDE ftrace dump --sections -i $d/$c.dat | grep -o '".*"'
	$SONDE ftrace dump --strings -i $d/$c.dat
done
# Cut inside of the names.
head -c -20 $d/none.dat > $d/cut.dat
$SONDE ftrace dump --sections -i $d/cut.dat 2>&1 | sed "s|$d/||" | tail -n 3
rm -r $d
