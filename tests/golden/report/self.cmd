$SONDE report -i tests/data/perf/arm-clock.data --symfs tests/none --kallsyms tests/none --no-children -g none
