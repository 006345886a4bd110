# Each option shows the file of its name: of the top buffer and of another one, of a CPU, with its path before it.
. tests/golden/ftrace/tree.sh
show() { echo "# $*"; $SONDE --sysroot $d ftrace show "$@" 2>&1; }
for o in --tracing_on --current_tracer --buffer_size --buffer_total_size --buffer_subbuf_size --buffer_percent --ftrace_filter --ftrace_notrace --ftrace_pid --graph_function --graph_notrace --cpumask --max_latency --kprobe_events --uprobe_events --error_log; do
	show $o
	show -B one $o
done
show --cpumask --tracing_on -f
for o in -p -s -f; do
	show $o
	show $o -B two
	show $o -c 0
done
show -c 1
show -c one
show --trigger sched_switch
show --trigger sched:sched_switch -f -B one
show --trigger sched_swich
show --hist sched/sched_switch
show -p -s
show -p --tracing_on
show -s --hist sched_switch
show -c 0 --trigger sched_switch
rm -r $top/instances/one/snapshot $top/instances/one/per_cpu
show -B one -s
show -B one -c 0
