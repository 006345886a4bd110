$SONDE flame -i tests/data/perf/arm-clock.data --symfs tests/none --kallsyms tests/none --folded --max-stack 5
