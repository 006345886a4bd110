$SONDE flame -i tests/data/perf/arm-pipe.data --symfs tests/none --kallsyms tests/none --folded --reverse --no-comm | head -n 20
