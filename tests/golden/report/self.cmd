$SONDE --sysroot tests/none report -i tests/data/perf/arm-clock.data --no-children -g none
