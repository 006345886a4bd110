$SONDE --sysroot tests/none report -i tests/data/perf/arm-clock.data --header-only 2>&1 | grep -v captured
