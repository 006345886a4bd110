#!/bin/sh
# as: root
# time: 200
# kernels: 6.12
# also: 5.10
# CPUs that stand still for a known time; code and groups that come and go; markers that become events.
. "$T_HERE/lib.sh"

need sonde stall awk

# over KIND FILE: the longest was over when the program that stood was through, whose time is in `took`.
over() {
	ms=$(sed -n "s/.*OVER: $1 lockup - CPU#[0-9]*: after //p" "$2" | awk '{ ms = $1 * ($2 == "s" ? 1000 : 1); if (ms > most) most = ms } END { printf "%d", most }')
	known=$(($(cat took) / 1000000))
	[ "$ms" -ge $((known - 30)) ] && [ "$ms" -lt $((known + 1200)) ] && ok || fail "after $ms ms, and it took $known"
}

thresh=$(cat /proc/sys/kernel/watchdog_thresh)
echo 1 > /proc/sys/kernel/watchdog_thresh

t watchdog_sees_a_soft_lockup
sonde prof watchdog -F 5 -g -- sh -c 'sleep 1; stall soft 2500 > took; sleep 1' > out 2> err
eq $? 0
has out 'WILL: soft lockup - CPU#[0-9]+: its task has not run for .*; the kernel tells after 2 s'
has out ' stall +[0-9]+ \[[0-9]+\] .*: profile: '
has out '^    [0-9a-f]+ bpf_probe_read_kernel'
over soft out
has err '[1-9][0-9]* soft and [0-9]+ hard lockups were near, 0 last to the end; 2 CPUs'

t watchdog_sees_a_hard_lockup
sonde prof watchdog -F 5 -- sh -c 'sleep 1; stall irq 2500 > took; sleep 1' > out 2> err
has out 'WILL: hard lockup - CPU#[0-9]+: its timer has not run for .*; the kernel tells after 1 s'
over hard out
has err '[1-9][0-9]* hard lockups'

t watchdog_of_a_recording
sonde record -q -a -o w.data -e timer:hrtimer_expire_entry -e sched:sched_switch -- sh -c 'sleep 1; stall soft 2500 > took; sleep 1' 2> err
sonde prof watchdog -i w.data --thresh 1 > first 2> err
has first 'WILL: soft lockup'
over soft first
sonde prof watchdog -i w.data --thresh 1 > second 2> err
eq "$(cmp first second)" ""
sonde prof watchdog -i w.data --thresh 10 > out 2> err
eq "$(wc -l < out)" 0

t watchdog_that_is_off
echo 0 > /proc/sys/kernel/soft_watchdog
sonde prof watchdog -N 1 > out 2> err && fail 'it is off' || has err 'soft_watchdog is 0'
echo 1 > /proc/sys/kernel/soft_watchdog
echo "$thresh" > /proc/sys/kernel/watchdog_thresh

t irq_off_finds_how_long
# The machine itself stands at times, for less long.
sonde prof irq-off --than 500ms -g -- sh -c 'sleep 0.5; stall irq 900 > took; sleep 1' > out 2> err
ms=$(sed -n 's/.* irq-off: \([0-9]*\)\..* ms: .*/\1/p' out | sort -n | tail -n 1)
known=$(($(cat took) / 1000000))
[ "${ms:-0}" -ge $((known - 10)) ] && [ "$ms" -lt $((known + 400)) ] && ok || fail "${ms:-none} ms, and it took $known"

# In v2 groups are for events, too, where some controller is on above them.
echo +memory > /sys/fs/cgroup/cgroup.subtree_control

