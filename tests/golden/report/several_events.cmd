$SONDE --sysroot tests/none report -i tests/data/perf/multi.data -s comm -g none
