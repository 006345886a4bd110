$SONDE --sysroot tests/none report -i tests/data/perf/multi.data --no-children -g none -s comm,next_comm,switch.next_pid,prev_state
