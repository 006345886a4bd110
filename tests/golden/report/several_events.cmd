$SONDE report -i tests/data/perf/multi.data --symfs tests/none --kallsyms tests/none -s comm -g none
