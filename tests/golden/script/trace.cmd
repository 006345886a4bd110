$SONDE script -i tests/data/perf/multi.data --symfs tests/none --kallsyms tests/none 2>&1 | head -n 60