t misc_tells_of_programs_and_groups
sonde prof misc -- sh -c 'stall soft 10 > took; mkdir /sys/fs/cgroup/misc_test; rmdir /sys/fs/cgroup/misc_test' > out 2> err
eq $? 0
has out 'misc:ksymbol: bpf reg [0-9a-f]{16}/[0-9]+ bpf_prog_'
has out 'misc:ksymbol: bpf unreg '
has out 'misc:bpf_event: prog load id [0-9]+ tag [0-9a-f]{16}$'
has out 'misc:bpf_event: prog unload id [0-9]+'
has out 'misc:cgroup: id [0-9]+ /misc_test$'
eq "$(sed -n 's/.*prog load id \([0-9]*\) .*/\1/p' out | head -n 1)" "$(sed -n 's/.*prog unload id \([0-9]*\) .*/\1/p' out | head -n 1)"
sonde record -q -a -o m.data -e cpu-clock -- stall soft 10 > took 2> err
sonde prof misc -i m.data > out 2> err
has out 'misc:bpf_event: prog load id '

t cgroups_by_an_expression
mkdir /sys/fs/cgroup/grp-one /sys/fs/cgroup/grp-two /sys/fs/cgroup/other
sonde prof stat --cgroups 'grp-.*' -e 'raw_syscalls:sys_enter/id==173/alias=calls/' -i 100 -x, -- sh -c \
	"for g in grp-one grp-two other; do sh -c 'echo \$\$ > /sys/fs/cgroup/'\$g'/cgroup.procs; exec workload syscalls 300'; done; sleep 0.3" > out 2> err
eq $? 0
eq "$(awk -F, '$1 == "calls" { n += $3 } END { print n + 0 }' out)" 600
sonde prof stat --cgroups 'nobody-.*' -e cpu-clock -i 100 > out 2> err && fail 'no such group' || has err 'no control group matches'
rmdir /sys/fs/cgroup/grp-one /sys/fs/cgroup/grp-two /sys/fs/cgroup/other

t what_it_takes_itself
sonde prof trace -e sched:sched_wakeup --usage-self 200 -- sleep 1 > out 2> err
n=$(grep -cE '^sonde: 20[0-9-]+ [0-9:.]+ CPU %usr [0-9.]+ %sys [0-9.]+ MAXRSS [0-9]+k$' err)
[ "$n" -ge 3 ] && ok || fail "$(cat err)"

t markers_become_events
p=$(dirname "$T_HERE")/bin/probe/usdt
if [ -x "$p" ]; then
	sonde prof usdt list "$p" > out 2> err
	has out "^marks:registers@$p$"
	sonde prof usdt -v list "marks:memory@$p" > out 2> err
	has out '^    Arguments: -4@\[x[0-9]+, 4\]'
	has out "^    Uprobe: p:marks/memory $p:0x[0-9a-f]+ arg1=\+4\(%x[0-9]+\):s32"
	sonde prof usdt add "marks:registers@$p" > out 2> err
	eq "$(cat out)" "marks:registers@$p"
	sonde prof usdt add "marks:registers@$p" > out 2> err && fail 'it is there already' || has err 'already'
	sonde prof trace -e marks:registers -- "$p" > out 2> err
	has out ' marks:registers: .*arg1='
	# Of a marker with two places, the second one.
	at=$(sonde prof usdt -v list "marks:twice@$p" | sed -n 's/^    Addr: \(0x[0-9a-f]*\),.*/\1/p' | tail -n 1)
	sonde prof usdt -v add "marks:twice@$p@$at" > out 2> err
	eq "$(grep -c ':marks/twice' /sys/kernel/tracing/uprobe_events)" 1
	has out '^    Uprobe: p:marks/twice'
	sonde prof usdt del "marks:twice@$p" > out 2> err
	eq "$(grep -c ':marks/twice' /sys/kernel/tracing/uprobe_events)" 0
	sonde prof usdt add "marks:constant@$p none=%s:u8" > out 2> err
	sonde prof usdt -q del "$p" > out 2> err
	eq $? 0
	eq "$(grep -c ':marks/' /sys/kernel/tracing/uprobe_events)" 0
	sonde prof usdt del "$p" > out 2> err && fail 'nothing is left' || has err 'no event is defined'
else
	skip "usdt is not built: see tests/probe/build"
fi
