$SONDE flame -i tests/data/perf/arm-pipe.data --symfs tests/none --kallsyms tests/none -o - --title 'A & B' 2>/dev/null | grep -c '<rect'
