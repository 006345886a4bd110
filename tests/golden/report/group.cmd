$SONDE --sysroot tests/none report -i tests/data/perf/group.data -s comm,dso -n
