$SONDE script -i tests/data/perf/arm-clock.data --symfs tests/none --kallsyms tests/none -G --show-task-events --show-mmap-events 2>&1 | head -n 40
