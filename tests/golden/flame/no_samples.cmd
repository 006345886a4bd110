$SONDE --sysroot tests/none flame -i tests/data/perf/zstd.data -o tests/none.svg
