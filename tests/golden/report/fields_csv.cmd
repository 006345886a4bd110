$SONDE --sysroot tests/none report -i tests/data/perf/multi.data --no-children -g none -x, -F overhead,sample,sched:*.next_*,prev_state/raw
