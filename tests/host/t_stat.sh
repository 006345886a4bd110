#!/bin/sh
# as: root user
# time: 400
# sonde stat on this machine, often without counters and locked down: software events, and perf beside it where there is one.
. "$T_HERE/lib.sh"

need sonde workload

level=$(cat /proc/sys/kernel/perf_event_paranoid 2> /dev/null || echo 9)
if [ "$level" -gt 2 ] && [ "$T_AS" = user ]; then
	t no_permission_is_said_with_advice
	sonde stat true 2> err
	eq $? 1
	has err "perf_event_paranoid is $level"
	exit 0
fi

# value FILE EVENT
value() {
	awk -F, -v e="$2" '$3 == e { print $1; exit }' "$1"
}

# counted EVENT COMMAND...
counted() {
	ev=$1
	shift
	sonde stat -x, -e "$ev" -o counted.csv -- "$@" > out 2> err
	value counted.csv "$ev"
}

t page_faults_are_exact
a=$(counted page-faults:u workload faults 0)
b=$(counted page-faults:u workload faults 1000)
# Where the stack and the libraries lie moves from run to run, and a page or two with it.
d=$((b - a))
[ $d -ge 996 ] && [ $d -le 1004 ] && ok || fail "$d page faults, not 1000"

t default_set_names_what_is_missing
sonde stat true 2> err
eq $? 0
has err '^ Performance counter stats for .true.:$'
has err ' page-faults'
has err '^ +[0-9.]+ seconds time elapsed$'
if [ ! -e /sys/bus/event_source/devices/cpu ] && ! ls /sys/bus/event_source/devices/*/cpus > /dev/null 2>&1; then
	has err '<not supported> +cycles'
	has err 'cycles: not supported: the machine shows no hardware counters'
fi

t exit_status_is_passed_on
sonde stat -e page-faults:u workload exit 7 2> err
eq $? 7

t null_run
sonde stat -n -r 3 true 2> err
has err '\(3 runs\)'
has err '\+- [0-9.]+ seconds time elapsed'

t append_to_a_file
sonde stat -o file -e page-faults:u true
sonde stat -o file --append -e page-faults:u true
eq "$(grep -c 'Performance counter stats' file)" 2
has file '^# started on '

t digits_and_where_to
sonde stat -e page-faults:u -o grouped workload faults 2000
sonde stat -e page-faults:u --no-big-num -o plain workload faults 2000
has grouped '^ +[0-9],[0-9][0-9][0-9] +page-faults:u'
has plain '^ +[0-9][0-9][0-9][0-9] +page-faults:u'
sonde stat --no-big-num --big-num -e page-faults:u --log-fd 3 workload faults 2000 3> grouped 2> err
has grouped '^ +[0-9],[0-9][0-9][0-9] +page-faults:u'
[ ! -s err ] && ok || fail "$(cat err)"
# That is for files of -o.
grep -q '# started' grouped && fail "a date" || ok
sonde stat --log-fd 3x -e page-faults:u true 2> err
eq $? 1
has err "^sonde: --log-fd: '3x' is not a descriptor"

# added NAME < CSV: what it counts beyond NAME.set, which is that of the first time
added() {
	sed '/^#/d; /^$/d' | cut -d, -f3 | sed 's/:u$//' > set
	[ -e "$1.set" ] || cp set "$1.set"
	grep -vxFf "$1.set" set > "$1"
}

t more_of_the_default_set
for o in '' -d -dd -ddd '--detailed --detailed'; do
	sonde stat -x, $o true 2>&1 | added ours
	perf stat -x, $o true 2>&1 | added theirs
	wc -l < ours >> sizes
	! command -v perf > /dev/null || eq "$(cat ours)" "$(cat theirs)"
done
eq "$(tr '\n' ' ' < sizes)" "0 4 10 12 10 "
has ours '^iTLB-load-misses$'

t metrics_by_name
sonde stat --metric nosuch true 2> err
eq $? 1
has err "metric 'nosuch'"

t wrong_usage_is_2
sonde stat --interval-count 3 true 2> err
eq $? 2

t intervals_have_a_sum
sonde stat -I 40 --summary -x, -e page-faults,duration_time -o sums -- sh -c 'for i in 1 2 3 4; do workload faults 100; sleep 0.04; done'
awk -F, '{ sub(/:u$/, "", $4) } $4 == "page-faults" && $1 != "summary" { n += $2; rows++ } $1 == "summary" && $4 == "page-faults" { sum = $2 }
	END { exit n != sum || sum < 400 || rows < 2 }' sums && ok || { cat sums; fail "the sum is another one"; }
sonde stat -I 40 --summary --no-csv-summary -x, -e page-faults -o sums sleep 0.1
tail -n 1 sums > last
has last '^[0-9]+,,page-faults(:u)?,'
sonde stat -I 40 --summary -j -e page-faults -o sums sleep 0.1
tail -n 1 sums > last
has last '^[{]"counter-value"'
sonde stat --summary true 2> err
eq $? 2
has err 'summary is of the intervals of -I'

t times_are_events
sonde stat -e duration_time,user_time,system_time -o times -- workload faults 100
# Those of the lines below the table.
awk 'function far(a, b) { return a - b > 1 || b - a > 1 }
	{ gsub(",", "") } $3 == "duration_time" { d = $1 } $3 == "user_time" { u = $1 } $3 == "system_time" { s = $1 }
	/time elapsed/ { bad += far($1 * 1e9, d) } / user$/ { bad += far($1 * 1e9, u) } / sys$/ { bad += far($1 * 1e9, s); n++ }
	END { exit bad || n != 1 || !d }' times && ok || { cat times; fail "not the times below"; }
sonde stat -x, -e '{duration_time,page-faults:u}' -o times -- workload faults 1000
eq "$(cut -d, -f3 times | tr '\n' ' ' | sed 's/^[# ].*  *d/d/; s/^ *//')" "duration_time page-faults:u "
[ "$(value times page-faults:u)" -ge 1000 ] && ok || { cat times; fail "the group's other event was not counted"; }

