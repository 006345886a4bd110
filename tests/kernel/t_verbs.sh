#!/bin/sh
# time: 900
# kernels: 5.10
# also: 6.12
# The verbs of trace-cmd beside trace-cmd itself, on the same state of the kernel.
. "$T_HERE/lib.sh"

need sonde trace-cmd

T=/sys/kernel/tracing
S="sonde ftrace"

# told COMMAND...: without what differs from version to version of trace-cmd: a complaint, parentheses around filters.
told() {
	"$@" 2> /dev/null | sed '/^Error reading stack tracer/d; /^$/d; /kilobytes/d; /"$/s/[()]//g'
}

# same NAME ARGS...: both print the same lines (trace-cmd's order is that of a directory, ours is sorted).
same() {
	t "$1"
	shift
	trace-cmd "$@" 2> /dev/null | sed 's/ tsc2nsec$//; /^Error reading stack tracer/d; /^$/d' | sort > theirs
	$S "$@" 2> /dev/null | sed '/^$/d' | sort > ours
	if cmp -s theirs ours && [ -s ours ]; then
		ok
	elif trace-cmd --version 2>&1 | grep -q 'version 2'; then
		skip-kernel "told otherwise by trace-cmd 2: $*"
	else
		diff theirs ours | head -n 20
		fail "$* is told differently"
	fi
}

trace-cmd start -e sched:sched_switch -f 'prev_pid != 0' -R 'stacktrace if prev_pid == 1' -e irq -p function -l 'vfs_r*' -n vfs_read > /dev/null
trace-cmd set -B foo -e sched:sched_switch -f prev_pid==5 -R 'stacktrace if prev_pid==9' -O nooverwrite -M 1 -b 20
trace-cmd stop
echo 'p:g/foo vfs_read' >> $T/kprobe_events

same stat stat
same stat_of_options stat -o
same stat_of_buffer stat -B foo
same stat_of_both stat -t -B foo
same list_tracers list -t
same list_options list -o
same list_clocks list -C
same list_buffers list -B
same list_functions list -f vfs_r
same list_events list -e sched_sw
same list_events_any_case list -e SCHED_SW
same list_fields list -e sched_sw -F
same list_formats list -e sched_sw -F --full
same list_filters list -e sched_w -l
same list_triggers list -e sched_switch -R
for o in tracing_on buffer_size ftrace_filter ftrace_notrace cpumask; do
	same show_$o show -B foo --$o
done
same show_filter show --ftrace_filter
same show_trace show
same stack stack
same snapshot snapshot

t restart_and_stop
$S restart
eq "$(cat $T/tracing_on)" 1
$S stop -B foo
eq "$(cat $T/instances/foo/tracing_on)" 0
echo 1 > $T/instances/foo/tracing_on
$S stop -a -B foo
eq "$(cat $T/tracing_on) $(cat $T/instances/foo/tracing_on)" '1 0'
# As trace-cmd: all are all.
for stop in "trace-cmd stop" "$S stop"; do
	trace-cmd restart -a
	eq "$(cat $T/tracing_on) $(cat $T/instances/foo/tracing_on)" '1 1'
	$stop -a
	eq "$(cat $T/tracing_on) $(cat $T/instances/foo/tracing_on)" '0 0'
done
$S restart -a
eq "$(cat $T/tracing_on) $(cat $T/instances/foo/tracing_on)" '1 1'
$S stop -a

t extract_of_all_buffers
# trace-cmd removes the buffers.
for extract in "trace-cmd extract" "$S extract"; do
	mkdir -p $T/instances/foo $T/instances/bar
	echo > $T/instances/foo/trace
	for d in $T $T/instances/bar; do
		echo > $d/trace
		echo 1 > $d/tracing_on
		for i in 1 2 3; do
			echo marker > $d/trace_marker
		done
		echo 0 > $d/tracing_on
	done
	$extract -a -o all.dat > told
	trace-cmd report -i all.dat > text 2> /dev/null
	eq "$extract: $(grep -c marker text) $(grep marker text | grep -c '^ *bar:')" "$extract: 6 3"
done
rmdir $T/instances/bar

t clear_empties
echo hello > $T/trace_marker
$S restart
echo hello > $T/trace_marker
$S stop
grep -q hello $T/trace && ok || fail "no marker in the trace"
$S clear
grep -q hello $T/trace && fail "still in the trace" || ok

