# What perf ftrace's options set while the command runs; a threshold is for the top buffer only, which keeps it there.
. tests/golden/ftrace/live.sh
recorded profile
echo 'foo' > $top/available_filter_functions
: > $top/tracing_thresh
: > $top/trace_options
for o in sleep-time graph-time funcgraph-irqs funcgraph-tail funcgraph-proc funcgraph-abstime latency-format irq-info func_stack_trace function-fork; do
	echo 1 > $top/options/$o
done
mkdir -p $d/proc/77/task/77
f() {
	echo "# $*" | sed "s|$top/||g"
	$SONDE --sysroot $d ftrace "$@" 2>&1
}
mv $top/per_cpu/cpu0/trace_pipe_raw $top/per_cpu/cpu0/recorded
mv $top/per_cpu/cpu1/trace_pipe_raw $top/per_cpu/cpu1/recorded
: | tee $top/per_cpu/cpu0/trace_pipe_raw > $top/per_cpu/cpu1/trace_pipe_raw
f --graph-opts thresh=5 -G foo cat $top/max_graph_depth
f --graph-opts thresh=5 --graph-depth 3 cat $top/max_graph_depth $top/tracing_thresh
f -t function_graph --graph-opts thresh=5 --notrace-funcs foo cat $top/set_ftrace_notrace $top/current_tracer
f --graph-opts thresh=5 --tid 77 cat $top/set_ftrace_pid
f --graph-opts thresh=5 --verbose true
f --graph-opts nosuch true
f funcprofile -T foo --graph-opts thresh=5,nosleep-time cat $top/options/sleep-time
f funcprofile -T foo --graph-opts thresh=5 cat $top/options/sleep-time
# What functions took, of rings that hold a recording.
mv $top/per_cpu/cpu0/recorded $top/per_cpu/cpu0/trace_pipe_raw
mv $top/per_cpu/cpu1/recorded $top/per_cpu/cpu1/trace_pipe_raw
f funcprofile -T foo --graph-opts thresh=5 true | wc -l
f funcprofile -T foo --graph-opts thresh=5 --limit 2 true
f funcprofile -T foo --graph-opts thresh=5 --per-thread --limit 4 true
l() { $SONDE --sysroot $d ftrace latency -T foo --graph-opts thresh=5 --hide-empty "$@" true 2>&1; }
l > $d/plain
sed -n 1,12p $d/plain
# As cheap without BPF: only these functions are traced.
l --use-bpf | diff $d/plain -
l -b | diff $d/plain -
