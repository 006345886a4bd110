#!/bin/sh
# as: root
# time: 600
# kernels: 6.1 6.12
# sonde ftrace report beside this system's own trace-cmd: recordings of trace-cmd, line for line.
. "$T_HERE/lib.sh"

need sonde trace-cmd awk

# That of 5.10's suite prints its version into its reports, knows neither version 7 nor most options.
case $(trace-cmd --version 2>&1 | grep -o -m 1 'version [0-9]*') in
*' 2')
	t beside_trace_cmd
	skip-kernel "trace-cmd 2 is too old to compare with"
	exit 0
	;;
esac

# Differences on purpose: events that libtraceevent cannot parse, null pointers, values that the kernel left as names or
# that libtraceevent computes wrongly (flags of timers, an age in jiffies), and states of tasks where trace-cmd has the
# letters of before Linux 4.14.
old_state='] none '
plain() {
	sed "/sched_switch:/s/$old_state==>/] ? ==>/" "$1" |
		awk '!/\[FAILED TO PARSE\]/ && !/[:)] +(mm_page_|ma_|timer_start:|hrtimer_(init|start|setup):|writeback_single_inode)/ {
			gsub(/\(nil\)/, "0x0")
			print
		}'
}

# same FILE [OPTION...]: the two reports. -l: the layout that all versions of trace-cmd have.
same() {
	file=$1
	shift
	trace-cmd report -i "$file" -l "$@" 2> /dev/null > theirs
	sonde ftrace report -i "$file" -l "$@" 2> notes > ours || fail "report $*: $(cat notes)"
	[ "$(wc -l < ours)" = "$(wc -l < theirs)" ] ||
		fail "$file $*: $(wc -l < ours) lines, not $(wc -l < theirs): $(differing theirs ours | head -n 8)"
	# The first recording has idle kernel threads; not every later one.
	! grep -q 'sched_switch:.*\] W ==>' theirs || old_state='] [IWXZ] '
	plain theirs > a
	plain ours > b
	# Lines whose event only one of them can parse are gone from one side: count from the other.
	differing a b | grep -vE '[:)] +(mm_page|ma_|kmem|mm_)' > differs
	if [ -s differs ]; then
		head -n 6 differs
		fail "$file $*: $(wc -l < differs) lines differ"
	else
		ok
	fi
}

work() {
	ls -l /etc > /dev/null
	echo hello > /sys/kernel/tracing/trace_marker
	sleep 0.1
}

t events
trace-cmd record -o ev.dat -e sched -e irq -e timer -e raw_syscalls -e kmem -e ipi sh -c "$(type work | sed 1d); work" > /dev/null 2>&1
same ev.dat
same ev.dat -t --ts-diff -w
same ev.dat --cpu 1 -I
same ev.dat --raw-ts -S
has ours 'sched_switch: '

t stacks
trace-cmd record -o stack.dat -e sched:sched_switch -T sleep 0.1 > /dev/null 2>&1
same stack.dat
has ours '^=> .* \(ffff[0-9a-f]*\)$'

t functions
trace-cmd record -o func.dat -p function -l 'vfs_*' -l 'ksys_*' -l '*schedule*' -F ls / > /dev/null 2>&1
same func.dat
same func.dat -O parent -O offset -O indent=0
has ours ': function: '

# Of one CPU: trace-cmd takes the next record of any CPU for a call's return, the idle task's of another CPU too.
t graph
trace-cmd record -o graph.dat -M 1 -p function_graph -l 'hrtimer_*' -l 'vfs_*' -l 'ksys_*' -l '*nanosleep*' -e sched sleep 0.02 > /dev/null 2>&1
same graph.dat
same graph.dat -O fgraph:tailprint -O depth
has ours '\|  .*\(\) \{ \(0\)$'
has ours '\|  .*\(\); \([0-9]+\)$'

t instances
trace-cmd record -o inst.dat -e irq -B other -e sched sleep 0.1 > /dev/null 2>&1
same inst.dat
has ours '^other: '

t what_else_it_tells
for o in --stat --uname --version --cpus --first-event --last-event -e -p -E -P; do
	# It lists a printk format as often as the kernel has it, and places of packed data as they are unpacked.
	trace-cmd report -i ev.dat $o 2> /dev/null | grep -v 'recorded at offset\|bytes in size' | uniq > theirs
	sonde ftrace report $o ev.dat 2> /dev/null | grep -v 'recorded at offset\|bytes in size' | uniq > ours
	if cmp -s theirs ours; then
		ok
	else
		diff theirs ours | head -n 6
		fail "$o differs"
	fi
done

t filters
sonde ftrace report -F 'sched/sched_switch: prev_comm == "sleep"' ev.dat 2> /dev/null > ours
eq "$(grep -c ': sched_switch: ' ours)" "$(sonde ftrace report ev.dat 2> /dev/null | grep -c ': sched_switch:  *sleep:')"
eq "$(grep -vc ': sched_switch: ' ours)" 1
sonde ftrace report -v -F sched ev.dat 2> /dev/null > ours
eq "$(grep -c ': sched_' ours)" 0
eq "$(grep -c ': irq_handler_entry:' ours)" "$(sonde ftrace report ev.dat 2> /dev/null | grep -c ': irq_handler_entry:')"
sonde ftrace report -F 'sched: no such' ev.dat > ours 2>&1 && fail "a bad filter is accepted"
has ours '\^$'

t several_recordings_are_merged
sonde ftrace report -i ev.dat -i stack.dat 2> /dev/null > both
sonde ftrace report stack.dat 2> /dev/null > one
eq "$(grep -c 'stack.dat: .*sched_switch:' both)" "$(grep -c 'sched_switch:' one)"
awk '/ \[[0-9]+\] / { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) { if ($i + 0 < last) bad++; last = $i + 0; break } } END { exit bad > 0 }' both &&
	ok || fail "not in order of time"
