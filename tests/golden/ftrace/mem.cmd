# A recording with events of the memory, and one without, which says what is missing. The table is trace-cmd 3.3.1's.
$SONDE ftrace mem tests/data/dat/events.dat
$SONDE ftrace mem tests/data/dat/v6.dat
$SONDE ftrace mem -i tests/data/dat/v6.dat tests/data/dat/v6.dat
