#!/bin/sh
# as: root
# time: 600
# kernels: 5.10
# also: 6.12
# sonde ftrace hist: the kernel's counts of known workloads, times between events, nothing left behind; and counts of a
# recording.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload trace-cmd

T=/sys/kernel/tracing
H="sonde ftrace hist"

W="dd if=/dev/zero of=/dev/null bs=1000 count=50"
PAIR="--from raw_syscalls:sys_enter --to raw_syscalls:sys_exit"

# rows FILE: the CSV rows behind the head.
rows() {
	sed 1d "$1"
}

state() {
	ls $T/instances
	cat $T/synthetic_events $T/trace_clock $T/timestamp_mode $T/tracing_on 2> /dev/null
	cat $T/events/sched/*/trigger $T/events/raw_syscalls/*/trigger | grep -v '^#'
}

t recording_is_counted
trace-cmd record -q -o r.dat -e sched:sched_switch -T sleep 0.3
n=$(trace-cmd report -i r.dat | grep -c 'sched_switch:')
$H -P r.dat > out 2> err
eq $? 0
eq "$(sed -n 's/^  %100.00 <all pids> *sched_switch #//p' out)" "$n"
has out '^ *---\*sched_switch\*'
has out '__schedule|schedule'
$H -i r.dat -n 1 > out 2> err
has out '^  %[0-9.]+  \([0-9]+\) .* sched_switch #[0-9]+$'

t memory_as_trace_cmd_counts_it
trace-cmd record -q -o m.dat -e kmem:kmalloc -e kmem:kfree -e kmem:kmem_cache_alloc -e kmem:kmem_cache_free ls -R /usr/share > told
trace-cmd mem m.dat | sort > theirs
sonde ftrace mem m.dat 2> err | sort > ours
[ "$(wc -l < ours)" -gt 20 ] && ok || fail "only $(wc -l < ours) lines"
cmp -s ours theirs && ok || { differing theirs ours | head -n 20; fail "other numbers"; }

t recording_that_is_none
$H -i /etc/passwd > out 2> err
eq $? 1
has err 'no recording of trace-cmd'

if ! grep -q hist:keys $T/README; then
	t kernel_without_histograms_says_so
	$H -e sched:sched_switch -k next_comm true > out 2> err
	eq $? 1
	has err 'built without histograms \(CONFIG_HIST_TRIGGERS\)'
	eq "$(ls $T/instances)" ""
	$H --from sched:sched_waking --to sched:sched_switch -k pid --to-key next_pid true 2> err
	eq $? 1
	has err 'latency --from --to'
	t hist
	skip-kernel "no CONFIG_HIST_TRIGGERS"
	exit 0
fi

state > before

t counts_every_call
$H -x, -e raw_syscalls:sys_enter -k id -f 'id == 173' -F -- workload syscalls 1000 > out 2> err
eq $? 0
eq "$(rows out)" "173,1000"

t names_of_system_calls
$H -x, -e raw_syscalls:sys_enter -k id.syscall -F -- workload syscalls 300 > out 2> err
has out '^sys_getppid,173,300$'

t one_key_of_everybody
$H -x, -e raw_syscalls:sys_enter -k comm -k id -f 'id == 173' -- workload syscalls 500 > out 2> err
has out '^workload,[0-9]+,173,500$'

t sizes
$H -x, -e syscalls:sys_enter_write -k count -F -- $W > out 2> err
if [ -d $T/events/syscalls/sys_enter_write ]; then
	has out '^1000,50$'
	$H -x, -e syscalls:sys_enter_write -k count --log2 -F -- $W > out 2> err
	has out '^513,1024,50$'
	$H -x, -e syscalls:sys_enter_write -k count --buckets 100 -F -- $W > out 2> err
	has out '^1000,1099,50$'
else
	skip-kernel "no events of single system calls"
fi

t sums
$H -x, -e raw_syscalls:sys_enter -k common_pid --val id -f 'id == 173' -F -- workload syscalls 100 > out 2> err
eq "$(rows out | cut -d, -f2-)" "100,17300"

t text_and_json
$H -e raw_syscalls:sys_enter -k id -f 'id == 173' -F -- workload syscalls 10 > out 2> err
has out '^173 +10 +100.00% +#+$'
has out '^10 hits, 1 entries$'
$H -j -e raw_syscalls:sys_enter -k id -f 'id == 173' -F -- workload syscalls 10 > out 2> err
eq "$(tr -d '\n' < out)" '[{"id":173,"hitcount":10}]'

