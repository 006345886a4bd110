$SONDE --sysroot tests/none report -i tests/data/perf/arm-pipe.data -s comm --no-children -g folded,3 -q
