# A recording without events of the memory says what is missing.
$SONDE ftrace mem tests/data/dat/v6.dat
$SONDE ftrace mem -i tests/data/dat/v6.dat tests/data/dat/v6.dat
