$SONDE script -i tests/data/perf/clock.data --symfs tests/none --kallsyms tests/none -G --ns
