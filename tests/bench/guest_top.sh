#!/bin/sh
# guest_top.sh - in a guest: a screen of the whole machine beside perf top's, over programs that are busy, for as long: CPU seconds and memory.
. /host/guest_lib.sh

SECONDS_EACH=20
RUNS="1 2 3"
TICKS=100

# taken PID: its CPU seconds so far, with all its threads, and the most memory that it had, MiB.
taken() {
	echo "$(sed 's/.*) //' "/proc/$1/stat" | awk -v hz=$TICKS '{ print ($12 + $13) / hz }') $(awk '/^VmHWM/ { print $2 / 1024 }' "/proc/$1/status")"
}

# screen COMMAND...: what it has taken when the time is over; its input stays open.
screen() {
	"$@" < quiet > out.txt 2> err.txt &
	pid=$!
	sleep "$SECONDS_EACH"
	taken "$pid"
	kill -INT "$pid"
	sleep 1
	kill -KILL "$pid" 2> /dev/null
	wait "$pid" 2> /dev/null
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
	row "$name, CPU of $SECONDS_EACH s" "$(cut -d ' ' -f 1 ours | median)" "$(cut -d ' ' -f 1 theirs | median)" s
	row "$name, memory" "$(cut -d ' ' -f 2 ours | median)" "$(cut -d ' ' -f 2 theirs | median)" MiB
done
