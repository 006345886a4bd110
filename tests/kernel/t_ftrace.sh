#!/bin/sh
# as: root
# time: 600
# kernels: 6.12
# also: 5.10
# sonde ftrace (perf's verbs): counts of a known workload, the same text and tables as perf, nothing left behind.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload perf

T=/sys/kernel/tracing
F=__arm64_sys_getppid

# json FIELD FILE: the first number of that name.
json() {
	sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2" | head -n 1
}

# buckets FILE: all calls in them.
buckets() {
	sed -n 's/.*"from_ns".*"count":\([0-9]*\).*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'
}

# Everything that a run may have changed.
state() {
	for f in current_tracer set_ftrace_filter set_ftrace_notrace set_graph_function set_graph_notrace set_ftrace_pid \
		max_graph_depth tracing_thresh trace_options tracing_cpumask tracing_on trace_clock; do
		echo "$f: $(cat $T/$f 2> /dev/null)"
	done
	# "7 (expanded: 1408)", and whole pages once it was used.
	awk '{ sub("^.*expanded: ", ""); print "about " int($1 / 64) * 64 }' $T/buffer_size_kb
	ls $T/instances
	cat $T/synthetic_events 2> /dev/null
}

# peer VERB...: perf's own output, in "theirs". It leaves these settings behind. When its command ends between its look at that
# and its poll without a time, it would wait for ever; a SIGINT then is what it needs.
peer() {
	/usr/bin/timeout -s INT --preserve-status 120 perf ftrace "$@" > theirs 2> theirs.err
	peer_status=$?
	[ $peer_status = 0 ] || cat theirs.err
	echo irq-info > $T/trace_options
	echo 1 > $T/tracing_on
	return $peer_status
}

# perf_has VERB: one that has it not would trace every function of the kernel while it looks for a command of that name; after
# that the emulator sometimes goes on calling the tracer from a function that is no longer traced.
perf_has() {
	perf ftrace -h 2>&1 | grep -q "[{|]$1[|}]"
}

state > state.before

# --- latency ---

t latency_counts_every_call
sonde ftrace latency -j -T $F -- workload syscalls 1000 > j 2> err
eq $? 0
eq "$(buckets j)" 1000
eq "$(sed -n "s/.*\"function\":\"$F\",\"count\":\([0-9]*\),.*/\1/p" j)" 1000

t latency_table_is_perfs
sonde ftrace latency -T $F -- workload syscalls 200 > ours 2> err
eq $? 0
has ours "^# $F: 200 calls  min .* p50 .* p95 .* p99 .* max "
if perf_has latency; then
	peer latency -T $F -- workload syscalls 200
	eq $? 0
	sed -n 's/|[^|]*|[^|]*|$//p' theirs > theirs.rows
	sed -n 's/|[^|]*|[^|]*|$//p' ours > ours.rows
	eq "$(wc -l < theirs.rows)" 23
	cmp theirs.rows ours.rows && ok || fail "other rows than perf's"
	eq "$(awk -F'|' '{ n += $2 } END { print n }' ours)" "$(awk -F'|' '{ n += $2 } END { print n }' theirs)"
else
	skip-kernel "this perf has no ftrace latency"
fi

t latency_buckets_of_ones_own
sonde ftrace latency -T $F --bucket-range 3 --min-latency 1 --max-latency 10 -x, -- workload syscalls 50 > csv 2> err
eq $? 0
eq "$(cut -d, -f1,2 csv | tr '\n' ' ')" "from_ns,to_ns 0,1000 1000,4000 4000,7000 7000,10000 10000, "
eq "$(awk -F, 'NR > 1 { n += $3 } END { print n }' csv)" 50
sonde ftrace latency -n -T $F --hide-empty -- workload syscalls 5 > out 2> err
has out '^ +[1248]+ - [0-9]+ +us \|'
eq "$(awk -F'|' 'NF > 2 && $2 + 0 == 0 && !/COUNT/' out | wc -l)" 0
sonde ftrace latency -T $F --min-latency 1 -- true 2> err
eq $? 2
has err 'need --bucket-range'
sonde ftrace latency -- true 2> err
eq $? 2
has err 'no function to measure'

