# From and to are inclusive, and every name and number of a list counts: the last ones as the first.
r="$SONDE --sysroot tests/none report -i tests/data/perf/threads.data --no-children -g none -q -n -s comm"
for o in "--time 2635.508311976,2635.508507619" "--time 2635.508311977,2635.508507618" "--time ,2635.508311976" "--time 2635.553606523," \
	"--time 2635.553606524," "--comms taskset,sh" "--comms sh --comms ls" "--pid 25254,25240" "--tid 25240,25258"; do
	echo "# $o"; $r $o 2>&1
done
$SONDE --sysroot tests/none script -i tests/data/perf/threads.data --ns -F time --time 2635.508507619,2635.508703226
