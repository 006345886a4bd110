$SONDE --sysroot tests/none flame -i tests/data/perf/arm-pipe.data --folded --reverse --no-comm | head -n 20
