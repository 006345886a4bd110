#!/bin/sh
# as: root
# time: 120
# Profilers that count by periods, live and of a recording: a program's known number of calls is found in them, none too few, none too many.
. "$T_HERE/lib.sh"

need sonde workload awk

case $(uname -m) in
aarch64) getppid=173 ;;
*) getppid=110 ;;
esac
calls="raw_syscalls:sys_enter/id==$getppid/alias=calls/"
# Others may call it, too, now and then.
few() {
	[ "${1:-0}" -ge "$2" ] && [ "${1:-0}" -le $(($2 + 50)) ] && ok || fail "${1:-none}, not $2"
}

# counted N COMMAND...: again while it finds fewer than N calls. The timers of groups that are read begin late, or stand, on CPUs of some
# kernels (perf's, too); what is found must be N in the end, and in no try more. Guests have no such tries.
counted() {
	wanted=$1
	shift
	for try in 1 2 3 4 5 6 7 8; do
		sonde prof hrcount "$@" > out 2> err
		status=$?
		found=$(sed -n 's/.*"count":\([0-9]*\).*/\1/p' out | awk '{ n += $1 } END { print n + 0 }')
		[ "$found" -lt "$wanted" ] || break
	done
	eq $status 0
	few "$found" "$wanted"
}

t wrong_periods
sonde prof hrcount > out 2> err && fail 'no events' || has err 'needs events'
sonde prof stat > out 2> err && fail 'no events' || has err 'needs events'
sonde prof hrcount -e cpu-clock --period 2s > out 2> err && fail 'too long' || has err 'longer than the interval'
sonde prof hrcount -e cpu-clock --period 1us -i 1 > out 2> err && fail 'too short' || has err '10 us'
sonde prof hrcount -e cpu-clock --period x > out 2> err && fail 'no time' || has err 'no time'
sonde prof hrcount -e cpu-clock -p 1 > out 2> err && fail 'no CPUs' || has err 'prof stat'
sonde prof hrtimer -F 10 > out 2> err && fail 'no expression' || has err 'an expression'
sonde prof hrtimer --period 10ms -F 10 1 > out 2> err && fail 'both' || has err 'choose one'
sonde prof hrtimer -F 10 'nope > 1' > out 2> err && fail 'no such name' || has err "no field 'nope'"
sonde prof irq-off --period 10ms --than 5ms > out 2> err && fail 'too short' || has err 'more than the period'
sonde prof irq-off -e cpu-clock > out 2> err && fail 'an event' || has err 'hrtimer takes events'
sonde prof irq-off -j > out 2> err && fail 'no table' || has err 'no table'
sonde prof percpu-stat -e cpu-clock > out 2> err && fail 'an event' || has err 'its own events'
for p in hrcount stat; do
	sonde prof $p -e 'cpu-clock//num=x/' > out 2> err && fail 'a number of counts' || has err 'alias= and cpus='
	sonde prof $p -e cpu-clock -k pid > out 2> err && fail 'a key of counts' || has err 'no keys'
done
sonde prof stat -e cpu-clock//cpus=zz/ > out 2> err && fail 'no CPUs' || has err 'zz'
sonde prof stat -e '{cpu-clock,page-faults}' > out 2> err && fail 'a group' || has err 'no groups'
sonde prof stat -e cpu-clock -i no.data > out 2> err && fail 'a recording' || has err 'no recording has them'

t what_a_busy_cpu_does
cpu=$(sed 's/[-,].*//' /sys/devices/system/cpu/online)
sonde prof cpu-util -F 500 -C "$cpu" -x, -- taskset -c "$cpu" workload shape 1500 > out 2> err
eq $? 0
has out '^cpu,samples,user_percent,sys_percent,guest_percent,idle_percent$'
[ "$(awk -F, 'NR == 2 { print ($3 + $4 >= 60 && $3 + $4 + $5 + $6 > 99.9 && $3 + $4 + $5 + $6 < 100.1) }' out)" = 1 ] && ok || fail "$(cat out)"
sonde prof cpu-util -e cpu-clock > out 2> err && fail 'an event' || has err 'no -e'
sonde prof cpu-util -p 1 > out 2> err && fail 'a task' || has err 'task-state'
sonde record -q -a -o clock.data -e cpu-clock -- taskset -c "$cpu" workload shape 500 2> err
sonde prof cpu-util -i clock.data -j > out 2> err
has out "\"cpu\":$cpu,\"samples\":"
# A recording's samples, and no others, are in the rows.
eq "$(sonde prof cpu-util -i clock.data -x, 2> /dev/null | awk -F, 'NR > 1 && $1 != "" { n += $2 } END { print n }')" \
	"$(sonde script -i clock.data -F comm 2> /dev/null | wc -l)"

