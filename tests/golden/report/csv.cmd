$SONDE --sysroot tests/none report -i tests/data/perf/clock.data -x, -s comm,dso -n
$SONDE --sysroot tests/none report -i tests/data/perf/clock.data -x, -s comm,dso -n -q
