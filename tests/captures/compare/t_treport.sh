#!/bin/sh
# time: 900
# sonde ftrace report beside trace-cmd's: recordings of trace-cmd, line for line.
. "$T_HERE/lib.sh"
. "$T_HERE/../captures/lib.sh"

need sonde awk

cd "$CAPTURE" || exit

# Differences on purpose: events that libtraceevent cannot parse, values that the kernel left as names or
# that libtraceevent computes wrongly (flags of timers, an age in jiffies), and states of tasks where trace-cmd has the
# letters of before Linux 4.14: versions up to 3.1, which also leave out the address behind a function's name in raw fields.
case $(cat version) in
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

# compare FOLDER: the two reports.
compare() {
	theirs=$1/theirs
	set -- $(cat "$1/args")
	sonde ftrace report -i "$@" -l 2> notes > ours || fail "report $*: $(cat notes)"
	[ "$(wc -l < ours)" = "$(wc -l < "$theirs")" ] ||
		fail "$*: $(wc -l < ours) lines, not $(wc -l < "$theirs"): $(differing "$theirs" ours | head -n 8)"
	plain "$theirs" > a
	plain ours > b
	# Lines whose event only one of them can parse are gone from one side: count from the other.
	differing a b | grep -vE '[:)] +(mm_page|ma_|kmem|mm_)' > differs
	if [ -s differs ]; then
		head -n 6 differs
		fail "$*: $(wc -l < differs) lines differ"
	else
		ok
	fi
}

# ours FILE [OPTION...]: our report, on its own.
ours() {
	sonde ftrace report -l -i "$@" 2> /dev/null > ours
}

t events
case_is events
ours ev.dat
has ours 'hello$'
has ours 'sched_switch: .*sleep:'
ours ev.dat -r timer -r irq_handler_entry -r kmalloc
has ours 'sched_switch: '

t stacks
case_is stacks
ours stack.dat
has ours '^=> .* \(ffff[0-9a-f]*\)$'
# What is left keeps its stack, and nothing else has one.
for o in '-F sched_switch:next_pid==0' '-v -F sched_switch:next_pid==0'; do
	sonde ftrace report -i stack.dat $o 2> /dev/null > ours
	eq "$(grep -c ': kernel_stack: ' ours)" "$(grep -c ': sched_switch: ' ours)"
	has ours ': kernel_stack: '
done

t functions
case_is functions
ours func.dat
has ours ': function: '

t graph
case_is graph
ours graph.dat -O fgraph:tailprint -O depth
has ours '\|  .*\(\) \{ \(0\)$'
has ours '\|  .*\(\); \([0-9]+\)$'

t instances
case_is instances
ours inst.dat
has ours '^other: '

# It lists a printk format as often as the kernel has it, and places of packed data as they are unpacked.
once() {
	grep -v 'recorded at offset\|bytes in size' | uniq
}

t what_else_it_tells
compare() {
	set -- "$1/theirs" $(cat "$1/args")
	once < "$1" > theirs
	sonde ftrace report $3 "$2" 2> /dev/null | once > ours
	if cmp -s theirs ours; then
		ok
	else
		diff theirs ours | head -n 6
		fail "$3 differs"
	fi
}
case_is what_else_it_tells

# Fields: all but the columns in front of them, which not all versions of trace-cmd have.
t fields
compare() {
	# An address without a function stands alone.
	sed -n 's/^.*[0-9]: //; s/= (\(0x[0-9a-f]*\))/=\1/g; p' "$1/theirs" > theirs
	sonde ftrace report -R -i ev.dat 2> /dev/null | sed 's/^.*[0-9]: //' > all
	no_old_address all > ours
	has ours 'sched_switch: .* prev_state=[0-9]+ next_comm='
	has ours 'sched_waking: .* target_cpu=00'
	cmp -s theirs ours && ok || { differing theirs ours | head -n 6; fail "-R differs"; }
}
case_is fields

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
