# Also of what comes through a pipe, of another byte order, and of a trace; what is cut or cannot be read.
for f in pipe arm-pipe big_endian; do $SONDE evlist -F - < tests/data/perf/$f.data; done
$SONDE evlist --force --trace-fields tests/data/perf/pipe.data
$SONDE evlist -g tests/data/perf/group.data; $SONDE evlist tests/data/perf/group.data
$SONDE evlist -i tests/data/perf/none.data; echo $?
$SONDE evlist -i Makefile; echo $?
$SONDE evlist a b; echo $?
$SONDE evlist tests/data/dat/events.dat | tail -n 3
d=$(mktemp -d); head -c 3000 tests/data/perf/clock.data > $d/cut; (cd $d; $SONDE evlist cut; echo $?); rm -r $d
