# tree: a tracing file system of plain files in $d, for sonde --sysroot $d. Every file says which it is.
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

# machine: one CPU with rings: 35 events in the top buffer's, 23 in that of the buffer one; a snapshot of 23.
machine() {
	from=$PWD/tests/data/dat/v6.dat
	mkdir -p $d/proc/sys/kernel/random $d/run $d/sys/devices/system/cpu $top/options
	echo 0 > $d/sys/devices/system/cpu/present
	$SONDE ftrace dump --head-page $from | sed 1d > $top/events/header_page
	$SONDE ftrace dump --head-event $from | sed 1d > $top/events/header_event
	$SONDE ftrace dump --events $from | sed -n '/^name: sched_switch/,$p' > $top/events/sched/sched_switch/format
	tail -c +8193 $from | head -c 4096 > $top/per_cpu/cpu0/trace_pipe_raw
	tail -c +12289 $from | head -c 4096 > $top/instances/one/per_cpu/cpu0/trace_pipe_raw
	cp $top/instances/one/per_cpu/cpu0/trace_pipe_raw $top/per_cpu/cpu0/snapshot_raw
	: > $top/instances/two/per_cpu/cpu0/trace_pipe_raw
	for b in $top/ $top/instances/*/; do
		echo 'function wakeup nop' > $b/available_tracers
		echo nop > $b/current_tracer
		echo '[local] global' > $b/trace_clock
	done
}
