#!/bin/sh
# guest_ftrace.sh - in a guest: sonde, trace-cmd and perf record and report the same events, in turn. Ratios sonde/peer.
#
#   cost     wall time of the traced command against its time untraced
#   record   CPU seconds of the recorder (its readers too, without the command's) per million events, nothing lost
#   report   time and peak memory of the text of a recording with 2 * CALLS events
. "$(dirname "$0")/guest_lib.sh"
CALLS=${CALLS:-1000000}
SMALL=${SMALL:-200000}
RUNS=${RUNS:-3}
TC=$(command -v trace-cmd)
EVENTS="-e raw_syscalls:sys_enter -e raw_syscalls:sys_exit"

# timed COMMAND...: "WALL CPU PEAK_KB" of it and its children; its output is thrown away.
timed() {
	busybox time -f '%e %U %S %M' -o times "$@" > /dev/null 2> timed.err || { echo "failed: $*" >&2; tail -3 timed.err >&2; }
	tail -n 1 times | awk '{ print $1, $2 + $3, $4 }'
}

# The command says what it used itself: the rest of what its recorder waited for is the recorder's.
cat > load << 'END'
#!/bin/sh
exec busybox time -f '%e %U %S' -o load.times workload syscalls "$1"
END
chmod +x load

# recorded TOOL: "WALL RECORDER_CPU" while the command makes SMALL calls.
recorded() {
	case $1 in
	sonde) set -- sonde ftrace record -q -b 20000 -o out.sonde $EVENTS -F -c ./load $SMALL ;;
	trace-cmd) set -- $TC record -q -b 20000 -o out.trace-cmd $EVENTS -F -c ./load $SMALL ;;
	perf) set -- perf record -q -m 16M -o out.perf -c 1 $EVENTS ./load $SMALL ;;
	esac
	set -- $(timed "$@") $(tail -n 1 load.times | awk '{ print $1, $2 + $3 }')
	echo "$4 $(awk -v all="$2" -v load="$5" 'BEGIN { print all - load }')"
}

echo "                                          sonde       peer unit        ratio"
for i in $(seq "$RUNS"); do
	./load $SMALL
	awk '{ print $1 }' load.times >> plain
	for t in sonde trace-cmd perf; do
		recorded $t > one
		cut -d' ' -f1 one >> wall.$t
		cut -d' ' -f2 one >> cpu.$t
	done
done
plain=$(median < plain)
for t in trace-cmd perf; do
	row "command while recorded, against $t" "$(median < wall.sonde)" "$(median < wall.$t)" s
done
row "command while recorded, against free" "$(median < wall.sonde)" "$plain" s
for t in trace-cmd perf; do
	row "recorder CPU, against $t" "$(median < cpu.sonde)" "$(median < cpu.$t)" "s"
done
echo "  events in the files: sonde $(sonde ftrace report -i out.sonde | grep -c sys_), trace-cmd $($TC report -i out.trace-cmd | grep -c sys_), perf $(perf script -i out.perf 2> /dev/null | grep -c sys_)"

sonde ftrace record -q -b 60000 -o big $EVENTS -F workload syscalls $CALLS > /dev/null 2>&1
echo "  recording for the report: $(wc -c < big) bytes, $(sonde ftrace report -i big | grep -c sys_) events"
for i in $(seq "$RUNS"); do
	timed sonde ftrace report -i big > one
	cut -d' ' -f1 one >> rep.sonde
	cut -d' ' -f3 one >> mem.sonde
	[ "$i" = 1 ] || continue
	timed $TC report -i big > one
	cut -d' ' -f1 one >> rep.trace-cmd
	cut -d' ' -f3 one >> mem.trace-cmd
done
row "report, time" "$(median < rep.sonde)" "$(median < rep.trace-cmd)" s
row "report, peak memory" "$(median < mem.sonde)" "$(median < mem.trace-cmd)" KiB
