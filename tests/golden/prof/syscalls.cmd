# An arm64 board's shell that starts a program: its own names of system calls, and errors.
of() { echo "# $*"; $SONDE --sysroot tests/none prof syscalls -i tests/data/dat/events.dat "$@" 2>&1; }
of
of --perins -x, | head -n 3
of -j | head -n 3
of -q --only-than 5ms -x, | tail -n 2
of -e raw_syscalls:sys_enter/id==56/ -e raw_syscalls:sys_exit/id==56/
of --than 5ms --detail -e sched:sched_switch//untraced/ | head -n 12
of -i 50
of -k id
of -e sched:sched_switch
of -e raw_syscalls:sys_exit//key=id/
of --flame-graph none
$SONDE --sysroot tests/none prof syscalls -i tests/data/perf/clock.data
