$SONDE report -i tests/data/perf/arm-clock.data --symfs tests/none --kallsyms tests/none --percent-limit 80 -g caller,10 2>&1 | head -n 80
