$SONDE --sysroot tests/none report -i tests/data/perf/arm-clock.data --percent-limit 10 -g caller,10 2>&1 | head -n 80
