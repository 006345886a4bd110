#!/bin/sh
# as: root user
# time: 600
# kernels: 5.10 6.12
# also: 6.1-rt
# sonde stat: counts of programs with known numbers, and perf's own output beside ours.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload perf

# From memory: how many pages one fault maps where they come over 9p depends on what has arrived.
cp "$(command -v workload)" .
PATH=$PWD:$PATH

# value FILE EVENT: the count in a CSV file.
value() {
	awk -F, -v e="$2" '$3 == e { print $1; exit }' "$1"
}

# counted EVENTS COMMAND...: the first event's count.
counted() {
	ev=$1
	shift
	sonde stat -x, -e "$ev" -o counted.csv -- "$@" > out 2> err
	sed '/^#/d; /^$/d' counted.csv | head -n 1 | cut -d, -f1
}

near() {
	awk -v g="$1" -v w="$2" -v p="$3" 'BEGIN { d = g > w ? g - w : w - g; exit !(d <= w * p / 100) }' && ok ||
		fail "got $1, not within $3 % of $2"
}

if [ "$T_AS" = user ]; then
	level=$(cat /proc/sys/kernel/perf_event_paranoid)
	if [ "$level" -gt 2 ]; then
		t no_permission_is_said_with_advice
		sonde stat true 2> err
		eq $? 1
		has err "no permission: kernel.perf_event_paranoid is $level"
		has err 'sysctl kernel.perf_event_paranoid='
	else
		t user_space_only_is_marked
		sonde stat -e cycles,page-faults workload faults 100 2> err
		eq $? 0
		has err ' page-faults:u '
	fi
	t whole_system_needs_more
	sonde stat -a sleep 0.1 2> err
	eq $? 1
	has err 'no permission'
	t process_of_another_user
	sonde stat -p 1 -e page-faults:u sleep 0.1 2> err
	eq $? 1
	has err 'no permission'
	t no_counters_needed_for_a_null_run
	sonde stat -n true 2> err
	eq $? 0
	has err 'seconds time elapsed'
	exit 0
fi

t page_faults_are_exact
a=$(counted page-faults:u workload faults 0)
b=$(counted page-faults:u workload faults 1000)
# Two runs: where the stack lies moves, and a page or two with it.
d=$((b - a))
[ $d -ge 996 ] && [ $d -le 1004 ] && ok || fail "$d page faults, not 1000"

t system_calls_are_exact
a=$(counted raw_syscalls:sys_enter workload syscalls 0)
b=$(counted raw_syscalls:sys_enter workload syscalls 5000)
eq $((b - a)) 5000

t context_switches
# A timer may end before the task sleeps, and others may take the CPU: what the kernel says of the process is what is wanted.
n=$(counted context-switches busybox time -v workload switches 500)
want=$(switches_of err)
[ "$want" -ge 50 ] && ok || fail "$want context switches: $(cat err)"
near "$n" "$want" 10

t forks_are_followed
eq "$(counted sched:sched_process_fork workload forks 25)" 25
a=$(counted page-faults:u sh -c 'workload faults 0; true')
b=$(counted page-faults:u sh -c 'workload faults 1000; true')
near $((b - a)) 1000 5

t no_inherit
sonde stat -i -x, -e page-faults:u -o csv sh -c 'workload faults 1000; true'
[ "$(value csv page-faults:u)" -lt 900 ] && ok || fail "children were counted"

t threads_cpu_time
# At least what the threads wait for. More where the machine stood still: as much as the kernel says of the process.
sonde stat -x, -e task-clock -o csv busybox time -v workload threads 3 200 2> rusage
n=$(value csv task-clock)
[ "${n%.*}" -ge 570 ] && ok || fail "$n ms for three threads of 200 ms"
near "$n" "$(awk '/(User|System) time/ { n += $NF * 1000 } END { print n }' rusage)" 15

t same_lines_as_perf
shape() {
	sed 's/[0-9][0-9.,]*/N/g; s/  */ /g; s/[KMG]\/sec/\/sec/; s/ *$//' "$1"
}
sonde stat -e task-clock,page-faults,cycles workload faults 10 2> ours
perf stat -e task-clock,page-faults,cycles workload faults 10 2> theirs
shape ours > ours.shape
shape theirs > theirs.shape
diff ours.shape theirs.shape && ok || fail "not as perf prints it"