t snapshot_is_taken
$S restart
echo there > $T/trace_marker
$S snapshot -s
$S clear
$S snapshot | grep -q there && ok || fail "not in the snapshot"
$S snapshot -f
has $T/snapshot 'Snapshot is freed'

t stack_tracer
$S stack --start
eq "$(cat /proc/sys/kernel/stack_tracer_enabled)" 1
$S stack --stop
$S stack --reset
eq "$(cat /proc/sys/kernel/stack_tracer_enabled)" 0

t reset_tells_the_probe_and_removes_it
$S reset > told
has told 'removed the probe p:g/foo vfs_read'
eq "$(cat $T/kprobe_events)" ""

t reset_tells_what_it_switches_off
T=/sys/kernel/tracing
echo 1 > $T/events/irq/enable
echo 'prev_pid > 0' > $T/events/sched/sched_switch/filter
echo traceon:1 > $T/events/sched/sched_wakeup/trigger
echo vfs_open > $T/set_ftrace_filter
echo function > $T/current_tracer
mkdir $T/instances/foreign
echo 1 > $T/instances/foreign/events/irq/irq_handler_entry/enable
$S reset -B foreign -d > told
has told '^foreign: switched off events: irq:irq_handler_entry$'
has told '^removed the buffer foreign$'
$S reset > told
has told '^switched off the tracer function$'
has told '^switched off events: [0-9]+, the first irq:'
has told '^removed the filter of sched/sched_switch: prev_pid > 0$'
has told '^removed triggers of sched/sched_wakeup: traceon'
has told '^removed function filters: vfs_open$'
$S reset > told
eq "$(cat told)" ""

t reset_is_trace_cmds
told $S stat > ours
trace-cmd reset
told trace-cmd stat > theirs
cmp -s ours theirs && ok || { diff theirs ours; fail "not all is off"; }

t reset_keeps_probes
echo 'p:g/foo vfs_read' >> $T/kprobe_events
$S reset -k
eq "$(cut -d' ' -f1 $T/kprobe_events)" p:g/foo
echo > $T/kprobe_events

t reset_keeps_kinds
if [ -e $T/dynamic_events ]; then
	echo 'p:g/entry vfs_read' >> $T/kprobe_events
	echo 'r:g/return vfs_read' >> $T/kprobe_events
	echo "p:g/busybox $(command -v busybox):0x1000" >> $T/uprobe_events
	made=
	[ ! -e $T/synthetic_events ] || { echo 'made u64 x' >> $T/synthetic_events && made='s:synthetic/made '; }
	$S reset -k kretprobe -k synth > told
	eq "$(sed 's/^\(.\)[0-9]*:/\1:/; s/[[:space:];].*//' $T/dynamic_events | sort | tr '\n' ' ')" "r:g/return $made"
	$S reset -k nosuch > told 2> err
	eq $? 2
	has err "'nosuch' is none of kprobe"
	$S reset > told
	eq "$(cat $T/dynamic_events)" ''
fi

t reset_of_a_buffer_leaves_the_others
# One function: all of them make the guest five times as slow.
echo vfs_open > $T/set_ftrace_filter
echo function > $T/current_tracer
$S reset -B foo -b 40 > told
eq "$(cat $T/instances/foo/set_event)" ""
eq "$(cat $T/current_tracer)" function
eq "$(($(cat $T/instances/foo/buffer_size_kb) / 10))" 4
eq "$(cat $T/set_ftrace_filter)" vfs_open
echo nop > $T/current_tracer
echo > $T/set_ftrace_filter

t reset_of_all_buffers
for reset in "trace-cmd reset" "$S reset -q"; do
	echo sched:sched_switch | tee $T/set_event > $T/instances/foo/set_event
	echo 'p:g/foo vfs_read' > $T/kprobe_events
	$reset -a
	eq "$reset: $(cat $T/set_event $T/instances/foo/set_event)" "$reset: "
done
eq "$(cat $T/kprobe_events)" ''
echo sched:sched_switch | tee $T/set_event > $T/instances/foo/set_event
$S reset -q -a -B foo
eq "$(cat $T/set_event $T/instances/foo/set_event)" sched:sched_switch
$S reset -q -a -d
[ ! -e $T/instances/foo ] && ok || fail "the buffer is still there"
mkdir $T/instances/foo

