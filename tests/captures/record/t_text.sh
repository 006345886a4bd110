#!/bin/sh
# time: 3000
# kernels: 5.10 6.1-rt 6.12 6.12-16k
# The kernel's own `trace` of a stopped buffer, then the same records raw, under many options. In each: `trace`; `want`, how many kinds of
# records there must be; `hashed`, where this kernel's text has no numbers of %p; `latency`, where it has latency-format.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"
. "$T_HERE/../captures/lib.sh"

t recorded
need ringsave workload

T=/sys/kernel/tracing
X=$T/instances/text$$

# --- as it was before -----------------------------------------------------------------------------------------------------
size=$(sed 's/.*expanded: //; s/)//' $T/buffer_size_kb)
options=$(cat $T/trace_options)

put() {
	echo "$2" > "$B/$1"
}

opt() {
	for o; do
		case $o in
		no-*) put "options/${o#no-}" 0 ;;
		*) put "options/$o" 1 ;;
		esac
	done
}

restore() {
	put tracing_on 0
	put events/enable 0
	for o in cpu duration overhead irqs; do
		put options/funcgraph-$o 1
	done
	for o in proc abstime tail overrun; do
		put options/funcgraph-$o 0
	done
	[ ! -e $T/options/func-no-repeats ] || put options/func-no-repeats 0
	put current_tracer nop
	put trace_clock local
	for o in $options; do
		put trace_options "$o"
	done
	put buffer_size_kb "$size"
	: > $T/trace
	put tracing_on 1
}

restore_all() {
	B=$T
	[ ! -d $X ] || rmdir $X
	echo > $T/synthetic_events
	echo > $T/kprobe_events
	echo > $T/uprobe_events
	echo > $T/dynamic_events
	restore
} 2> /dev/null

trap 's=$?; restore_all; t_end $s' EXIT
trap 'exit 143' TERM

# --- one comparison -------------------------------------------------------------------------------------------------------
# The other end of what everyday() connects to; it is there before tracing is on.
listener() {
	busybox nc -l -p 4242 -e true > /dev/null 2>&1 &
	wait_for grep ':1092 0*:0000 0A ' /proc/net/tcp /proc/net/tcp6
}

everyday() {
	workload forks 3
	workload switches 20
	workload faults 50
	ls -l /proc/self/fd > files
	busybox ping -c 1 127.0.0.1
	dd if=/dev/zero of=zero bs=4k count=20
	sync
	echo hello > "$B/trace_marker"
	wc -c < zero
	rm zero
	echo x | busybox nc 127.0.0.1 4242
	sleep 1 &
	kill $!
	wait
} > /dev/null 2>&1

# The last of one CPU is no repetition: only then those before it are told.
repeats() {
	busybox taskset 1 sh -c 'workload syscalls 300; : < /dev/null'
	echo hello > "$B/trace_marker"
}

brief() {
	workload forks 1
	workload switches 20
	echo hello > "$B/trace_marker"
}

# text EVENTS COMMAND...: take what COMMAND does in buffer $B; at least EVENTS kinds of records must be there.
text() {
	take
	echo "$1" > $taken/want
	shift
	[ "$1" != everyday ] || listener
	: > $B/trace
	put tracing_on 1
	"$@"
	put tracing_on 0
	cat $B/trace > $taken/trace
	# Numbers of %p are hashed where the kernel cannot be told to leave them.
	[ -e $T/options/hash-ptr ] || : > $taken/hashed
	[ -z "${LATENCY:-}" ] || : > $taken/latency
	ringsave $B $taken || fail "ringsave $taken"
}

busybox ifconfig lo up
mkdir $X
B=$X
put tracing_on 0
[ ! -e $B/options/hash-ptr ] || opt no-hash-ptr
put buffer_size_kb 400
echo 8192 > $T/saved_cmdlines_size

begin all_events
put buffer_size_kb 4000
put events/enable 1
put events/syscalls/enable 0
text 70 everyday
put events/enable 0
put buffer_size_kb 400

begin system_calls_and_their_types
put events/syscalls/enable 1
text 20 everyday
opt verbose
text 20 everyday
opt no-verbose
put events/enable 0

begin columns_before_the_event
put events/sched/enable 1
opt record-tgid
text 4 everyday
opt no-irq-info
text 4 everyday
opt no-record-tgid
put trace_clock counter
text 4 everyday
opt no-context-info
text 4 everyday
opt irq-info context-info
put trace_clock mono
text 4 everyday
put trace_clock local

begin latency_format
opt latency-format
LATENCY=yes
text 4 everyday
LATENCY=
opt verbose
# What is only printed, not compared.
take
ringsave $B $taken || fail "ringsave $taken"
opt no-latency-format
text 4 everyday
opt no-verbose

begin stacks_of_events
opt stacktrace userstacktrace
text 6 everyday
opt sym-offset sym-addr
text 6 everyday
opt no-sym-offset no-sym-addr no-stacktrace no-userstacktrace
put events/enable 0

begin probes
echo 'p:text/enter do_sys_openat2 dfd=%x0:s32 name=+0(%x1):ustring how=+0(%x2):x64[2] c=%x0:char sym=%x30:symbol' > $T/kprobe_events
echo 'r:text/left do_sys_openat2 fd=$retval:s32 raw=$retval' >> $T/kprobe_events
bin=$(command -v workload)
offset=$(printf '%d' "$(busybox od -An -tx8 -j24 -N8 "$bin" | sed 's/ */0x/')")
base=$(printf '%d' "$(busybox od -An -tx8 -j80 -N8 "$bin" | sed 's/ */0x/')")
echo "p:text/entry $bin:$((offset - base)) pc=%pc" > $T/uprobe_events
put events/text/enable 1
rm formats
text 3 everyday
opt sym-addr
text 3 everyday
opt no-sym-addr
put events/text/enable 0