t profile_of_what_is_busy
sonde prof profile -F 500 --exclude-kernel -g -N 20 -- workload shape 1000 > out 2> err
eq "$(grep -c ' workload .*: profile: ' out)" 20
has out '\(workload\)|workload\)'
sonde prof profile -i clock.data -F 4000 --flame-graph busy -g > out 2> err
[ ! -s out ] && ok || fail "$(head -n 1 out)"
has busy.folded '^workload'
# Half of a second's samples are not shown, and told.
sonde prof profile -i clock.data -F 100 > out 2> err
all=$(grep -c profile out)
sonde prof profile -i clock.data -F 100 --than 50 > out 2> err
left=$(sed -n 's/.* and \([0-9]*\) of CPUs that were not.*/\1/p' err)
eq $(($(grep -c profile out) + left)) "$all"
[ "$left" -ge 49 ] && ok || fail "$left left out"
sonde prof profile -e cpu-clock > out 2> err && fail 'an event' || has err 'no -e'
sonde prof profile --than 101 > out 2> err && fail 'too much' || has err 'percentage'

t addresses_to_watch
sonde prof breakpoint > out 2> err && fail 'no address' || has err 'which address'
sonde prof breakpoint 0x1000/3:w > out 2> err && fail 'three bytes' || has err 'no address to watch'
sonde prof breakpoint 0x1000:z > out 2> err && fail 'no access' || has err 'no address to watch'
sonde prof breakpoint -e cpu-clock 0x1000 > out 2> err && fail 'an event' || has err 'no -e'
sonde prof breakpoint --filter 'x > 1' 0x1000/4:w -N 1 -- true > out 2> err && fail 'no such name'
grep -q "no field 'x'\|arm64 alone\|not support\|No such\|cannot" err && ok || fail "$(cat err)"

t tracepoints_here
if ! sonde prof trace -e sched:sched_switch -N 1 > out 2> err; then
	skip "no tracepoints: $(head -n 1 err)"
	exit 0
fi
has out 'sched:sched_switch'

t stat_counts_a_command
sonde prof stat -e "$calls" --period 20ms -i 200 -x, -- workload syscalls 30000 > out 2> err
eq $? 0
eq "$(awk -F, '$1 == "calls" { n += $3 } END { print n }' out)" 30000
sonde prof stat -e "$calls" -- workload syscalls 3000 > out 2> err
has out '^calls .* \| total 3000$'

t hrcount_counts_cpus
counted 30000 -e "$calls" --period 10ms -i 100 -j -- sh -c 'sleep 0.1; workload syscalls 30000; sleep 0.1'
counted 3000 -e "$calls" --period 10ms --perins -j -- sh -c 'sleep 0.1; workload syscalls 3000; sleep 0.1'
has out '"cpu":[0-9]+,"event":"calls","period":0,'
sonde prof hrcount -e "$calls" --period 10ms -i 100 -x, -- sleep 0.3 > out 2> err
has out '^event,period,count$'
# The second is asked for on one CPU.
for try in 1 2 3 4 5 6 7 8; do
	sonde prof hrcount -e "$calls,sched:sched_switch//cpus=0/" -C "$(cat /sys/devices/system/cpu/online)" --perins -i 100 -- sleep 0.3 > out 2> err
	grep -q '^\[000\]' out && break
done
has out '^\[000\] sched:sched_switch '
grep -q '^\[001\] sched' out && fail 'it is on CPU 1, too' || ok

t hrcount_of_a_recording
for try in 1 2 3 4 5 6 7 8; do
	sonde record -q -a -o group.data -e '{cpu-clock/period=5000000/,raw_syscalls:sys_enter}:S' -- workload syscalls 200000 2> err
	[ "$(sonde script -i group.data -F event 2> /dev/null | grep -c cpu-clock)" -lt 12 ] || break
