$SONDE report -i tests/data/perf/clock.data --symfs tests/none --kallsyms tests/none -j -s comm --percent-limit 20 -g caller,30
