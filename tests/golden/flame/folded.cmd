$SONDE --sysroot tests/none flame -i tests/data/perf/arm-clock.data --folded --max-stack 5