done
sonde prof hrcount -i group.data -e raw_syscalls:sys_enter --period 10ms -x, > 1.csv 2> err
eq $? 0
sonde prof hrcount -i group.data -e raw_syscalls:sys_enter --period 5ms -x, > 2.csv 2> err
sonde prof hrcount -i group.data -e raw_syscalls:sys_enter --perins > out 2> err
has out '^\[00[0-9]\] raw_syscalls:sys_enter '
# Twice as many periods, the same events.
for n in 1 2; do
	awk -F, 'NR > 1 { n += $3 } END { print n }' $n.csv
done | uniq > sums
eq "$(wc -l < sums)" 1
if command -v perf > /dev/null; then
	# What the group's last reading has more than its first one, on each CPU.
	perf script -i group.data -D 2> /dev/null | awk '
		function hex(s,  i, v) { for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
		/^\.\.\.\. group nr/ { at = 0 }
		/^\.\.\.\.\. id / { at++; if (at != 2) next; id = $3; v = hex(substr($5, 1, 16))
			if (!(id in first) || v < first[id]) first[id] = v; if (v > last[id]) last[id] = v }
		END { for (i in first) sum += last[i] - first[i]; print sum + 0 }' > theirs
	eq "$(cat sums)" "$(cat theirs)"
else
	skip 'no perf'
fi
sonde prof hrcount -i group.data -e 'raw_syscalls:sys_enter/id==1/' > out 2> err && fail 'a filter of counts' || has err 'would leave'
sonde record -q -o one.data -e cpu-clock -e raw_syscalls:sys_enter -- workload syscalls 20 2> err
sonde prof hrcount -i one.data -e raw_syscalls:sys_enter > out 2> err && fail 'no group' || has err 'not a group'

t hrtimer_shows_what_an_expression_chooses
for try in 1 2 3 4 5 6 7 8; do
	sonde prof hrtimer -e "$calls" --period 10ms -g 'calls > 100 && period > 0' -- sh -c 'sleep 0.1; workload syscalls 300000; sleep 0.1' > out 2> err
	grep -q 'hrtimer: cpu-clock' out && break
done
has out 'hrtimer: cpu-clock [0-9]+ ns'
awk '$1 == "calls" { print ($2 > 100) }' out | sort -u > good
eq "$(cat good)" 1
has out '^    [0-9a-f]{16} '
has err 'periods, [0-9]+ shown'
sonde prof hrtimer -F 100 -i group.data -e raw_syscalls:sys_enter 'sys_enter >= 0' > out 2> err
eq "$(grep -c 'hrtimer: ' out)" "$(sed -n 's/^[^0-9]*\([0-9]*\) periods, .*/\1/p' err)"

t irq_off_of_a_recording
# Each period is at least as long as the timer's, and none is a second.
sonde prof irq-off -i group.data --period 1ms --than 4ms > out 2> err
has out 'irq-off: [4-9]\.[0-9]* ms'
sonde prof irq-off -i group.data --than 1s > out 2> err
[ ! -s out ] && ok || fail "$(head -n 1 out)"
sonde prof irq-off --period 1ms --than 900ms -g -q -- sleep 0.2 > out 2> err
eq $? 0
[ ! -s err ] && ok || fail "$(cat err)"

t percpu_stat_has_a_row_for_each
sonde prof percpu-stat --syscalls -i 1000 -x, -- sh -c 'workload syscalls 5000' > out 2> err
eq $? 0
has out '^cpu,context-switches,.*raw_syscalls:sys_enter,irq:irq_handler_entry'
[ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "raw_syscalls:sys_enter") c = i } $1 == "" { print ($c >= 5000) }' out)" = 1 ] ||
	[ "$(nproc)" = 1 ] && ok || fail "$(cat out)"
sonde prof percpu-stat -C 0 -- true > out 2> err
has out '^\[000\] '

# What is not there is said, not shown as 0.
t hardware_that_is_not_there
if ls -d /sys/bus/event_source/devices/cpu/events /sys/bus/event_source/devices/armv8* > /dev/null 2>&1; then
	sonde prof hwstat -i 100 -- sleep 0.1 > out 2> err
	has out 'CYCLES +INSNS +IPC'
else
	for p in hwstat llcstat tlbstat; do
		sonde prof $p -i 100 -- sleep 0.1 > out 2> err && fail "$p without a PMU" || has err 'no hardware counters|not supported'
	done
fi