begin synthetic_events
echo 'text_slept pid_t pid; u64 ns; char comm[16]' > $T/synthetic_events
echo 'hist:keys=next_pid:t0=common_timestamp' > $B/events/sched/sched_switch/trigger
echo 'hist:keys=prev_pid:ns=common_timestamp-$t0:onmatch(sched.sched_switch).trace(text_slept,prev_pid,$ns,prev_comm)' \
	>> $B/events/sched/sched_switch/trigger
put events/synthetic/text_slept/enable 1
rm formats
# enabled itself: a record that only the trigger wants is thrown away, and the kernel's reader then forgets its share of time
put events/sched/sched_switch/enable 1
text 2 everyday
put events/sched/sched_switch/enable 0
put events/synthetic/text_slept/enable 0
echo '!hist:keys=prev_pid:ns=common_timestamp-$t0:onmatch(sched.sched_switch).trace(text_slept,prev_pid,$ns,prev_comm)' \
	> $B/events/sched/sched_switch/trigger
echo '!hist:keys=next_pid:t0=common_timestamp' > $B/events/sched/sched_switch/trigger

begin functions
put current_tracer function
text 1 brief
put buffer_size_kb 100
opt sym-offset sym-addr no-print-parent
text 1 brief
opt no-sym-offset no-sym-addr print-parent latency-format
LATENCY=yes
text 1 brief
LATENCY=
opt no-latency-format
put buffer_size_kb 400
put current_tracer nop

begin sub_buffers_of_16k
if [ -e $B/buffer_subbuf_size_kb ] && [ "$(cat $B/buffer_subbuf_size_kb)" = 4 ]; then
	put buffer_subbuf_size_kb 16
	echo 16 > $T/buffer_subbuf_size_kb
	put events/sched/enable 1
	put events/kmem/enable 1
	text 8 everyday
	put events/enable 0
	put buffer_subbuf_size_kb 4
	echo 4 > $T/buffer_subbuf_size_kb
else
	lacks "one size only"
fi

if [ "$SONDE_VM" = 6.12-16k ]; then
	# What follows has been compared with the same kernel's of small pages.
	begin graph_on_large_pages
	put current_tracer function_graph
	text 2 brief
	keep
	exit
fi

# --- the top buffer: tracers that have no place in an instance --------------------------------------------------------------
rmdir $X
B=$T
put tracing_on 0
[ ! -e $B/options/hash-ptr ] || opt no-hash-ptr
put buffer_size_kb 300

begin markers
marks() {
	echo one > $B/trace_marker
	printf 'two\nthree\n' > $B/trace_marker
	printf 'no new line' > $B/trace_marker
	printf '\001\002\003\004\005\006\007\010\011' > $B/trace_marker_raw
	printf '\001\002\003\004abc' > $B/trace_marker_raw
	workload switches 5
}
put events/sched/enable 1
text 4 marks
opt printk-msg-only
text 4 marks
opt no-printk-msg-only
put events/enable 0

begin functions_that_repeat
if [ -e $T/options/func-no-repeats ]; then
	put current_tracer function
	opt func-no-repeats
	text 1 brief
	put trace_clock counter
	printf '*sys_getppid\ndo_sys_open*\n' > $T/set_ftrace_filter
	text 3 repeats
	echo > $T/set_ftrace_filter
	put trace_clock local
	opt no-func-no-repeats
	put current_tracer nop
else
	lacks "no func-no-repeats"
fi

begin functions_with_stacks
put current_tracer function
echo 'do_sys_open*' > $T/set_ftrace_filter
opt func_stack_trace
text 2 brief
opt no-func_stack_trace
echo > $T/set_ftrace_filter
put current_tracer nop

begin graph
put current_tracer function_graph
text 2 brief
# What one option changes is in each line: the kernel takes a second for a few thousand of them.
put buffer_size_kb 100
text 2 workload switches 200
opt funcgraph-proc funcgraph-tail funcgraph-overrun no-funcgraph-irqs
text 2 brief
opt funcgraph-abstime no-funcgraph-overhead funcgraph-irqs latency-format
text 2 brief
opt no-funcgraph-duration no-funcgraph-cpu
text 2 brief
opt no-context-info
text 2 brief
opt context-info no-latency-format funcgraph-duration funcgraph-cpu no-funcgraph-tail no-funcgraph-overrun
opt no-funcgraph-abstime no-funcgraph-proc funcgraph-overhead
put buffer_size_kb 300

begin graph_with_events_as_comments
put events/sched/enable 1
put events/irq/enable 1
put events/syscalls/enable 1
text 10 brief
opt stacktrace
text 10 marks
opt no-stacktrace
put events/enable 0

begin graph_of_a_few_functions
for f in do_sys_openat2 vfs_read schedule; do
	echo $f >> $T/set_graph_function
done
text 2 brief
echo > $T/set_graph_function

# recorded N: that many records are in the rings.
recorded() {
	[ "$(cat $B/per_cpu/cpu*/stats | awk '$1 == "entries:" { n += $2 } END { print n + 0 }')" -ge "$1" ]
}

for tracer in osnoise timerlat hwlat; do
	begin $tracer
	if grep -qw $tracer $T/available_tracers; then
		put current_tracer $tracer
		[ $tracer != hwlat ] || put tracing_thresh 1
		text 1 wait_for recorded 6
		[ $tracer != hwlat ] || put tracing_thresh 0
		put current_tracer nop
	else
		lacks "no $tracer"
	fi
done
keep