t derived_values_alone
sonde stat --metric-only -e cycles,instructions -x, -o only -- true
has only '^insn per cycle,$'
sonde stat --metric-only -e cycles,instructions -j -o only -- true
python3 -c 'import json, sys; d = json.loads(open("only").read()); sys.exit(list(d) != ["insn per cycle"])' && ok || fail "not an object with its name"

t commands_around_each_run
sonde stat -r 2 -e page-faults:u --pre 'echo before >> order' --post 'echo behind >> order' -- sh -c 'echo run >> order' 2> err
eq "$(tr '\n' ' ' < order)" "before run behind before run behind "
sonde stat --pre 'exit 3' -- sh -c 'echo run > started' 2> err
eq $? 1
has err "pre 'exit 3' ended with status 3"
[ -e started ] && fail "the command ran all the same" || ok

t counting_is_told_when
mkfifo ctl ack go
exec 7<> ctl 8<> ack
sonde stat --control fifo:ctl,ack -D -1 -x, -e page-faults:u,duration_time -o told -- sh -c 'read x < go; workload faults 1200' 2> err &
# asked WORD: and wait for the answer
asked() {
	echo "$1" >&7
	read -r answer <&8
	eq "$answer" ack
}
asked ping
asked enable
asked disable
echo what >&7
asked ping
echo > go
wait
# Off all the time, but for a moment.
awk -F, '$3 == "page-faults:u" { exit !($1 < 400 || $1 == "<not counted>") }' told && ok || { cat told; fail "counted what was to be left out"; }
has err "'what' is none of enable, disable, ping, stop"
sonde stat --control fifo:ctl,ack -e page-faults:u -o told -- sleep 1000 2> err &
asked stop
wait $!
eq $? 0
exec 7>&- 8>&-
for how in fd:x fd:3,y fifo: fifo:order pipe:3; do
	sonde stat --control $how true 2> err
	eq $? 1
	has err 'control: '
done

t sides_of_all_events
sonde stat --all-user -vv -e page-faults,context-switches true 2> err
eq "$(grep -c 'exclude_kernel *1' err)" 2
[ "$T_AS" != root ] || { sonde stat --all-kernel -vv -e page-faults,context-switches true 2> err; eq "$(grep -c 'exclude_user *1' err)" 2; }
sonde stat --all-user --all-kernel true 2> err
eq $? 2
sonde stat -e page-faults --filter 'a==1' true 2> err
has err "'page-faults' is no tracepoint"
sonde stat --filter 'a==1' true 2> err
has err 'stands before any -e'

