#!/bin/sh
# time: 1500
# kernels: 5.10 6.1-rt 6.12 6.12-16k
# The kernel as the judge of tracefs/ktext: its own `trace` of a stopped buffer, then the same records read raw and printed by
# us, line for line, under many options. Only what is listed in `skip` may differ, and there only what we print as "?" (or,
# where it says so, the whole text).
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need ringtext workload

T=/sys/kernel/tracing
X=$T/instances/text$$

cat > skip << 'END'
mm_page_alloc page= is computed from memstart_addr, a variable of the kernel
mm_page_alloc_extfrag page= as above
mm_page_alloc_zone_locked page= as above
mm_page_free page= as above
mm_page_free_batched page= as above
mm_page_pcpu_drain page= as above
mm_filemap_add_to_page_cache page= as above
mm_filemap_delete_from_page_cache page= as above
mm_lru_insertion page= as above
mm_lru_activate page= as above
mm_vmscan_write_folio page= as above
writeback_single_inode age= is computed from jiffies at the time of reading
writeback_single_inode_start age= as above
writeback_queue_io age= as above
fscache_active whole: its format file has names of an enum that the kernel does not replace by numbers
END

# Numbers of %p are hashed where the kernel cannot be told to leave them.
[ -e $T/options/hash-ptr ] || export HASHED=1

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

# same EVENTS COMMAND...: record what COMMAND does in buffer $B; at least EVENTS kinds of records must be there.
same() {
	floor=$1
	shift
	[ "$1" != everyday ] || listener
	: > $B/trace
	put tracing_on 1
	"$@"
	put tracing_on 0
	cat $B/trace > kernel
	ringtext $B kernel skip > verdict
	status=$?
	echo "at $(busybox date +%T)"
	cat verdict
	set -- $(tail -n 1 verdict)
	if [ "$status $6" != "0 0" ]; then
		fail "${6:-?} of ${2:-?} lines differ (exit status $status)"
	elif [ "$2" -lt 3 ] || [ "$4" -lt "$floor" ]; then
		fail "only $2 lines of $4 events, not $floor"
	else
		ok
	fi
}

busybox ifconfig lo up
mkdir $X
B=$X
put tracing_on 0
[ ! -e $B/options/hash-ptr ] || opt no-hash-ptr
put buffer_size_kb 400
echo 8192 > $T/saved_cmdlines_size

t all_events
put buffer_size_kb 4000
put events/enable 1
put events/syscalls/enable 0
same 70 everyday
put events/enable 0
put buffer_size_kb 400

t system_calls_and_their_types
put events/syscalls/enable 1
same 20 everyday
opt verbose
same 20 everyday
opt no-verbose
put events/enable 0

t columns_before_the_event
put events/sched/enable 1
opt record-tgid
same 4 everyday
opt no-irq-info
same 4 everyday
opt no-record-tgid
put trace_clock counter
same 4 everyday
opt no-context-info
same 4 everyday
opt irq-info context-info
put trace_clock mono
same 4 everyday
put trace_clock local

t latency_format
opt latency-format
export LATENCY=1
same 4 everyday
unset LATENCY
opt verbose
ringtext $B > /dev/null
opt no-latency-format
same 4 everyday
opt no-verbose

t stacks_of_events
opt stacktrace userstacktrace
same 6 everyday
opt sym-offset sym-addr
same 6 everyday
opt no-sym-offset no-sym-addr no-stacktrace no-userstacktrace
put events/enable 0

t probes
echo 'p:text/enter do_sys_openat2 dfd=%x0:s32 name=+0(%x1):ustring how=+0(%x2):x64[2] c=%x0:char sym=%x30:symbol' > $T/kprobe_events
echo 'r:text/left do_sys_openat2 fd=$retval:s32 raw=$retval' >> $T/kprobe_events
bin=$(command -v workload)
offset=$(printf '%d' "$(busybox od -An -tx8 -j24 -N8 "$bin" | sed 's/ */0x/')")
base=$(printf '%d' "$(busybox od -An -tx8 -j80 -N8 "$bin" | sed 's/ */0x/')")
echo "p:text/entry $bin:$((offset - base)) pc=%pc" > $T/uprobe_events
put events/text/enable 1
rm formats
same 3 everyday
opt sym-addr
same 3 everyday
opt no-sym-addr
put events/text/enable 0

t synthetic_events
echo 'text_slept pid_t pid; u64 ns; char comm[16]' > $T/synthetic_events
echo 'hist:keys=next_pid:t0=common_timestamp' > $B/events/sched/sched_switch/trigger
echo 'hist:keys=prev_pid:ns=common_timestamp-$t0:onmatch(sched.sched_switch).trace(text_slept,prev_pid,$ns,prev_comm)' \
	>> $B/events/sched/sched_switch/trigger
