#!/bin/sh
# guest_top.sh - in a guest: a screen of the whole machine beside perf top's, in turn, over programs that are busy: CPU seconds of all of
# the time, the start included, and of its second half, and memory.
. /host/guest_lib.sh

SECONDS_EACH=20
RUNS="1 2 3"
TICKS=100

# spent PID: CPU seconds so far, of all its threads.
spent() {
	sed 's/.*) //' "/proc/$1/stat" | awk -v hz=$TICKS '{ print ($12 + $13) / hz }'
}

# screen COMMAND...: its CPU seconds of the whole time and of the second half, and the most memory, MiB; its input stays open.
screen() {
	"$@" < quiet > out.txt 2> err.txt &
	pid=$!
	sleep $((SECONDS_EACH / 2))
	half=$(spent "$pid")
	sleep $((SECONDS_EACH / 2))
	all=$(spent "$pid")
	echo "$all $(echo "$all $half" | awk '{ print $1 - $2 }') $(awk '/^VmHWM/ { print $2 / 1024 }' "/proc/$pid/status")"
	kill -INT "$pid"
	sleep 1
	kill -KILL "$pid" 2> /dev/null
	wait "$pid" 2> /dev/null
}

# column N: of both files, in the middle.
column() {
	cut -d ' ' -f "$1" ours | median
	cut -d ' ' -f "$1" theirs | median
}

# The kernel would lower the rate of whoever comes later.
echo 100000 > /proc/sys/kernel/perf_event_max_sample_rate
echo 0 > /proc/sys/kernel/perf_cpu_time_max_percent
mkfifo quiet
sleep 100000 > quiet &
for chains in "" -g; do
	: > ours
	: > theirs
	for run in $RUNS; do
		workload procs 2 $((2 * SECONDS_EACH * 1000 + 120000)) &
		load=$!
		screen sonde top -a --stdio $chains >> ours
		grep -q samples/s out.txt || cat err.txt
		screen perf top -a --stdio $chains >> theirs
		grep -q PerfTop out.txt || cat err.txt
		kill $load $(pgrep -x workload)
		wait $load 2> /dev/null
	done
	name="top${chains:+, chains}"
	row "$name, CPU of $SECONDS_EACH s" $(column 1) s
	row "$name, of the second half" $(column 2) s
	row "$name, memory" $(column 3) MiB
done
