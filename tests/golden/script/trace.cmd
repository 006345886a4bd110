$SONDE --sysroot tests/none script -i tests/data/perf/multi.data 2>&1 | head -n 60
