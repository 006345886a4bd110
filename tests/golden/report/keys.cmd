$SONDE report -i tests/data/perf/clock.data --symfs tests/none --kallsyms tests/none --no-children -g none -s pid,tid,cpu,comm,dso -q