t reset_removes_a_buffer
$S reset -B foo -d
[ -d $T/instances/foo ] && fail "it is still there" || ok
$S reset -t -d 2> told && fail "the top buffer was removed" || has told 'cannot be removed'

# like NAME COMMON: start with the same options, and the kernel is in the same state
like() {
	t "$1"
	shift
	trace-cmd start "$@" > /dev/null 2>&1
	echo 0 > $T/tracing_on
	told trace-cmd stat > theirs
	trace-cmd reset
	echo 0 > $T/max_graph_depth   # which it leaves as it was
	$S start "$@" > /dev/null
	echo 0 > $T/tracing_on
	told trace-cmd stat > ours
	$S reset --ours > /dev/null
	cmp -s theirs ours && ok || { diff theirs ours; fail "the kernel is in another state"; }
}

like start_events -e irq -e sched -v -e '*stat*' -e 'sched:sched_s*' -C mono -M 1
like start_filter_and_trigger -e sched:sched_switch -f '(prev_prio < 100)' -R 'stacktrace:3 if prev_pid == 7'
like start_functions -p function_graph -g vfs_read -l 'vfs_r*' -n vfs_readv --max-graph-depth 3

t traces_only_the_command
$S start -F -e sched:sched_process_exec true
$S stop
$S show > shown
eq "$(grep -c 'sched_process_exec:' shown)" 1
has shown 'filename=.*true'
$S reset --ours > /dev/null

t refusals_name_what_is_wrong
$S start -e sched_swich 2> told && fail "started" || has told "did you mean 'sched_switch'"
$S start -e sched_switch -f 'prev_pd == 1' 2> told && fail "started" || has told "Field not found, did you mean 'prev_pid'"
has told '^ *\^$'
$S start -p function -l vfs_reed 2> told && fail "started" || has told "did you mean 'vfs_read'"
$S start -p function -l __switch_to 2> told && fail "started" || has told 'in kallsyms but not in available_filter_functions'
$S start -p functin 2> told && fail "started" || has told "did you mean 'function'"
$S start -p function --func-stack 2> told && fail "started" || has told 'lock up'
$S start -e irq -C nosuch 2> told && fail "started" || has told "no trace clock 'nosuch'"
$S start -e irq -O stacktrce 2> told && fail "started" || has told "did you mean 'stacktrace'"
$S show -B nosuch 2> told && fail "shown" || has told "no buffer 'nosuch'"
$S start -e irq -o x.dat 2> told && fail "started" || has told '-o: this writes no file'
$S start -e irq -N localhost:1 2> told && fail "started" || has told '-N: only record sends'
$S stream -e irq -N localhost:1 true 2> told && fail "streamed" || has told '-N: only record sends'
$S stream -e irq --daemonize true 2> told && fail "streamed" || has told '--daemonize: only record'
$S stream -e irq --user nosuch true 2> told && fail "run as root" || has told "no user 'nosuch'"
$S record -e irq --proc-map -o maps.dat -- busybox true > told 2>&1
eq $? 0
$S dump -i maps.dat --options > told 2>&1
has told 'busybox'
$S start -e irq --proc-map 2> told && fail "started" || has told '--proc-map: only record keeps it'
$S start -e nosuch -i -e irq && ok || fail "-i does not pass over it"
$S reset --ours > told

t dump_of_trace_cmds_file
trace-cmd record --file-version 6 -e irq -o f6 true 2>&1
for o in --systems --kallsyms --printk --cmd-lines --head-page --head-event --events --ftrace-events --validate; do
	trace-cmd dump -i f6 $o | grep -v '^	\[' | grep . > theirs
	$S dump -i f6 $o | grep -v '^	\[' | grep . > ours
	cmp -s theirs ours && ok || { diff theirs ours | head -n 5; fail "dump $o"; }
done
trace-cmd dump -i f6 | grep '^	\[[HEKS]' | sort > theirs
$S dump f6 | grep '^	\[[HEKS]' | sort > ours
cmp -s theirs ours && ok || { diff theirs ours; fail "dump"; }
trace-cmd reset
