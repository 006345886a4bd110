#!/bin/sh
# guest_trace.sh - in a guest: records a trace.dat of the kernel's own events, for the reports that the host measures: scheduler,
# system calls, interrupts and functions, and in a second buffer the graph of functions. At least 300,000 events.
sonde ftrace record -q -b 40000 -o /host/trace.dat -e sched -e raw_syscalls -e irq -p function -l 'vfs_*' -l '*sched*' -l '*lock*' \
	-B graph -p function_graph -b 40000 -g do_sys_openat2 \
	-F -c sh -c "workload syscalls ${CALLS:-60000}; workload forks 300; ls -lR /usr/share > /dev/null" > /dev/null
echo "  trace.dat: $(wc -c < /host/trace.dat) bytes"
