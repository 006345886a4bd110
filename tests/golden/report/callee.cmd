$SONDE report -i tests/data/perf/arm-clock.data --symfs tests/none --kallsyms tests/none --no-children -G --percent-limit 15 -n --show-total-period 2>&1 | head -n 60
