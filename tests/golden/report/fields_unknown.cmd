for k in next_com wake.pid switch.pref; do $SONDE --sysroot tests/none report -i tests/data/perf/multi.data -s $k; done
