$SONDE --sysroot tests/none report -i tests/data/perf/big_endian.data --no-children -g none
