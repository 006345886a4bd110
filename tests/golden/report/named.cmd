# What was hit has its names in the recording: none of its files is here, nor its kernel. A plain copy keeps them.
d=$(mktemp -d)
cp tests/data/perf/named.data $d/named.data
$SONDE convert -i $d/named.data -o $d/plain.data 2>/dev/null
for f in named plain; do
	echo "# $f"
	$SONDE report --symfs $d/none -i $d/$f.data --no-children -g none -q
	$SONDE script --symfs $d/none -i $d/$f.data -F ip,sym,symoff,dso | grep . | sort | uniq -c | sort -k1,1nr -k2 | head -n 8
done
rm -r $d
