$SONDE report -i tests/data/perf/zstd.data --symfs tests/none --kallsyms tests/none
