$SONDE script -i tests/data/perf/group.data -F comm,phys_addr
