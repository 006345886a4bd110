$SONDE script -i tests/data/perf/multi.data --symfs tests/none --kallsyms tests/none -j --max-stack 3 2>&1 | head -n 8
