#!/bin/sh
# as: root
# time: 1200
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

# Differences on purpose: events that libtraceevent cannot parse, values that the kernel left as names or
# that libtraceevent computes wrongly (flags of timers, an age in jiffies), and states of tasks where trace-cmd has the
# letters of before Linux 4.14: versions up to 3.1, which also leave out the address behind a function's name in raw fields.
case $(trace-cmd --version 2>&1) in
*'version 3.1'*) old_state='] [IWXZ] ' old_address=' (0x[0-9a-f]*)' ;;
*) old_state='] none ' old_address= ;;
esac
no_old_address() {
	sed "s/\(=[A-Za-z_][^ ]*\)$old_address/\1/g" "$1"
}
plain() {
	no_old_address "$1" | sed "/sched_switch:/s/$old_state==>/] ? ==>/" |
		awk '!/\[FAILED TO PARSE\]/ && !/[:)] +(mm_page_|ma_|timer_start:|hrtimer_(init|start|setup):|writeback_single_inode)/ {
			print
		}'
}

# same FILE [OPTION...]: the two reports. -l: the layout that all versions of trace-cmd have.
same() {
	file=$1
	shift
	trace-cmd report -i "$file" -l "$@" > theirs 2> theirs.err || cat theirs.err
	sonde ftrace report -i "$file" -l "$@" 2> notes > ours || fail "report $*: $(cat notes)"
	[ "$(wc -l < ours)" = "$(wc -l < theirs)" ] ||
		fail "$file $*: $(wc -l < ours) lines, not $(wc -l < theirs): $(differing theirs ours | head -n 8)"
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

# recording ARGS...: what trace-cmd says is shown if the case fails. In the buffers nothing is lost: it would be told in
# other words. Old versions leave them as large.
size=$(sed 's/.*expanded: //; s/)//' /sys/kernel/tracing/buffer_size_kb)
recording() {
	trace-cmd record -b 8000 "$@" > record.out 2>&1
	echo "trace-cmd record $1 $2: exit status $?"
	cat record.out
	echo "$size" > /sys/kernel/tracing/buffer_size_kb
}

cat > work <<'EOF'
ls / > /dev/null
echo hello > /sys/kernel/tracing/trace_marker
sleep 0.1
EOF

t events
recording -o ev.dat -e sched -e irq -e timer -e raw_syscalls -e kmem -e ipi sh work
same ev.dat
has ours 'hello$'
has ours 'sched_switch: .*sleep:'
same ev.dat -t --ts-diff -w
same ev.dat --cpu 1 -I
same ev.dat --raw-ts -S
same ev.dat -r timer -r irq_handler_entry -r kmalloc
has ours 'sched_switch: '

t stacks
recording -o stack.dat -e sched:sched_switch -T sleep 0.1
same stack.dat
has ours '^=> .* \(ffff[0-9a-f]*\)$'
# What is left keeps its stack, and nothing else has one.
for o in '-F sched_switch:next_pid==0' '-v -F sched_switch:next_pid==0'; do
	sonde ftrace report -i stack.dat $o 2> /dev/null > ours
	eq "$(grep -c ': kernel_stack: ' ours)" "$(grep -c ': sched_switch: ' ours)"
	has ours ': kernel_stack: '
done

t functions
recording -o func.dat -p function -l 'vfs_*' -l 'ksys_*' -l '*schedule*' -F ls /
same func.dat
same func.dat -O parent -O offset -O indent=0
has ours ': function: '

# Of one CPU: trace-cmd takes the next record of any CPU for a call's return, the idle task's of another CPU too.
t graph
recording -o graph.dat -M 1 -p function_graph -l 'hrtimer_*' -l 'vfs_*' -l 'ksys_*' -l '*nanosleep*' -e sched taskset 1 sleep 0.02
same graph.dat
same graph.dat -O fgraph:tailprint -O depth
has ours '\|  .*\(\) \{ \(0\)$'
has ours '\|  .*\(\); \([0-9]+\)$'

t instances
recording -o inst.dat -e irq -B other -e sched sleep 0.1
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

# Fields: all but the columns in front of them, which not all versions of trace-cmd have.
t fields
# An address without a function stands alone.
trace-cmd report -R -i ev.dat 2> /dev/null | sed -n 's/^.*[0-9]: //; s/= (\(0x[0-9a-f]*\))/=\1/g; p' > theirs
sonde ftrace report -R -i ev.dat 2> /dev/null | sed 's/^.*[0-9]: //' > all
no_old_address all > ours
has ours 'sched_switch: .* prev_state=[0-9]+ next_comm='
has ours 'sched_waking: .* target_cpu=00'
cmp -s theirs ours && ok || { differing theirs ours | head -n 6; fail "-R differs"; }

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
