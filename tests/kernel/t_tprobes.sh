#!/bin/sh
# as: root
# time: 800
# kernels: 5.10
# also: 6.12-16k
# Probes within -e of the commands that trace by files: the same hits as the workload makes, and gone with the command.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload trace-cmd busybox

T=/sys/kernel/tracing
F=__arm64_sys_getppid
S="sonde ftrace"

left() {
	cat $T/kprobe_events $T/uprobe_events
	ls $T/instances
}

t recorded_and_read_by_the_peer
$S record -q -o a.dat -e "kprobe:$F,kretprobe:$F/back=\$retval:s64/" -F -- workload syscalls 40
eq $? 0
$S report -i a.dat > ours
trace-cmd report -i a.dat > theirs 2> err || cat err
eq "$(grep -c "$F: " theirs)" 40
eq "$(grep -c ' back=[0-9]*$' theirs)" 40
for f in ours theirs; do
	# Old ones have fewer letters of flags, and another head.
	sed -n "s/ *\[\([0-9]*\)\][^:]* \([0-9.]*:\)  */ \1 \2 /p" $f > $f.plain
done
[ -s ours.plain ] && cmp ours.plain theirs.plain && ok || fail "not trace-cmd's text"
eq "$(left)" ""

t arguments_filters_and_triggers
$S record -q -o b.dat -e 'kprobe:do_sys_openat2/name=+0($arg2):string/' -f 'name == "/etc/passwd"' -R stacktrace -F -- busybox cat /etc/passwd /etc/group /etc/passwd > /dev/null
$S report -i b.dat > out
eq "$(grep -c 'name="/etc/passwd"' out)" 2
eq "$(grep -c 'name="/etc/group"' out)" 0
has out '<stack trace'

t programs_and_other_buffers
$S record -q -o c.dat -e "uprobe:main@$(command -v workload)" -B two -e "kprobe:$F" -- workload syscalls 7
$S report -i c.dat > out
eq "$(grep -c ' main: ' out)" 1
[ "$(grep -c "two: .* $F: " out)" -ge 7 ] && ok || fail "$(grep -c "$F" out) hits"
eq "$(left)" ""

t patterns_leave_out_what_cannot_be
$S stream -e 'kprobe:vfs_[co]*' -F -- busybox cat /etc/passwd > out 2> err
has out ' vfs_open: '
has err 'the kernel refused [0-9]+ of [0-9]+ places|places are left out'
eq "$(left)" ""

t histograms
if grep -q hist $T/README; then
	$S hist -x, -e "kprobe:$F" -F -- workload syscalls 60 > out 2> err
	eq "$(sed -n 's/^workload,[0-9]*,//p' out)" 60
	$S hist -x, --plain --from "kprobe:$F" --to "kretprobe:$F" -k common_pid -F -- workload syscalls 60 > out 2> err
	eq "$(awk -F, 'NR > 1 { n += $2 } END { print n }' out)" 60
	$S hist --print -e "kprobe:$F" > out 2> err
	eq $? 1
	has err 'sonde probe'
else
	skip-kernel "no histograms"
fi
eq "$(left)" ""

t latency_between_two
$S latency -j --from "kprobe:$F" --to "kretprobe:$F" -- workload syscalls 50 > out 2> err
eq "$(sed -n 's/.*"function":"\([^"]*\)","count":\([0-9]*\),.*/\1 \2/p' out)" "kprobe:$F => kretprobe:$F 50"
$S latency -e "kprobe:$F,kretprobe:$F" -- workload syscalls 50 > out 2> err
has out "^# kprobe:$F => kretprobe:$F: 50 times"
eq "$(left)" ""

t started_ones_stay_until_reset
$S start -e "kprobe:$F" > /dev/null
workload syscalls 30
$S stop
$S show > out
eq "$(grep -c "workload.*$F: " out)" 30
sonde reset --ours > told
has told "kprobe_events: -:"
eq "$(left)" ""

t killed_ones_go_with_the_next_run
$S record -q -o d.dat -e "kprobe:$F" > out 2>&1 &
p=$!
within 100 grep -q "$F" $T/kprobe_events && ok || { cat out; fail "no probe was seen"; }
kill -KILL $p
wait $p 2> /dev/null
within 100 no_sonde || fail "the guard stays"
eq "$(left)" ""

t more_than_the_machine_bears
sonde stat -e 'kprobe:*' -- true 2> err
eq $? 1
has err 'is in [0-9]+ places: more than 4096'
eq "$(left)" ""

t others_in_the_same_buffer_are_told
$S start -e sched:sched_switch > /dev/null
$S record --top -o e.dat -e raw_syscalls:sys_enter -- true > out 2> err
has err 'others trace in this buffer'
sonde reset --ours > told
$S record --top -o e.dat -e raw_syscalls:sys_enter -- true > out 2> err
grep -q 'others trace' err && fail "told of nobody" || ok
eq "$(left)" ""

t wrong_ones
$S record -q -e 'kprobe:vfs_reed' -- true 2> err
eq $? 1
has err "did you mean 'vfs_read'"
$S record -q -e 'kprobe:vfs_read//u' -- true 2> err
eq $? 2
$S record -q -v -e 'kprobe:vfs_read' -- true 2> err
eq $? 2
has err 'cannot be left out'
$S latency -e 'kprobe:vfs_re*,kretprobe:vfs_read' -- true 2> err
eq $? 1
has err 'in more than one place'
eq "$(left)" ""
