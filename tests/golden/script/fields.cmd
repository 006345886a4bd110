$SONDE script -i tests/data/perf/arm-clock.data --symfs tests/none --kallsyms tests/none -G -F +pid,-period,-event --comm ls --dso '[9pnet]'
