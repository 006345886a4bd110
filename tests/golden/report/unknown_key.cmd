$SONDE report -i tests/data/perf/clock.data -s comm,sybmol