t stacks
$H -e raw_syscalls:sys_enter -k stack -f 'id == 173' -F -- workload syscalls 10 > out 2> err
eq $? 0
has out '^100.00%  hitcount: 10$'
has out '^ {12}[a-z_]+.*\+0x'

t several_events
$H -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -k id -f 'id == 173' -F -- workload syscalls 20 > out 2> err
eq "$(grep -c '^173 .* 20 ' out)" 2
has out '^# raw_syscalls:sys_exit hist:keys=id'

t pairs_are_as_many_as_calls
$H -x, $PAIR --from-if 'id == 173' -f 'id == 173' --ns -F -- \
	workload syscalls 400 > out 2> err
eq $? 0
eq "$(rows out | awk -F, '{ n += $3 } END { print n }')" 400
eq "$(head -n 1 out)" "ns,ns_to,hitcount"

t pairs_of_wakeups_by_command
$H --from sched:sched_waking --to sched:sched_switch -k pid --to-key next_pid -k next_comm -- sleep 0.3 > out 2> err
eq $? 0
has out '^next_comm: sleep$'
has out '^ *[0-9]+ - [0-9]+ +[1-9][0-9]* \|'

t sql_says_the_same
$H -x, -F --sql 'select TIMESTAMP_DELTA from raw_syscalls.sys_enter as a join raw_syscalls.sys_exit as b
	on a.common_pid = b.common_pid where a.id == 173 && b.id == 173' -- workload syscalls 300 > out 2> err
eq $? 0
eq "$(rows out | awk -F, '{ n += $3 } END { print n }')" 300
$H -x, -F --sql 'select cast(id as syscall) from sys_enter where id == 173' -- workload syscalls 300 > out 2> err
has out '^sys_getppid,173,300$'

t printed_commands_can_be_run
$H --print --name lat_test \
	--from sched:sched_waking --to sched:sched_switch -k pid --to-key next_pid -k next_comm > cmds
eq "$(wc -l < cmds)" 4
sh cmds && ok || fail "the kernel refuses them"
has $T/synthetic_events '^lat_test.u64 us; char\[16\] next_comm'
$H --show synthetic:lat_test > out 2> err
has out 'hits, '
sed "s/^echo '/echo '!/" cmds > undo
for i in 4 3 2; do
	sed -n ${i}p undo > one
	sh one
done
echo '!lat_test' >> $T/synthetic_events
# Times in histograms have made the kernel change it.
echo local > $T/trace_clock

t sqlhist_makes_what_stays
calls='from sys_enter as start join sys_exit as end on start.common_pid = end.common_pid where start.id == 173'
sonde ftrace sqlhist -e -n calls "select start.id as nr, end.ret, end.ret - start.id as less, TIMESTAMP_DELTA as ns $calls" > out 2> err
eq "$? $(cat err)" "0 "
sonde ftrace record -q -F -e calls -o made.dat workload syscalls 200
sonde ftrace report -i made.dat > out 2> err
eq "$(awk -F '[=,]' '/ calls: / && /nr=173/ { n += $6 == $4 - 173 && $8 > 0 } END { print n }' out)" 200
sonde ftrace sqlhist -e -n calls "select start.id as nr $calls" > out 2> err
eq $? 1
eq "$(grep -c calls $T/synthetic_events) $(grep -c '^hist' $T/events/raw_syscalls/sys_enter/trigger)" "1 1"
sonde ftrace sqlhist -e -n slow -m ns -T -S ret "select start.id as nr, TIMESTAMP_DELTA as ns $calls" > out 2> err
eq "$? $(cat err)" "0 "
sonde ftrace sqlhist -e -B counted 'select cast(id as syscall), cast(common_pid as comm) from sys_enter where id == 173' > out
eq $? 0
workload syscalls 100
sonde ftrace show -B counted --hist sys_enter > out 2> err
has out 'id: sys_getppid .*173.*common_pid: workload .*hitcount: *100$'
sonde ftrace reset -q -a > out
sonde ftrace reset -q -B counted -d > out
eq "$(cat $T/synthetic_events)" ''

t loss_is_told
$H -e raw_syscalls:sys_enter -k common_timestamp --size 128 -F -- workload syscalls 1000 > out 2> err
has err '[0-9]+ of 1[0-9]* hits found no place in the kernel'

