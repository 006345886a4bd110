head -c 264 tests/data/perf/clock.data | $SONDE --sysroot tests/none flame -i - -o tests/none.svg
