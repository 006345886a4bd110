$SONDE --sysroot tests/none report -i tests/data/perf/group.data -s dso --no-group -q; $SONDE --sysroot tests/none report -i tests/data/perf/multi.data -s comm,dso -g none --no-children --group