t attributes_for_perfs_tests
mkdir attrs
PERF_TEST_ATTR=$PWD/attrs sonde stat -e page-faults:u true 2> err
f=$(ls attrs/event-1-2-[0-9]*)
eq "$(head -n 1 "$f")" "[${f#attrs/}]"
for l in group_fd=-1 cpu=-1 type=1 config=2 disabled=1 inherit=1 exclude_user=0 exclude_kernel=1 enable_on_exec=1 precise_ip=0 mmap=0; do
	has "$f" "^$l\$"
done
eq "$(grep -c '=' "$f")" 46

# shown FILE: what is shown of a recording, without numbers and what versions of perf lay out in different ways
shown() {
	sed '/Performance counter/d; s/time CPU/time cpu/; s/[0-9][0-9.,]*/N/g; s/  */ /g; s/[KMG]\/sec/\/sec/; s/# N CPUs utilized//; s/# N \/sec//; s/(N%)//; s/ *$//; s/duration_time:u/duration_time/' "$1"
}

# recorded OPTION...: the recordings of both, read by both, show the same of the same command
recorded() {
	sonde stat record -o ours.data "$@" > /dev/null 2> err
	eq $? 0
	sonde stat report -i ours.data > ours 2>&1
	[ -s ours ] && ok || fail "$*: nothing was shown"
	command -v perf > /dev/null || return 0
	perf stat record -o theirs.data "$@" > /dev/null 2> err
	sonde stat report -i theirs.data > ours.theirs 2>&1
	perf stat report -i ours.data > theirs.ours 2>&1
	perf stat report -i theirs.data > theirs 2>&1
	for f in ours ours.theirs theirs.ours; do
		shown $f > one
		shown theirs > other
		diff one other > differ && ok || fail "$*: $f: $(cat differ)"
	done
}

t every_thread_of_the_machine
sonde stat -C 0 --per-thread -e task-clock:u sleep 0.1 2> out && fail "threads of one CPU" || has out 'per-thread is for threads'
workload threads 2 600000 &
p=$!
while [ "$(cat /proc/$p/task/*/comm 2> /dev/null | grep -c worker)" -lt 2 ]; do sleep 0.01; done
sonde stat -a --per-thread -e task-clock:u -x, -o csv sleep 0.3 2> err
status=$?
kill $p
if [ "$T_AS" = root ]; then
	eq $status 0
	# As perf: who did nothing has no row.
	[ "$(grep -c '^ *worker-[01]-[0-9]*,[0-9.]*,msec,task-clock' csv)" = 2 ] && ok || fail "$(cat csv)"
	[ "$(awk -F, '$5 == 0' csv | wc -l)" = 0 ] && [ "$(wc -l < csv)" -lt "$(ls -d /proc/[0-9]*/task/* | wc -l)" ] && ok || fail "$(wc -l < csv) rows"
	sonde stat -a --per-thread -e task-clock:u sleep 0.1 2> out
	has out "stats for 'system wide'"
else
	has err 'no permission'
fi

t kept_counts
recorded -e page-faults:u,cycles:u,duration_time workload faults 100
eq "$(sed -n 's/^ *\([0-9]*\) *page-faults.*/\1/p' ours)" "$(sed -n 's/^ *\([0-9]*\) *page-faults.*/\1/p' theirs.ours)"
recorded -e '{page-faults:u,minor-faults:u}' true
workload shape 600000 &
p=$!
recorded -p $p -e task-clock:u,page-faults:u sleep 0.5
recorded -p $p --per-thread -e task-clock:u,page-faults:u sleep 0.5
kill $p

t kept_counts_of_intervals
sonde stat record -I 40 -o ours.data -e page-faults:u -- sh -c 'for i in 1 2 3; do workload faults 100; sleep 0.04; done' 2> shown
grep page-faults shown > live
sonde stat report -i ours.data 2>&1 | grep page-faults > later
cmp -s live later && ok || fail "$(diff live later)"

