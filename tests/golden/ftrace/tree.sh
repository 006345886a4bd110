# tree: a tracing file system of plain files in $d, for sonde --sysroot $d. Every file says which it is; those of the buffer other, whose it is.
d=$(mktemp -d)
trap 'rm -rf "$d"' EXIT
top=$d/sys/kernel/tracing
settings='tracing_on current_tracer buffer_size_kb buffer_total_size_kb buffer_subbuf_size_kb buffer_percent set_ftrace_filter
	set_ftrace_notrace set_ftrace_pid set_graph_function set_graph_notrace tracing_cpumask tracing_max_latency kprobe_events uprobe_events
	error_log'
for b in "" instances/one/ instances/two/; do
	for f in $settings trace trace_pipe snapshot per_cpu/cpu0/trace per_cpu/cpu0/trace_pipe per_cpu/cpu0/snapshot \
		events/sched/sched_switch/trigger events/sched/sched_switch/hist; do
		mkdir -p "$top/$b${f%"${f##*/}"}"
		echo "$f of ${b:-the top buffer}" > "$top/$b$f"
	done
done
rm -r $top/instances/*/?probe_events

# written: which files have become something else since the last time, and what.
written() {
	(cd "$top" && find . -type f -newer "$d/mark" | sort | while read -r f; do echo "	$f: $(cat "$f")"; done)
	mark
}

# mark: written tells what is changed from now on.
mark() {
	sleep 0.02
	: > "$d/mark"
	sleep 0.02
}
mark
