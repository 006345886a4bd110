$SONDE --sysroot tests/none script -i tests/data/perf/big_endian.data
