$SONDE report -i tests/data/perf/clock.data --symfs tests/none --kallsyms tests/none -x, -s comm,dso -n
