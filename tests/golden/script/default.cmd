$SONDE script -i tests/data/perf/arm-clock.data --symfs tests/none --kallsyms tests/none 2>&1 | head -n 60
