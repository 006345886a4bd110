$SONDE --sysroot tests/none script -i tests/data/perf/arm-clock.data 2>&1 | head -n 60