t same_csv_fields_as_perf
for o in "-x," "-x, -r 2" "-x, -a -A" "-x, -a --per-core" "-x, -a --per-socket"; do
	sonde stat $o -e page-faults,cycles -o ours sleep 0.1
	perf stat $o -e page-faults,cycles -o theirs sleep 0.1
	fields() {
		sed '/^#/d; /^$/d' "$1" | awk -F, '{ n = NF; gsub(/[0-9.]+/, "N"); gsub(/,[KMG]\/sec/, ",/sec"); print n ": " $0 }'
	}
	fields ours > ours.fields
	fields theirs | sed 's/ \[software\]//' > theirs.fields
	diff ours.fields theirs.fields && ok || fail "stat $o is not as perf prints it"
done

t same_json_keys_as_perf
if perf stat -j -e task-clock true 2> theirs; then
	sonde stat -j -e task-clock true 2> ours
	grep -o '"[a-z-]*" :' ours > ours.keys
	grep -o '"[a-z-]*" :' theirs > theirs.keys
	diff ours.keys theirs.keys && ok || fail "keys differ"
else
	skip-kernel "its perf has no JSON output"
fi

t intervals_add_up
# The command stands still between its two halves: for some intervals, and for nothing at all.
mkfifo go
halves='workload faults 300; read x < go; workload faults 200'
{ within 100 has_lines rows page-faults 3; echo > go; } &
sonde stat -I 100 -x, -e page-faults:u -o rows sh -c "$halves"
wait
total=$(awk -F, '$4 == "page-faults:u" && $2 + 0 == $2 { n += $2; rows++ } END { print n; print rows > "n" }' rows)
echo > go &
sonde stat -x, -e page-faults:u -o csv sh -c "$halves"
wait
near "$total" "$(value csv page-faults:u)" 2
has_lines rows page-faults 4 && ok || fail "too few intervals: $(cat rows)"

t interval_count_ends_it
sonde stat -a -I 50 --interval-count 3 -x, -e page-faults -o rows
eq "$(grep -c page-faults rows)" 3

t repeat_shows_mean_and_deviation
sonde stat -r 4 -e page-faults,task-clock workload faults 100 2> err
has err "stats for 'workload faults 100' \(4 runs\):"
has err 'task-clock .*\( \+- *[0-9.]+% \)'
has err '[0-9.]+ \+- [0-9.]+ seconds time elapsed'

t group_is_counted_together
sonde stat -x, -e '{cycles,page-faults}' -o csv workload shape 100
[ "$(value csv cycles)" -gt 0 ] && ok || fail "no cycles"
eq "$(awk -F, '$3 == "cycles" { print $4 }' csv)" "$(awk -F, '$3 == "page-faults" { print $4 }' csv)"

t group_too_large_says_so
e=r11
for i in 1 2 3 4 5 6 7 8 9 10 11; do e=$e,r11; done
sonde stat -e "{$e}" true 2> err
eq $? 0
has err '<not counted> +r11 '
has err 'not counted: the PMU cannot count all of them'

t weak_group_is_split_and_scaled
# So much work, not so much time: all of it may go by while the machine stands still. Then what an event has counted in its turns
# is off, but it is scaled by just its time: value, percent, raw value, times enabled and running.
sonde stat -v -x, -e "{$e}:W" -o csv workload syscalls 300000 2> err
sed -n 's/^r11: \([0-9]* [0-9]* [0-9]*\)$/\1/p' err > raw
sed '/^#/d; /^$/d' csv | cut -d, -f1,5 | tr , ' ' | paste -d ' ' - raw > scaled
awk '$2 < 100 { shared++ } $5 > 0 { d = $1 - $3 * $4 / $5; most = $1 / 1e6 + 1; n += $1 > 0 && d * d <= most * most }
	END { exit !(shared && n == 12) }' scaled && ok || fail "not multiplexed, or not scaled by the time: $(cat scaled)"

t not_supported_is_said_once_with_the_reason
sonde stat -e LLC-loads,LLC-load-misses,page-faults workload faults 10 2> err
eq $? 0
has err '<not supported> +LLC-loads '
has err 'LLC-loads: not supported .*\(and 1 more\)'
eq "$(grep -c ': not supported' err)" 1

t metrics
sonde stat --topdown workload shape 100 2> err
has err '# +[0-9.]+% frontend_bound'
has err '# +[0-9.]+% backend_bound'
sonde stat -M nonsense true 2> err
has err "unknown metric 'nonsense'"

