#!/bin/sh
# as: root user
# time: 300
# sonde stat: counts of programs with known numbers, and perf's own output beside ours.
. "$T_HERE/lib.sh"

need sonde workload perf

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
a=$(counted context-switches workload switches 0)
b=$(counted context-switches workload switches 500)
near $((b - a)) 500 10

t forks_are_followed
eq "$(counted sched:sched_process_fork workload forks 25)" 25
a=$(counted page-faults:u sh -c 'workload faults 0; true')
b=$(counted page-faults:u sh -c 'workload faults 1000; true')
near $((b - a)) 1000 5

t no_inherit
sonde stat -i -x, -e page-faults:u -o csv sh -c 'workload faults 1000; true'
[ "$(value csv page-faults:u)" -lt 900 ] && ok || fail "children were counted"

t threads_cpu_time
sonde stat -x, -e task-clock -o csv workload threads 3 200
near "$(value csv task-clock)" 600 30

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
sonde stat -I 100 -x, -e page-faults:u -o rows sh -c 'workload faults 300; sleep 0.3; workload faults 200'
total=$(awk -F, '$4 == "page-faults:u" && $2 + 0 == $2 { n += $2; rows++ } END { print n; print rows > "n" }' rows)
sonde stat -x, -e page-faults:u -o csv sh -c 'workload faults 300; sleep 0.3; workload faults 200'
near "$total" "$(value csv page-faults:u)" 2
[ "$(wc -l < rows)" -ge 5 ] && ok || fail "too few intervals"

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
sonde stat -x, -e "{$e}:W" -o csv workload shape 800
sed '/^#/d; /^$/d' csv | awk -F, '$5 < 100 { shared++ } $1 + 0 > 0 { n++ } END { exit !(shared && n == 12) }' && ok ||
	fail "nothing was multiplexed"
low=$(sed '/^#/d; /^$/d' csv | sort -n | head -n 1 | cut -d, -f1)
high=$(sed '/^#/d; /^$/d' csv | sort -n | tail -n 1 | cut -d, -f1)
near "$low" "$high" 25

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
workload shape 4000 &
p=$!
start=$(date +%s)
sonde stat -p $p -e task-clock -x, -o csv
eq $? 0
[ $(($(date +%s) - start)) -lt 30 ] && ok || fail "went on after the process"
[ -n "$(value csv task-clock)" ] && ok || fail "nothing counted"
wait $p

t threads_each_by_itself
workload threads 2 5000 &
p=$!
sleep 0.2
sonde stat --per-thread -p $p -e task-clock -x, -o csv sleep 0.3
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
	sh -c "echo \$\$ > $g/cgroup.procs; sleep 3; exec workload faults 2000" &
	p=$!
	sonde stat -a --cgroup stat_test -x, -e page-faults:u -o csv -- sleep 7
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

t sigterm_prints_what_was_counted
sonde stat -e task-clock workload shape 60000 2> err &
p=$!
sleep 4
kill $p
wait $p
has err '[0-9.]+ msec task-clock'

t wrong_usage_is_2
sonde stat --per-core true 2> err
eq $? 2
sonde stat -x, -j true 2> err
eq $? 2
