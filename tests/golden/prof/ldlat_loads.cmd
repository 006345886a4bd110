# What ldlat-loads says where there is nothing for it, and what it cannot do.
of() { echo "# $*"; $SONDE --sysroot tests/none prof ldlat-loads "$@" 2>&1; }
of
of -i tests/data/perf/multi.data
of -i tests/data/perf/multi.data -e cpu-clock
of -i tests/data/perf/multi.data -e mem-loads
of -i tests/data/dat/events.dat
of -i tests/data/perf/multi.data -T 100
of -i tests/data/perf/multi.data -k comm
of -i tests/data/perf/multi.data -v -j
of -i tests/data/none.data
