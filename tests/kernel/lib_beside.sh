# tests/kernel/lib_beside.sh - sourced behind lib.sh by tests that hold sonde prof against perf-prof.
#
#   sleeps PID                                 wait until sonde waits for events
#   beside PROFILER OPTIONS... -- COMMAND...   both watch while the command runs: files theirs and ours

# watches PID: its events are open, and with a little time they count.
watches() {
	tries=0
	until ls -l "/proc/$1/fd" 2> /dev/null | grep -q perf_event || [ $tries = 100 ]; do
		tries=$((tries + 1))
		sleep 0.2
	done
}

# sleeps PID: it has begun, and waits for events, in ppoll (73 on arm64).
sleeps() {
	tries=0
	until grep -q '^73 ' "/proc/$1/syscall" 2> /dev/null || [ $tries = 100 ]; do
		tries=$((tries + 1))
		sleep 0.2
	done
}

# beside PROFILER OPTIONS... -- COMMAND...: both watch while the command runs; theirs and ours.
beside() {
	words=
	while [ "$1" != -- ]; do
		words="$words $1"
		shift
	done
	shift
	# shellcheck disable=SC2086
	perf-prof $words > theirs 2>&1 &
	their_pid=$!
	# shellcheck disable=SC2086
	sonde prof $words > ours 2> err &
	our_pid=$!
	watches $their_pid
	watches $our_pid
	sleeps $our_pid
	sleep 3
	"$@"
	sleep 1
	kill -INT $their_pid $our_pid
	wait $their_pid $our_pid
}
