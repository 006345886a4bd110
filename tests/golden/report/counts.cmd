$SONDE --sysroot tests/none report -i tests/data/perf/stat.data -q; echo $?;  $SONDE --sysroot tests/none script -i tests/data/perf/stat.data
