$SONDE --sysroot tests/none script -i tests/data/perf/group.data -F event,period,time
