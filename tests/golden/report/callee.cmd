$SONDE --sysroot tests/none report -i tests/data/perf/arm-clock.data --no-children -G --percent-limit 15 -n --show-total-period 2>&1 | head -n 60