t kept_counts_through_a_pipe
sonde stat record -o - -e page-faults:u workload faults 100 2> err > piped.data
[ ! -s err ] && ok || fail "$(cat err)"
sonde stat record -e page-faults:u workload faults 100 2> err | sonde stat report -i - > ours 2>&1
has ours "^ Performance counter stats for 'pipe':"
has ours '^ +[0-9]+ +page-faults:u '
! command -v perf > /dev/null || { perf stat report -i piped.data > theirs 2>&1; has theirs '^ +[0-9]+ +page-faults:u '; }

t kept_counts_behind_options
sonde stat -e page-faults:u record -o behind.data true 2> err
sonde stat report -i behind.data > ours 2>&1
has ours 'page-faults:u'

t what_cannot_be_kept
for o in '-r 2' -n '--max-overhead 5%' --append '-a --per-cache' '-a --per-cluster'; do
	sonde stat record $o -o refused.data true 2> err
	eq $? 2
	[ -e refused.data ] && fail "$o: a file" || ok
done
echo kept > there.data
sonde stat record -o there.data ./nosuch 2> err
[ $? != 0 ] && ok || fail "no error"
eq "$(cat there.data)" kept
sonde stat record -o /nosuch/there.data true 2> err
has err 'choose another place with -o'

# perf's of before 6.2: all events are one group, as {...} has them.
t one_group
mkdir group
PERF_TEST_ATTR=$PWD/group sonde stat --group -e page-faults:u -e cpu-clock:u true 2> err
leader=$(sed -n 's/^fd=//p' group/event-1-2-*)
has "group/$(ls group | grep event-1-0)" "^group_fd=$leader\$"

t same_lines_as_perf
command -v perf > /dev/null || { skip "no perf"; exit 0; }
shape() {
	sed 's/[0-9][0-9.,]*/N/g; s/  */ /g; s/[KMG]\/sec/\/sec/; s/ *$//' "$1"
}
sonde stat -e task-clock,page-faults workload faults 10 2> ours
perf stat -e task-clock,page-faults workload faults 10 2> theirs
# Ours also says why it is :u.
shape ours | sed '/^only user space/d; /^ run as root/d' > ours.shape
shape theirs > theirs.shape
diff ours.shape theirs.shape && ok || fail "not as perf prints it"

t same_json_keys_as_perf
sonde stat -j -e task-clock,page-faults true 2> ours
perf stat -j -e task-clock,page-faults true 2> theirs
grep -o '"[a-z-]*" :' ours > ours.keys
grep -o '"[a-z-]*" :' theirs > theirs.keys
diff ours.keys theirs.keys && ok || fail "keys differ"

[ "$T_AS" = root ] || exit 0

t interval_rows
sonde stat -I 100 --interval-count 3 -x, -e page-faults -o rows sleep 1000
# One behind each tenth of a second, or later where this machine stalls: late ones are left out.
awk -F, '/page-faults/ { n++; bad += $1 < n * 0.1 || $1 <= last; last = $1 } END { exit n != 3 || bad }' rows && ok || { cat rows; fail "not the rows of tenths"; }

t cpus_and_cores
sonde stat -a -A -x, -e cpu-clock -o csv sleep 0.1
eq "$(grep -c '^CPU[0-9]*,[0-9.]*,msec,cpu-clock,' csv)" "$(nproc)"

# sums OPTION: what the rows are of; as perf has it, where there is one
sums() {
	sonde stat -a $1 -x, -e cpu-clock -o csv sleep 0.1
	grep , csv | cut -d, -f1,2 > ours
	sed 's/,.*//' ours | tr '\n' ' ' > keys
	! command -v perf > /dev/null || perf stat -a $1 -x, -e cpu-clock -o csv sleep 0.1 2> err && grep , csv | cut -d, -f1,2 > theirs
	cmp -s ours theirs || [ ! -s theirs ] && ok || fail "$1: $(diff ours theirs)"
}

t sums_of_dies_and_nodes
sums --per-die
has ours '^S[0-9]+-D[0-9]+,[0-9]+$'
sums --per-node
has ours '^N[0-9]+,[0-9]+$'
eq "$(awk -F, '{ n += $2 } END { print n }' ours)" "$(nproc)"

