head -c 5000 tests/data/perf/clock.data | $SONDE --sysroot tests/none report -i - -g none -s comm,dso
