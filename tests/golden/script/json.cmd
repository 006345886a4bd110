$SONDE --sysroot tests/none script -i tests/data/perf/multi.data -j --max-stack 3 2>&1 | head -n 8