# On kernels that have one function_graph only, that is the buffer which others have used before.
t what_others_traced_is_not_counted
echo 0 > $T/tracing_on
echo $F > $T/set_ftrace_filter
echo '*nanosleep*' >> $T/set_ftrace_filter
echo function_graph > $T/current_tracer
echo 1 > $T/tracing_on
workload syscalls 40
sleep 1000 &
sleeper=$!
# It is in its system call (nanosleep or clock_nanosleep), which returns while ours is traced.
within 60 grep -qE '^1(01|15) ' /proc/$sleeper/syscall || fail "it does not sleep: $(cat /proc/$sleeper/syscall)"
echo 0 > $T/tracing_on
eq "$(grep -c "$F()" $T/trace)" 40
mkfifo until_read
sonde ftrace latency -j -T $F -- busybox cat until_read > j 2> err &
ours=$!
# The pipe can be opened when it is being read; its end ends the command.
timeout 100 sh -c ". $T_HERE/lib_wait.sh; exec 3> until_read; kill $sleeper; within 60 is_over $sleeper" && ok || { fail "$(cat err)"; kill $ours; }
wait
eq "$(buckets j)" 0
sonde ftrace latency -j -T $F -- workload syscalls 7 > j 2> err
eq "$(buckets j)" 7
echo nop > $T/current_tracer
echo > $T/set_ftrace_filter
echo 1 > $T/tracing_on

# busybox' sleep sleeps in one of these.
S=$(sonde ftrace -F '__arm64_sys_*nanosleep' | sed 's/ .*//; s/^/-T /')

t latency_with_and_without_sleep
# The shortest of three: the machine may stand still in one of them.
naps='sleep 0.2; sleep 0.2; sleep 0.2'
sonde ftrace latency -j --inherit $S -- sh -c "$naps" > with 2> err
sonde ftrace latency -j --inherit --graph-opts nosleep-time $S -- sh -c "$naps" > without 2> err
a=$(json min_ns with) b=$(json min_ns without)
[ "${a:-0}" -ge 200000000 ] && ok || fail "slept for ${a:-nothing} ns, not for 200 ms"
[ "${b:-999999999}" -lt 100000000 ] && ok || fail "without its sleep it took ${b:-nothing} ns"

