$SONDE --sysroot tests/none report -i tests/data/perf/multi.data --no-children -g none -q -j -s trace,prev_state,prev_state/raw
