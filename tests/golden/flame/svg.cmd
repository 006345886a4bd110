$SONDE --sysroot tests/none flame -i tests/data/perf/arm-pipe.data -o - --title 'A & B' 2>/dev/null | grep -c '<rect'