# has_read N: so many events have been read from all rings, the top one (of kernels that have one function_graph) and ours.
has_read() {
	events_read=$(cat $T/per_cpu/*/stats $T/instances/*/per_cpu/*/stats 2> /dev/null |
		awk '/^read events:/ { n += $3 } END { print n + 0 }')
	[ "$events_read" -ge "$1" ]
}

t latency_of_a_process
is_graphed() {
	grep -qs function_graph $T/current_tracer $T/instances/*/current_tracer
}
has_read 0
before=$events_read
mkfifo go
sh -c 'read x < go; exec workload syscalls 1000000000' &
p=$!
sonde ftrace latency -j -p $p -T $F > j 2> err &
ours=$!
# The kernel has patched the function before it is called: an emulator may go on with the old code of one that is running.
within 100 is_graphed || fail "it does not trace: $(cat err)"
echo > go
within 100 has_read $((before + 500)) || fail "nothing was read"
kill -INT $ours
wait $ours
[ "$(buckets j)" -gt 100 ] && ok || fail "$(buckets j) calls: $(cat err)"
kill $p
wait $p 2> /dev/null

t latency_from_event_to_event
sonde ftrace latency --from raw_syscalls:sys_enter --to raw_syscalls:sys_exit --key common_pid -j -- workload syscalls 300 > j 2> err
eq $? 0
n=$(buckets j)
[ "$n" -ge 300 ] && [ "$n" -le 340 ] && ok || fail "$n system calls, not 300 and some"
sonde ftrace latency -a -e sched:sched_waking,sched:sched_switch --key pid --to-key next_pid -- workload switches 500 > out 2> err
has out '^# sched:sched_waking => sched:sched_switch: [0-9]{3,} times  min '
sonde ftrace latency --from sched:sched_waking --to sched:sched_switch --key nxet_pid -- true > out 2> err
eq $? 1
has err "has no field 'nxet_pid'"
sonde ftrace latency --from sched:sched_wakin --to sched:sched_switch -- true > out 2> err
eq $? 1
has err sched_waking
sonde ftrace latency --from sched:sched_waking -- true > out 2> err
eq $? 2

# --- profile ---

t profile_counts_and_names
sonde ftrace funcprofile -G $F -x, -- workload syscalls 500 > csv 2> err
eq $? 0
has csv '^function,tid,count,total,self,avg,min,max,p50,p95,p99$'
eq "$(awk -F, -v f=$F '$1 == f { print $3 }' csv)" 500
eq "$(awk -F, '$1 == "__task_pid_nr_ns" { print $3 }' csv)" 500
awk -F, -v f=$F '$1 == f { exit !($5 > 0 && $5 < $4 && $7 <= $9 && $9 <= $10 && $10 <= $11 && $11 <= $8) }' csv && ok ||
	fail "$(grep $F csv)"

t profile_self_is_total_without_callees
sonde ftrace funcprofile -G $F -T $F -T __task_pid_nr_ns -x, -- workload syscalls 100 > csv 2> err
awk -F, -v f=$F '$1 == f { t = $4; s = $5 } $1 == "__task_pid_nr_ns" { c = $4 } END { exit !(c && t - c == s) }' csv && ok ||
	fail "$(cat csv)"

t profile_table_is_perfs
ln -sf "$(command -v sonde)" perf
./perf ftrace profile -T $F -- workload syscalls 100 > ours 2> err
eq $? 0
has ours '^ +[0-9]+\.[0-9]{3} +[0-9]+\.[0-9]{3} +[0-9]+\.[0-9]{3} +100   __arm64_sys_getppid$'
if perf_has profile; then
	peer profile -T $F -- workload syscalls 100
	eq $? 0
	sed 's/[0-9]*\.[0-9]*/T/g; s/  */ /g' ours > ours.plain
	sed 's/[0-9]*\.[0-9]*/T/g; s/  */ /g' theirs | cmp - ours.plain && ok || fail "not perf's table"
	# A time of a second is wider than its column: where the machine stood still in a call.
	grep -qE '[0-9]{7}\.' ours theirs ||
		eq "$(awk '{ print length($0) }' ours | tr '\n' ' ')" "$(awk '{ print length($0) }' theirs | tr '\n' ' ')"
fi

t profile_sorts
sonde ftrace funcprofile -T "__arm64_sys_*" -s count -x, -- workload syscalls 300 > csv 2> err
eq "$(awk -F, 'NR == 2 { print $1, $3 }' csv)" "$F 300"
sonde ftrace funcprofile -T $F -s nothing -- true 2> err
eq $? 2

# --- text ---

# plain FILE: without what differs from run to run; that the CPU is wanted by another task (N, n, p) is by chance.
plain_function() {
	sed 's/^ *[^ ]*-[0-9]* */TASK /; s/\[[0-9]*\]/[CPU]/; s/\(\[CPU\] .\)[NnpLlB]/\1./; s/ *[0-9]*\.[0-9]*:/ TIME:/' "$1"
}

t function_text_is_perfs
sonde ftrace -T $F -- workload syscalls 10 > ours 2> err
eq $? 0
peer -T $F -- workload syscalls 10
plain_function theirs > theirs.plain
plain_function ours > ours.plain
eq "$(grep -c "$F <-" ours)" 10
diff theirs.plain ours.plain && ok || fail "not perf's text"
p=$(sed -n 's/.*-\([0-9]*\) *\[.*/\1/p' ours | sort -u | wc -l)
eq "$p" 1

t function_text_with_stacks_and_flags
sonde ftrace -T $F --func-opts call-graph,irq-info -- workload syscalls 3 > ours 2> err
eq $? 0
peer -T $F --func-opts call-graph,irq-info -- workload syscalls 3
plain_function theirs | sed '/^#/d; s/^TASK .* TIME/TASK TIME/' > theirs.plain
plain_function ours | sed '/^#/d; s/^TASK .* TIME/TASK TIME/' > ours.plain
diff theirs.plain ours.plain && ok || fail "not perf's text"

# A call and its return are one line where nothing came between them in the ring: a matter of chance on a busy machine.
folded() {
	awk '/ \{$/ { if (held != "") print held; name = $(NF - 1); held = $0; next }
		held != "" && /TIME \|  *\}$/ { sub(/\}$/, name ";"); held = "" }
		held != "" { print held; held = "" }
		{ print }'
}

