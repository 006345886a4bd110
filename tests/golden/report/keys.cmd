$SONDE --sysroot tests/none report -i tests/data/perf/clock.data --no-children -g none -s pid,tid,cpu,comm,dso -q
