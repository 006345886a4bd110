$SONDE --sysroot tests/none script -i tests/data/perf/arm-clock.data -G -F +pid,-period,-event,+dsoff --comm ls --dso '[9pnet]'
