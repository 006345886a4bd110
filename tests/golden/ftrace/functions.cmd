# perf's options of the function tracers: what is in the kernel's files while the command runs, where it is not what is there without them.
. tests/golden/ftrace/tree.sh
machine
rm -r $top/instances
echo 'function_graph function nop' > $top/available_tracers
printf 'vfs_read\nvfs_write\nvfs_open\n' > $top/available_filter_functions
echo 'ffff800080000000 T vfs_read' > $d/proc/kallsyms
for f in set_ftrace_filter set_ftrace_notrace set_ftrace_pid set_graph_function set_graph_notrace set_event set_event_pid trace trace_options; do
	: > $top/$f
done
for o in irq-info latency-format funcgraph-irqs funcgraph-tail funcgraph-proc funcgraph-abstime sleep-time function-fork func_stack_trace; do
	echo 0 > $top/options/$o
done
for f in max_graph_depth tracing_thresh tracing_on; do
	echo 0 > $top/$f
done
echo 1 > $top/options/funcgraph-irqs
echo 1 > $top/options/sleep-time
echo 1408 > $top/buffer_size_kb
echo 3 > $top/tracing_cpumask
echo 0 > $d/sys/devices/system/cpu/online
: > $top/per_cpu/cpu0/trace_pipe_raw
for task in 1000 1001; do
	mkdir -p $d/proc/1000/task/$task
	sed 's/^/x/' /proc/self/stat > $d/proc/1000/task/$task/stat
done
cp $d/proc/1000/task/1000/stat $d/proc/1000
cat > $d/show <<'END'
cd "$1" && for f in current_tracer set_*_* max_graph_depth tracing_thresh tracing_cpumask buffer_size_kb options/*; do
	echo "$f: $(tr '\n' ' ' < $f | sed "s/^$$ /the command's/")"
done
END
changed() {
	echo "# $*"
	$SONDE --sysroot $d ftrace "$@" -- sh $d/show $top > $d/now 2>&1
	grep -vxFf $d/usual $d/now
}
$SONDE --sysroot $d ftrace -a -- sh $d/show $top > $d/usual
changed --verbose -a
changed -T vfs_read
changed -T vfs_read --notrace-funcs vfs_write -N vfs_open
changed -N vfs_read
changed -G vfs_read --nograph-funcs vfs_write
changed --graph-depth 3
changed -G vfs_read --graph-opts depth=2,tail,noirqs,nosleep-time,verbose,thresh=7
changed -T vfs_read --func-opts call-graph,irq-info
changed -t function
changed --tid 1000
changed -p 1000
changed -p 1000 --inherit
changed -C 0
changed -m 2M
changed -T vfs_read --graph-depth 3
changed -t function --graph-opts tail
changed --func-opts irq-info
