$SONDE stat report -i tests/data/perf/stat-each.data; $SONDE stat report -j -i - < tests/data/perf/stat-each.data
