$SONDE stat report -i tests/data/perf/stat.data; $SONDE stat report -i tests/data/perf/stat.data -x, -A; $SONDE stat report -i tests/data/perf/clock.data
