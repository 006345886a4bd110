head -c 5000 tests/data/perf/clock.data | $SONDE report -i - --symfs tests/none --kallsyms tests/none -g none -s comm,dso
