# From wake-ups to running: the times, their sums, and those of real-time tasks alone, as trace-cmd 3.3.1 has them.
$SONDE ftrace report -w tests/data/dat/profile.dat | grep -o 'prev.*\|[^ ]* \[[0-9]*\] Latency.*\|Average.*\|M.*imum.*\|RT.*'
