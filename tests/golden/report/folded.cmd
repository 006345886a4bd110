$SONDE report -i tests/data/perf/arm-pipe.data --symfs tests/none --kallsyms tests/none -s comm --no-children -g folded,3 -q
