# What every sample has: when it was, in steps, and its weight; for programs, too, and beside what else tells rows apart.
$SONDE --sysroot tests/none report -i tests/data/perf/multi.data --no-children -g none -q -s time,comm --time-quantum 1ms 2> /dev/null | head -n 4
$SONDE --sysroot tests/none report -i tests/data/perf/multi.data --no-children -g none -q -j -s local_weight,time 2> /dev/null | head -n 12
for o in 0ms 5 ms 99999999999999999999s; do $SONDE report -i tests/data/perf/multi.data --time-quantum $o; done
