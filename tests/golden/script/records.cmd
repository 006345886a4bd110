$SONDE --sysroot tests/none script -i tests/data/perf/arm-clock.data -G --show-task-events --show-mmap-events 2>&1 | head -n 40