t mistakes_are_told_before_anything_is_set
$H -e sched:sched_switch -k nxt_comm true 2> err
eq $? 1
has err "no field 'nxt_comm', did you mean 'next_comm'"
$H -e sched:sched_swich true 2> err
has err "no event 'sched:sched_swich', did you mean 'sched:sched_switch'"
$H --from sched:sched_waking --to sched:sched_switch -k pid --to-key nextpid true 2> err
has err "did you mean 'next_pid'"
$H --from sched:sched_waking true 2> err
eq $? 2
state > after
cmp before after && ok || fail "something is left"

t kernels_own_error_is_shown
$H -e sched:sched_switch -k next_comm -f 'next_pid > ' true 2> err
eq $? 1
has err 'next_pid >'

t exit_status_is_the_workloads
$H -e sched:sched_switch sh -c 'exit 7' > out 2> err
eq $? 7
$H -e sched:sched_switch /no/such/command > out 2> err
eq $? 1

t interval_and_timeout
# Shown three times while the command runs, and at the end.
$H -e sched:sched_switch -k next_pid -I 100 -- sh -c ". $T_HERE/lib_wait.sh; within 100 has_lines out hits, 3" > out 2> err
eq $? 0
[ "$(grep -c 'hits,' out)" -ge 4 ] && ok || fail "shown only $(grep -c 'hits,' out) times"
$H -e sched:sched_switch -k next_pid --timeout 350 > out 2> err
eq $? 0
eq "$(grep -c 'hits,' out)" 1

t two_at_a_time_do_not_meet
$H -x, $PAIR --from-if 'id == 173' -f 'id == 173' -F -- workload syscalls 300 > a 2>&1 &
$H -x, $PAIR --from-if 'id == 173' -f 'id == 173' -F -- workload syscalls 200 > b 2>&1
wait
cat a b
eq "$(rows a | awk -F, '{ n += $3 } END { print n }')" 300
eq "$(rows b | awk -F, '{ n += $3 } END { print n }')" 200

t others_triggers_stay_and_are_shown
echo 'hist:keys=id if id == 173' >> $T/events/raw_syscalls/sys_enter/trigger
$H -e raw_syscalls:sys_enter -k id -F -- workload syscalls 50 > out 2> err
$H --show raw_syscalls:sys_enter > out 2> err
has out '^# raw_syscalls:sys_enter hist:keys=id:.* if id == 173 \[active\]$'
[ "$(sed -n 's/^173 *\([0-9]*\) .*/\1/p' out)" -ge 50 ] && ok || fail "not counted"
echo '!hist:keys=id if id == 173' >> $T/events/raw_syscalls/sys_enter/trigger

t a_condition_of_almost_a_page
long=$(awk 'BEGIN { for (i = 0; i < 170; i++) printf "%sprev_pid != %d", i ? " && " : "", 100000 + i }')
$H --print -e sched:sched_switch -k next_pid -f "$long" > out
has out "prev_pid != 100169' >> "
$H -e sched:sched_switch -k next_pid -f "$long" sleep 0.1 > out 2> err
has out ' hits, '

t nothing_is_left
state > after
cmp before after && ok || { diff before after; fail "something is left"; }

# counted PID: the histogram of that run has something in it.
counted() {
	cat $T/instances/sonde-$1-*/events/sched/sched_switch/hist 2> /dev/null | grep -qE '^ +Hits: [1-9]'
}

# complaints: what the kernel has said so far that it should not have to.
complaints() {
	dmesg | grep -E 'WARNING|BUG|Oops'
}

t interrupted_shows_and_leaves_nothing
complaints > complaints.before
$H --from sched:sched_waking --to sched:sched_switch -k pid --to-key next_pid > out 2> err &
p=$!
within 100 counted $p && ok || fail "nothing was counted: $(cat err)"
kill -TERM $p
wait $p
has out ' hits, '
state > after
cmp before after && ok || { diff before after; fail "something is left"; }

t killed_leaves_nothing
$H --from sched:sched_waking --to sched:sched_switch -k pid --to-key next_pid > out 2> err &
p=$!
within 100 counted $p && ok || fail "nothing was counted: $(cat err)"
grep -q "sonde_$p" $T/synthetic_events && ok || fail "it was not set up"
kill -KILL $p
restored() {
	state > after
	cmp -s before after
}
within 100 restored || { diff before after; fail "something is left"; }
complaints > complaints.after
cmp complaints.before complaints.after && ok || fail "the kernel complains: $(differing complaints.before complaints.after)"
