$SONDE --sysroot tests/none report -i tests/data/perf/zstd.data -s comm,dso
