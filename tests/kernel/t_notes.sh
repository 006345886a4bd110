#!/bin/sh
# time: 1200
# kernels: 6.12
# also: 5.10
# The command lines that people have in their notes, through the names `trace-cmd` and `perf`: they run unchanged, and
# say what those tools say. Functions that another machine has (do_IRQ, md_make_request) are replaced by ones of this kernel.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload

mkdir names
ln -s "$(command -v sonde)" names/trace-cmd
ln -s "$(command -v sonde)" names/perf
PATH=$PWD/names:$PATH
TRACING=/sys/kernel/tracing

# runs COMMAND...: exit status 0; its output is in out, its messages in err.
runs() {
	"$@" > out 2> err
	r=$?
	[ $r = 0 ] && ok || { cat err; fail "exit status $r: $*: $(tail -n 1 err)"; }
}

# A function that runs in every system call of every kernel here, one that sleeping calls, and one that the return to user space calls.
open_f=$(grep -o -m 1 -x 'do_sys_openat2' $TRACING/available_filter_functions)
[ -n "$open_f" ] || open_f=do_sys_open
notify=$(grep -o -m 1 -x 'do_notify_resume' $TRACING/available_filter_functions || echo task_work_run)

t stream_function
runs trace-cmd stream -p function -l $open_f cat /dev/null
has out "function: +$open_f"

t stream_function_that_nobody_calls
if grep -qx irqfd_inject $TRACING/available_filter_functions; then
	runs trace-cmd stream -p function -l irqfd_inject sleep 1
else
	# A kernel without KVM: said clearly, with the names that are near.
	trace-cmd stream -p function -l irqfd_inject sleep 1 > out 2> err
	eq $? 1
	has err 'irqfd_inject'
fi

t record_function_and_events_with_stacks
runs trace-cmd record -p function -l $open_f -e sched -T cat /dev/null
runs trace-cmd report
has out "function: +$open_f"
has out 'sched_switch:'
has out '^=> '

t stream_graph
runs trace-cmd stream -p function_graph -g $notify sleep 1
has out "$notify\(\)"

t record_graph_with_events
# On CPU 0, or all that happens might be on another one.
runs trace-cmd record -p function_graph -g $notify -e sched -T busybox taskset 1 sleep 1
runs trace-cmd report --cpu 0
grep -qF '[001]' out && fail "events of another CPU" || ok
has out '\[000\]'

t record_all
runs trace-cmd record -e all ls
runs trace-cmd report
# If its readers stall, the rings keep the newest: the end of ls.
has out 'sched_process_e(xec|xit)'

t record_function_of_one_command
runs trace-cmd record -F -p function -e sched_switch ls
runs trace-cmd report
awk '/function:/ { sub("^ *", ""); sub(" .*", ""); n[$0]++ } END { for (c in n) print c }' out > tasks
eq "$(grep -c -v -e '^ls-' -e '^busybox-' -e '^trace-cmd-' -e '^sonde-' -e '^<...>-' tasks)" 0

t record_graph_and_irqs
runs trace-cmd record -p function_graph -e irq_handler_entry -l gic_handle_irq sleep 1
runs trace-cmd report
has out 'gic_handle_irq|irq_handler_entry'

t record_function_that_is_not_there
trace-cmd record -p function_graph -e irq_handler_entry -l do_IRQ sleep 1 > out 2> err
eq $? 1
has err 'do_IRQ'

t stream_function_that_cannot_be_traced
if grep -qx do_debug_exception $TRACING/available_filter_functions; then
	# This kernel lets it be traced: the recording goes on until Ctrl-C.
	trace-cmd stream -p function_graph -g do_debug_exception -P $$ > out 2> err &
	pid=$!
	within 100 taken_over $pid || fail "it does not stream"
	kill -INT $pid
	wait $pid
	eq $? 0
else
	trace-cmd stream -p function_graph -g do_debug_exception -P $$ > out 2> err
	eq $? 1
	has err 'do_debug_exception'
fi

t stream_of_one_process
sh -c 'while :; do cat /dev/null; done' &
pid=$!
# Until it has done something.
runs trace-cmd stream -e syscalls -P $pid sh -c ". '$T_HERE/lib_wait.sh'; goes_on $pid 5"
kill $pid
has out 'sys_enter|sys_[a-z0-9]+'
grep -E -- '-[0-9]+ +\[' out | grep -v -e "-$pid " > others
eq "$(wc -l < others)" 0

t record_profile
runs trace-cmd record --profile sleep 1
runs trace-cmd report --profile --comm sleep
has out 'task: sleep-'
has out 'sched_switch:S'

t record_profile_all
runs trace-cmd record -e all --profile sleep 1

t profile_of_one_command
runs trace-cmd profile -F -c sleep 1
# Once, or twice where it has first waited to be let go.
has out 'sched_switch:S \([12]\) Total: [0-9]+ Avg: [0-9]+ Max: [0-9]+'

t profile_functions_with_stacks
runs trace-cmd profile -S -p function_graph -l '*kmalloc*' -l '*kmalloc*:stacktrace' sleep 1
has out 'kmalloc'

t report_filters
runs trace-cmd record -e sched -e irq sleep 1
runs trace-cmd report -F 'sched : bogus == 1 || common_pid == 2'
runs trace-cmd report -F 'sched/sched_switch : prev_state==0'
grep -v -e '^cpus=' -e '^version' -e sched_switch out > rest
eq "$(grep -c ' ==> ' rest)" 0
runs trace-cmd report -F '.*:COMM != "trace-cmd"'
runs trace-cmd report -I -S -t --ts-diff -l
runs trace-cmd report -R
has out 'prev_pid='
runs trace-cmd report --event sched:switch
runs trace-cmd report --events
has out 'print fmt'
runs trace-cmd report -E
has out 'sched_switch'

t record_rest_of_options
runs trace-cmd record -e sched -v -e '*stat*' -M 1 -b 2000 -s 100 -o named.dat -e irq -f 'irq > 0' sleep 1
runs trace-cmd report -i named.dat
eq "$(grep -c -e ': sched_stat' out)" 0

t start_show_stop_extract_reset
runs trace-cmd start -e sched
runs trace-cmd show
has out 'sched_'
runs trace-cmd stop
runs trace-cmd stat
runs trace-cmd restart
runs trace-cmd extract -o extracted.dat
runs trace-cmd report -i extracted.dat
has out 'sched_'
runs trace-cmd reset
eq "$(cat $TRACING/events/enable)" 0

t kprobe_in_two_steps
echo 'r:openat_probe do_sys_openat2 $retval' >> $TRACING/kprobe_events || echo 'r:openat_probe do_sys_open $retval' >> $TRACING/kprobe_events
runs trace-cmd record -p function_graph -o graph.dat -g $open_f -e openat_probe -F cat /dev/null
runs trace-cmd report -i graph.dat
has out 'openat_probe:'
has out 'arg1=|arg1'
echo '-:openat_probe' >> $TRACING/kprobe_events

t perf_ftrace_graph
runs perf ftrace -t function_graph -a -G $notify -- sleep 1
has out "\| +$notify\(\)"

t perf_ftrace_function
runs perf ftrace -t function -a -T $notify -- sleep 1
has out "$notify <-"

t perf_ftrace_notrace_pattern
runs perf ftrace -G $open_f -g 'smp*' cat /dev/null
has out "$open_f\(\)"

t list_functions
runs trace-cmd list -f $open_f
has out "^$open_f"
