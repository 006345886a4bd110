$SONDE --sysroot tests/none script -i tests/data/perf/clock.data -G --ns
