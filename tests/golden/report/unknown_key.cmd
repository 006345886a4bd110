$SONDE --sysroot tests/none report -i tests/data/perf/clock.data -s comm,sybmol
