# What recordings are made of, as perf tells it (tests/host compares), of each form: packed records and rounds are counted, too.
for f in group zstd pipe big_endian threads tracepoints; do
	echo "# $f"
	$SONDE report -i tests/data/perf/$f.data --stats
done
$SONDE report -i tests/data/perf/group.data --tasks
$SONDE report -i tests/data/perf/group.data --mmaps | head -n 12
$SONDE report -i tests/data/perf/group.data --header --stats | sed -n '1p;/^# cmdline/p;/^Aggr/,/TOTAL/p'
for o in -j "--comms ls" "-s comm" "-C 0" --tasks; do
	$SONDE report -i tests/data/perf/group.data --stats $o
	echo "status $?"
done