t sums_of_caches_and_clusters
# As the kernel tells it of each CPU; nothing: one cache that all share.
shares() {
	for c in /sys/devices/system/cpu/cpu[0-9]*; do
		[ ! -e "$c/cache/index0" ] && echo none ||
			for i in "$c"/cache/index*; do [ "$(cat "$i/level")" != 1 ] || cat "$i/shared_cpu_list"; done | head -n 1
	done | sort -u | wc -l
}
sonde stat -a --per-cache=L1 -x, -e cpu-clock -o csv sleep 0.1
eq "$(grep -c '^S[0-9]*-D[0-9]*-L[-0-9]*-ID[-0-9]*,[0-9]*,[0-9.]*,msec,cpu-clock' csv)" "$(shares)"
sonde stat -a --per-cache -x, -e cpu-clock -o csv sleep 0.1
eq "$(grep , csv | awk -F, '{ n += $2 } END { print n }')" "$(nproc)"
sonde stat -a --per-cache=L9 true 2> err
has err "'L9' is no cache level"
sonde stat -a --per-cluster -x, -e cpu-clock -o csv sleep 0.1
eq "$(grep , csv | cut -d, -f1 | sort -u | sed 's/.*CLS//' | tr '\n' ' ')" \
	"$(cat /sys/devices/system/cpu/cpu[0-9]*/topology/cluster_id | sort -u | tr '\n' ' ')"
sonde stat -a --percore-show-thread true 2> err
eq $? 2
has err 'percore-show-thread is of the rows of -A'

t events_of_cores
# One that every machine of this kind has, and that a machine without counters has, too.
tsc=msr/tsc,percore/
if [ ! -e /sys/bus/event_source/devices/msr/events/tsc ]; then
	skip "no PMU with an event that always counts"
else
	for o in '' --percore-show-thread; do
		sonde stat -a -A $o -x'|' -e "{$tsc},cpu-clock" -o csv sleep 0.05
		grep '|' csv | cut -d'|' -f1,4 > ours
		! command -v perf > /dev/null || perf stat -a -A $o -x'|' -e "{$tsc},cpu-clock" -o csv sleep 0.05
		grep '|' csv | cut -d'|' -f1,4 > theirs
		cmp -s ours theirs && ok || fail "$o: $(diff ours theirs)"
	done
fi

t kept_counts_of_cpus
for o in '' -A --per-core --per-socket --per-die --per-node; do
	recorded -a $o -e cpu-clock,page-faults sleep 0.1
done
cp ours.data whole.data
recorded -a -I 60 --interval-count 2 -e cpu-clock,page-faults
for o in -A --per-core --per-socket --per-die --per-node; do
	sonde stat report $o -i whole.data > ours 2>&1
	! command -v perf > /dev/null || perf stat report $o -i whole.data > theirs 2>&1
	shown ours > one
	shown theirs > other
	diff one other > differ && ok || fail "$o: $(cat differ)"
done
sonde stat report --per-cluster -i ours.data 2> err
eq $? 2
has err 'does not say which CPUs are a cluster'

t each_cgroup
sonde stat -a --for-each-cgroup / -x, -e cpu-clock,page-faults -o csv sleep 0.1
eq "$(grep , csv | cut -d, -f3,4 | tr '\n' ' ')" "cpu-clock,/ page-faults,/ "
sonde stat -a -x, -e cpu-clock,page-faults -o csv sleep 0.1
eq "$(grep -c ',/,' csv)" 0

# Of a machine that has some: what they count cannot be had here, their rows can.
t units_of_an_uncore_pmu
for o in '' --no-merge; do
	sonde --sysroot "$T_HERE/../data/root/n1" stat -a $o -x, -e arm_dsu/cycles/,arm_dsu/cycles,name=my/ -o csv sleep 0.01
	grep , csv | cut -d, -f3 | tr '\n' ' '
done > rows
eq "$(cat rows)" "arm_dsu/cycles/ my $(for n in 0 1 2 3; do echo "arm_dsu_$n/cycles/"; done | tr '\n' ' ')$(
	for n in 0 1 2 3; do echo "my [arm_dsu_$n]"; done | tr '\n' ' ')"
