$SONDE --sysroot tests/none script -i tests/data/perf/threads.data -F comm,time,event,ip; $SONDE --sysroot tests/none report -i tests/data/perf/threads.data -s comm,dso
