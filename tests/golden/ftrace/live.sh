# live: tree.sh's, in which a run can trace: one CPU, whose ring has one page without an event, and its settings are those of a kernel at rest.
. tests/golden/ftrace/tree.sh
mkdir -p $d/proc/sys/kernel/random $d/run $d/sys/devices/system/cpu $top/options $top/events/ftrace/function $top/events/raw_syscalls/sys_enter $top/events/raw_syscalls/sys_exit
for f in max_graph_depth saved_cmdlines_size set_event set_event_pid trace_clock available_events options/function-trace \
	events/enable events/raw_syscalls/enable; do
	: > $top/$f
done
for f in enable filter trigger; do
	for ev in sched/sched_switch raw_syscalls/sys_enter raw_syscalls/sys_exit; do
		: > $top/events/$ev/$f
	done
done
printf '%s\n' sched:sched_switch raw_syscalls:sys_enter raw_syscalls:sys_exit > $top/available_events
echo 'nop function function_graph' > $top/available_tracers
echo nop > $top/current_tracer
echo 0 > $d/sys/devices/system/cpu/online
echo '0 T foo' > $d/proc/kallsyms
cp tests/data/formats/header_page $top/events
cp tests/data/formats/function $top/events/ftrace/function/format
cp tests/data/formats/sys_enter $top/events/raw_syscalls/sys_enter/format
: > $top/events/header_event
echo 'now ts:    15.349204' > $top/per_cpu/cpu0/stats
head -c 4096 /dev/zero > $top/per_cpu/cpu0/trace_pipe_raw

# recorded NAME: the ring of each CPU has what tests/data/dat/NAME.dat has, and its events have their formats.
recorded() {
	$SONDE ftrace convert --file-version 6 -i tests/data/dat/$1.dat "$d/six"
	mkdir "$d/formats"
	LC_ALL=C awk -v to="$d/formats" '
		/name: [a-z_0-9]+$/ { sub(/.*name: /, "name: "); file = to "/" $2 }
		file { print > file }
		/^print fmt: / { file = "" }' "$d/six"
	{
		$SONDE ftrace report --events "$d/six" | awk '/^system: / { s = $2 } /^name: / { print s, $2 }'
		ls "$d/formats" | sed 's/^/ftrace /'
	} | while read -r system name; do
		[ -e "$d/formats/$name" ] || continue
		mkdir -p "$top/events/$system/$name"
		mv "$d/formats/$name" "$top/events/$system/$name/format"
		for f in enable filter trigger; do
			: > "$top/events/$system/$name/$f"
		done
		: > "$top/events/$system/enable"
		echo "$system:$name" >> "$top/available_events"
	done
	$SONDE ftrace dump --flyrecord "$d/six" | awk '/cpu/ { gsub(/\]/, ""); print $1, $2, $NF }' | while read -r at size cpu; do
		mkdir -p "$top/per_cpu/cpu$cpu"
		echo 'now ts:    15.349204' > "$top/per_cpu/cpu$cpu/stats"
		tail -c +$((at + 1)) "$d/six" | head -c $size > "$top/per_cpu/cpu$cpu/trace_pipe_raw"
		echo 0-$cpu > $d/sys/devices/system/cpu/online
	done
}
