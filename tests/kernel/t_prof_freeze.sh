#!/bin/sh
# as: root
# time: 240
# kernels: 6.12 5.10
# sonde prof --freeze: what the kernel traced around pairs that took too long, of a program that sleeps three times for 100 ms.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload

T=/sys/kernel/tracing
all=0-$(($(nproc) - 1))
# Its first use makes the buffer larger.
echo 1408 > $T/buffer_size_kb
state() {
	cat $T/current_tracer $T/set_ftrace_filter $T/set_event $T/trace_clock $T/buffer_size_kb $T/tracing_on
	ls $T/instances
}
state > before

# It leaves its CPU and comes back within each of the three: the same event is in the kernel's trace and in ours. Before the first nothing
# is being read that it could have fallen into; of the others it is told, when they are read, but not each time: then both are whole.
t each_that_took_long
later=0
for try in 1 2 3 4 5 6 7 8 9 10 11 12; do
	sonde prof multi-trace -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -k common_pid --than 50ms --freeze -- workload waits > out 2> err
	eq $? 0
	eq "$(grep -c '^frozen, from 10.000 ms before it to 10.000 ms behind:' out)" 3
	awk '/^frozen/ { n++; left = 0 }
		/^\| .*sched_switch: *workload:[0-9]* .* ==> / { left = 1 }
		/^\| .*sched_switch:.* ==> workload:[0-9]*/ { if (left) whole[n] = 1 }
		/was not traced/ { told[n] = 1 }
		END { print whole[1] + (whole[2] || told[2]) + (whole[3] || told[3]), whole[2] + whole[3] }' out > got
	read -r good later < got
	eq "$good" 3
	[ "$later" != 2 ] || break
done
[ "$later" = 2 ] && ok || fail "the second and third were not both whole in any of $try runs: $(grep '^frozen\|not traced' out)"
state | cmp - before && ok || fail "something was left: $(state | diff - before)"

t times_are_the_same_clocks
sonde prof multi-trace -C $all -e sched:sched_switch/prev_comm==\"workload\"/key=prev_pid/ -e sched:sched_switch//key=next_pid/ --than 50ms \
	--freeze=1ms,1ms --freeze-times 1 -- workload waits > out 2> err
awk '/^\* \+ +0 ns / { for (i = 1; i < NF; i++) if ($i ~ /^\[[0-9]+\]$/) { ours = $(i + 1) + 0; break } }
	/^\| .*sched_switch: *workload:/ && ours && !d { for (i = 1; i < NF; i++) if ($i ~ /^\[[0-9]+\]$/) { d = ($(i + 2) - ours) * 1000000 + 1000; break } }
	END { printf "%d\n", d }' out > us
[ "$(cat us)" -gt 800 ] && [ "$(cat us)" -lt 1200 ] && ok || fail "$(cat us): $(head -n 8 out)"
eq "$(grep -c '^frozen' out)" 1
has out 'and are not frozen'

t functions_too
f=$(grep -om1 '^do_nanosleep$' $T/available_filter_functions)
if sonde prof multi-trace -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -k common_pid --than 50ms --freeze=1ms --freeze-times 2 \
	--freeze-functions "${f:-do_nanosleep}" --freeze-events sched:sched_switch -- workload waits > out 2> err; then
	eq "$(grep -c '^frozen' out)" 2
	# The function's own time, ms, as the kernel measured it.
	us=$(sed -n 's/.*funcgraph_exit: *[^0-9]*\([0-9]*\)\..*us.*}.*/\1/p; s/.*funcgraph_entry: *[^0-9]*\([0-9]*\)\.[0-9]* us.*do_nanosleep.*/\1/p' out | head -n 1)
	[ "${us:-0}" -ge 99000 ] && [ "$us" -le 2000000 ] && ok || fail "${us:-no} us: $(grep funcgraph out | head -n 3)"
	if grep -q irq_handler out; then fail "events that were not asked for"; else ok; fi
else
	fail "$(cat err)"
fi
state | cmp - before && ok || fail "something was left: $(state | diff - before)"

t room_that_is_too_small_is_told
sonde prof multi-trace -e syscalls:sys_enter_nanosleep -e syscalls:sys_exit_nanosleep -k common_pid --than 50ms --freeze=90ms,1ms \
	--freeze-times 1 --freeze-kb 4 --freeze-events sched,raw_syscalls -- sh -c 'workload syscalls 300000 & workload waits; wait' > out 2> err
has out 'is not kept any more: --freeze-kb makes room for more'

t a_run_that_is_killed_leaves_nothing
sonde prof multi-trace -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -k common_pid --than 50s --freeze > out 2> err &
pid=$!
has_instance() { ls $T/instances | grep -q sonde; }
has_none() { ! has_instance; }
wait_for has_instance
kill -KILL $pid
wait $pid 2> /dev/null
wait_for has_none
state | cmp - before && ok || fail "something was left: $(state | diff - before)"

t what_it_does_not_go_with
sonde prof multi-trace -e sched:sched_wakeup -e sched:sched_switch --freeze -- true > out 2> err
has err '--than says what is too long'
sonde prof multi-trace -e sched:sched_wakeup -e sched:sched_switch --than 1ms --freeze-kb 10 -- true > out 2> err
has err 'without --freeze nothing is kept'
sonde prof multi-trace -e sched:sched_wakeup -e sched:sched_switch --than 1ms --freeze=2x -- true > out 2> err
has err 'is no time'
sonde prof multi-trace -e sched:sched_wakeup -e sched:sched_switch --than 1ms --freeze -j -- true > out 2> err
has err '-j and -x have rows alone'
sonde prof multi-trace -e sched:sched_wakeup -e sched:sched_switch --than 1ms --freeze --freeze-events no:such -- true > out 2> err
[ $? -ne 0 ] && ok || fail "an event that is not there: $(cat err)"
sonde record -q -a -e sched:sched_wakeup -o run.data true 2> err
sonde prof multi-trace -e sched:sched_wakeup -e sched:sched_wakeup --than 1ms --freeze -i run.data > out 2> err
has err "a recording's kernel is not here"
