$SONDE --sysroot tests/none report -i tests/data/perf/clock.data -j -s comm --percent-limit 20 -g caller,30