# graph FILE: the lines of these functions and their ends, interrupts left out, which may come anywhere; without times.
graph() {
	awk -v f="$F" '
		/^#/ { print; next }
		/\{$/ { keep[++n] = index($0, f) || /__task_pid_nr_ns/; if (keep[n]) print; next }
		/\}( \/\*.*)?$/ { if (n > 0 && keep[n--]) print; next }
		index($0, f) || /__task_pid_nr_ns/' "$1" |
		sed 's/^ *[0-9]*)/CPU)/; s/^CPU) .* us *|/CPU) TIME |/; s/ \/\* .* \*\/$//' | folded
}

t graph_text_is_perfs
sonde ftrace -G $F -- workload syscalls 20 > ours 2> err
eq $? 0
peer -G $F -- workload syscalls 20
eq "$(grep -c "$F() {" ours)" 20
graph theirs > theirs.plain
graph ours > ours.plain
diff theirs.plain ours.plain && ok || fail "not perf's text"

t graph_text_verbose_and_depth
sonde ftrace -G $F --graph-opts verbose,depth=1 -- workload syscalls 5 > ours 2> err
eq $? 0
peer -G $F --graph-opts verbose,depth=1 -- workload syscalls 5
for f in ours theirs; do
	sed 's/^ *[0-9.]* |  *[0-9]*) *[^ ]*-[0-9]* *|/WHO |/; s/| [-+!#*@$ ] *[0-9][0-9.]* us */| TIME /; s/| *[d.][^ |]* *|/| FLAGS |/' \
		$f | folded > $f.plain
done
eq "$(grep -c "| TIME |  $F();" ours.plain)" 5
diff theirs.plain ours.plain && ok || fail "not perf's text"

t graph_threshold
sonde ftrace -G do_sys_openat2 -G $F --graph-opts thresh=900000000 -- workload syscalls 5 > ours 2> err
eq $? 0
eq "$(grep -c "$F" ours)" 0

t tracer_that_is_named_is_taken
sonde ftrace -t function_graph -T $F -- workload syscalls 2 > ours 2> err
# In two lines where the reader came in between.
eq "$(grep -c "us *|  $F();\||  $F() {" ours)" 2

t list_of_functions
sonde ftrace -F '*_getppid' > out 2> err
has out "^$F$"
eq "$(sonde ftrace -F | wc -l)" "$(wc -l < $T/available_filter_functions)"

t delay
# No call before that time is over, counted from before the start; the command waits for the tracing, however late it comes.
now_ts() {
	sed -n 's/^now ts: *//p' $T/per_cpu/cpu0/stats
}
before=$(now_ts)
sonde ftrace -D 2000 --inherit -T $F -- \
	sh -c "workload syscalls 5; . $T_HERE/lib_wait.sh; within 100 grep -q 1 $T/instances/*/tracing_on; exec workload syscalls 7" \
	> out 2> err
n=$(grep -c "$F <-" out)
[ "$n" -ge 7 ] && ok || fail "$n calls, not 7: $(cat err)"
first=$(sed -n "s/.* \([0-9.]*\): $F <-.*/\1/p" out | head -n 1)
awk -v b="$before" -v f="$first" 'BEGIN { exit !(f >= b + 2) }' && ok || fail "a call at $first, started at $before"

t children_only_when_asked_for
sonde ftrace -T $F -- sh -c 'workload syscalls 50; true' > out 2> err
[ "$(grep -c "$F <-" out)" -lt 10 ] && ok || fail "children were traced"
sonde ftrace --inherit -T $F -- sh -c 'workload syscalls 50; true' > out 2> err
[ "$(grep -c "$F <-" out)" -ge 50 ] && ok || fail "children were not traced"

t cpu_list
sonde ftrace -C 1 -T '__arm64_sys_*' -- sh -c 'i=0; while [ $i -lt 20 ]; do taskset 1 true; taskset 2 true; i=$((i+1)); done' > out 2> err
[ "$(grep -c '\[001\]' out)" -gt 10 ] && ok || fail "nothing of CPU 1"
eq "$(grep -c '\[000\]' out)" 0

t exit_status_and_errors
sonde ftrace -T $F -- sh -c 'exit 3' > out 2> err
eq $? 3
sonde ftrace -T $F -- /no/such/command > out 2> err
eq $? 1
has err '/no/such/command'
sonde ftrace -G no_such_function_x -- true > out 2> err
eq $? 1
has err no_such_function_x
sonde ftrace -T __arm64_sys_getpp1d -- true > out 2> err
eq $? 1
has err "$F"
sonde ftrace -t blk -- true > out 2> err
eq $? 2
sonde ftrace --graph-opts depht=3 -- true > out 2> err
eq $? 2
has err "unknown option 'depht'"

t losses_are_told
sonde ftrace -a -m 1K -- workload forks 20 > out 2> err
has err 'events were lost'

t a_reader_that_goes_away_ends_it
{
	timeout -s KILL 240 sonde ftrace -a 2> err
	echo $? > status
} | head -n 5 > out
eq "$(wc -l < out)" 5
[ "$(cat status)" -lt 124 ] && ok || fail "it went on: $(cat err)"

# --- the notes' command lines, through the name perf ---

t notes
# What the function is for: a signal.
signals='trap : USR1; for i in 1 2 3 4 5; do kill -USR1 $$; done; sleep 0.5'
if grep -q '^do_notify_resume' $T/available_filter_functions; then
	./perf ftrace -t function_graph -a -G do_notify_resume -- sh -c "$signals" > out 2> err
	eq $? 0
	has out '\|  do_notify_resume\(\) \{$'
	./perf ftrace -t function -a -T do_notify_resume -- sh -c "$signals" > out 2> err
	eq $? 0
	has out ': do_notify_resume <-'
else
	./perf ftrace -t function_graph -a -G do_notify_resume -- sleep 1 > out 2> err
	eq $? 255
	has err do_notify_resume
fi
./perf ftrace -G _netif_receive_skb_list_core -g 'smp*' > out 2> err
eq $? 255
has err __netif_receive_skb_list_core
./perf ftrace -a -G '*netif_receive_skb*' -g 'smp*' -- busybox ping -c 1 -W 60 127.0.0.1 > out 2> err
eq $? 0
has out 'netif_receive_skb'

t nothing_is_left_behind
state > state.after
diff state.before state.after && ok || fail "settings have changed"
# ended_by SIGNAL ARGUMENT...: once it reads its signals itself: before, the shell's background jobs know no SIGINT.
ended_by() {
	signal=$1
	shift
	sonde ftrace "$@" > out 2> err &
	within 100 taken_over $! && kill -s "$signal" $! || { fail "it does not begin: $(cat err)"; kill -KILL $!; }
	wait $!
}
ended_by INT -a -G vfs_read --graph-opts verbose,noirqs,depth=3
ended_by TERM latency -a -T schedule
ended_by HUP funcprofile -a -T vfs_read
state > state.after
diff state.before state.after && ok || fail "settings have changed after signals"