t process_that_dies_ends_the_run
workload shape 600000 &
p=$!
sonde stat -p $p -e task-clock -x, -o csv &
stat=$!
within 100 counting $stat && runs_on /proc/$p/stat 20
kill $p
within 60 is_over $stat && ok || fail "went on after the process"
kill $stat 2> /dev/null
wait $stat
eq $? 0
[ -n "$(value csv task-clock)" ] && ok || fail "nothing counted"
wait $p

t threads_each_by_itself
workload threads 2 600000 &
p=$!
named() {
	[ "$(cat /proc/$p/task/*/comm 2> /dev/null | grep -c '^worker-')" = 2 ]
}
within 60 named
set -- $(grep -l '^worker-' /proc/$p/task/*/comm)
sonde stat --per-thread -p $p -e task-clock -x, -o csv \
	sh -c ". $T_HERE/lib_wait.sh; runs_on ${1%comm}stat 10; runs_on ${2%comm}stat 10"
kill $p
wait $p
eq "$(grep -c '^worker-[01]-[0-9]*,[0-9.]*,msec,task-clock,' csv)" 2

t each_cpu_has_a_row
sonde stat -a -A -x, -e cpu-clock -o csv sleep 0.2
eq "$(grep -c '^CPU[0-9]*,[0-9.]*,msec,cpu-clock,' csv)" "$(nproc)"

t control_group
g=/sys/fs/cgroup/stat_test
if mkdir $g 2> /dev/null; then
	echo +memory > /sys/fs/cgroup/cgroup.subtree_control 2> /dev/null
	rmdir $g
	mkdir $g
	# It begins when the counters run, and they run until it is done.
	mkfifo begin
	sh -c "echo \$\$ > $g/cgroup.procs; read x < begin; workload faults 2000; : > done" &
	p=$!
	sonde stat -a --cgroup stat_test -x, -e page-faults:u -o csv -- \
		sh -c ". $T_HERE/lib_wait.sh; echo > begin; within 100 [ -e done ]"
	wait $p
	has csv '^[0-9]+,,page-faults:u,stat_test,'
	n=$(awk -F, '$3 == "page-faults:u" { print $1 }' csv)
	[ "$n" -ge 2000 ] && [ "$n" -lt 3000 ] && ok || fail "$n page faults"
	rmdir $g
else
	skip-kernel "no control groups"
fi

t exit_status_is_passed_on
sonde stat -e page-faults workload exit 7 2> err
eq $? 7
sonde stat -e page-faults /no/such/command 2> err
eq $? 1
has err "cannot run '/no/such/command'"

t timeout_is_no_failure
sonde stat -e task-clock --timeout 300 workload shape 20000 2> err
eq $? 0
has err 'task-clock'

# It comes while the command is being ended for the timeout: no other run follows.
t sigterm_between_two_runs
cat > stubborn << 'END'
echo run >> runs
trap 'kill -TERM $PPID; sleep 0.1; exit' TERM
while :; do sleep 0.05; done
END
sonde stat -r 30 --timeout 1000 -e task-clock sh ./stubborn 2> err
n=$(wc -l < runs)
[ "$n" -ge 1 ] && [ "$n" -lt 30 ] && ok || fail "$n runs: $(cat err)"

t sigterm_prints_what_was_counted
sonde stat -e task-clock workload shape 60000 2> err &
p=$!
within 120 child_has_run $p 20
kill $p
wait $p
has err '[0-9.]+ msec task-clock'

t wrong_usage_is_2
sonde stat --per-core true 2> err
eq $? 2
sonde stat -x, -j true 2> err
eq $? 2

t filters_of_tracepoints
# Of 50 forks, those by the workload itself.
sonde stat -x, -e sched:sched_process_fork --filter 'parent_comm == "workload"' -o mine -- workload forks 50
eq "$(value mine sched:sched_process_fork)" 50
sonde stat -x, -e sched:sched_process_fork --filter 'parent_comm == "nobody"' -o none -- workload forks 50
eq "$(value none sched:sched_process_fork)" 0
sonde stat -e sched:sched_process_fork --filter 'nofield == 1' true 2> err
eq $? 1
has err "the kernel refused the filter 'nofield == 1' of sched:sched_process_fork"
