$SONDE flame -i tests/data/perf/zstd.data -o tests/none.svg