put events/synthetic/text_slept/enable 1
rm formats
# enabled itself: a record that only the trigger wants is thrown away, and the kernel's reader then forgets its share of time
put events/sched/sched_switch/enable 1
same 2 everyday
put events/sched/sched_switch/enable 0
put events/synthetic/text_slept/enable 0
echo '!hist:keys=prev_pid:ns=common_timestamp-$t0:onmatch(sched.sched_switch).trace(text_slept,prev_pid,$ns,prev_comm)' \
	> $B/events/sched/sched_switch/trigger
echo '!hist:keys=next_pid:t0=common_timestamp' > $B/events/sched/sched_switch/trigger

t functions
put current_tracer function
same 1 brief
put buffer_size_kb 100
opt sym-offset sym-addr no-print-parent
same 1 brief
opt no-sym-offset no-sym-addr print-parent latency-format
export LATENCY=1
same 1 brief
unset LATENCY
opt no-latency-format
put buffer_size_kb 400
put current_tracer nop

t sub_buffers_of_16k
if [ -e $B/buffer_subbuf_size_kb ] && [ "$(cat $B/buffer_subbuf_size_kb)" = 4 ]; then
	put buffer_subbuf_size_kb 16
	echo 16 > $T/buffer_subbuf_size_kb
	put events/sched/enable 1
	put events/kmem/enable 1
	same 8 everyday
	put events/enable 0
	put buffer_subbuf_size_kb 4
	echo 4 > $T/buffer_subbuf_size_kb
else
	skip-kernel "one size only"
fi

if [ "$SONDE_VM" = 6.12-16k ]; then
	# What follows has been compared with the same kernel's of small pages.
	t graph_on_large_pages
	put current_tracer function_graph
	same 2 brief
	exit
fi

# --- the top buffer: tracers that have no place in an instance --------------------------------------------------------------
rmdir $X
B=$T
put tracing_on 0
[ ! -e $B/options/hash-ptr ] || opt no-hash-ptr
put buffer_size_kb 300

t markers
marks() {
	echo one > $B/trace_marker
	printf 'two\nthree\n' > $B/trace_marker
	printf 'no new line' > $B/trace_marker
	printf '\001\002\003\004\005\006\007\010\011' > $B/trace_marker_raw
	printf '\001\002\003\004abc' > $B/trace_marker_raw
	workload switches 5
}
put events/sched/enable 1
same 4 marks
opt printk-msg-only
same 4 marks
opt no-printk-msg-only
put events/enable 0

t functions_that_repeat
if [ -e $T/options/func-no-repeats ]; then
	put current_tracer function
	opt func-no-repeats
	same 1 brief
	put trace_clock counter
	printf '*sys_getppid\ndo_sys_open*\n' > $T/set_ftrace_filter
	same 3 repeats
	echo > $T/set_ftrace_filter
	put trace_clock local
	opt no-func-no-repeats
	put current_tracer nop
else
	skip-kernel "no func-no-repeats"
fi

t functions_with_stacks
put current_tracer function
echo 'do_sys_open*' > $T/set_ftrace_filter
opt func_stack_trace
same 2 brief
opt no-func_stack_trace
echo > $T/set_ftrace_filter
put current_tracer nop

t graph
put current_tracer function_graph
same 2 brief
# What one option changes is in each line: the kernel takes a second for a few thousand of them.
put buffer_size_kb 100
same 2 workload switches 200
opt funcgraph-proc funcgraph-tail funcgraph-overrun no-funcgraph-irqs
same 2 brief
opt funcgraph-abstime no-funcgraph-overhead funcgraph-irqs latency-format
same 2 brief
opt no-funcgraph-duration no-funcgraph-cpu
same 2 brief
opt no-context-info
same 2 brief
opt context-info no-latency-format funcgraph-duration funcgraph-cpu no-funcgraph-tail no-funcgraph-overrun
opt no-funcgraph-abstime no-funcgraph-proc funcgraph-overhead
put buffer_size_kb 300

t graph_with_events_as_comments
put events/sched/enable 1
put events/irq/enable 1
put events/syscalls/enable 1
same 10 brief
opt stacktrace
same 10 marks
opt no-stacktrace
put events/enable 0

t graph_of_a_few_functions
for f in do_sys_openat2 vfs_read schedule; do
	echo $f >> $T/set_graph_function
done
same 2 brief
echo > $T/set_graph_function

# recorded N: that many records are in the rings.
recorded() {
	[ "$(cat $B/per_cpu/cpu*/stats | awk '$1 == "entries:" { n += $2 } END { print n + 0 }')" -ge "$1" ]
}

for tracer in osnoise timerlat hwlat; do
	t $tracer
	if grep -qw $tracer $T/available_tracers; then
		put current_tracer $tracer
		[ $tracer != hwlat ] || put tracing_thresh 1
		same 1 wait_for recorded 6
		[ $tracer != hwlat ] || put tracing_thresh 0
		put current_tracer nop
	else
		skip-kernel "no $tracer"
	fi
done
