# Events with the stacks behind them, and calls of the function tracer, by task and chain.
$SONDE ftrace hist -i tests/data/dat/profile.dat | head -40
$SONDE ftrace hist -i tests/data/dat/functions.dat | head -30
