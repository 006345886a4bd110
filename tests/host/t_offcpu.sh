#!/bin/sh
# as: root
# time: 240
# record --off-cpu: a program that is known to sleep 300 ms in one function and to wait 200 ms in another; perf reads what is written.
. "$T_HERE/lib.sh"

need sonde workload awk

t switches_are_seen_here
if ! sonde record -q --off-cpu -e cpu-clock -o own.data workload waits 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
ok

# waited FILE FUNCTION: milliseconds of offcpu-time below it.
waited() {
	sonde script -i "$1" -F event,period,ip,sym 2> script.err | awk -v want="$2" '
		/offcpu-time/ { period = $1; next }
		/^[^\t ]/ || /: *$/ { period = 0 }
		period && $2 == want { sum += period; period = 0 }
		END { printf "%d\n", sum / 1000000 }'
}

# within GOT LEAST MOST: a busy machine wakes those late that sleep.
within() {
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ] && ok || fail "$1 ms, not $2 to $3"
}

t waits_have_their_times
within "$(waited own.data sleeps_here)" 300 2500
within "$(waited own.data waits_here)" 195 2500

t of_all_tasks_too
sonde record -q -a -m 1024 --off-cpu -e cpu-clock -o all.data workload waits 2> err
cat err
within "$(waited all.data sleeps_here)" 300 2500
within "$(waited all.data waits_here)" 195 2500

t of_a_process_that_runs
sh -c 'sleep 0.5; exec workload waits' &
pid=$!
sonde record -q --off-cpu -e cpu-clock -o pid.data -p $pid sleep 2 2> err
wait $pid
within "$(waited pid.data sleeps_here)" 300 2500

# Of a program with such rules, as those of distributions are.
t by_unwinding_rules_too
sonde record -q --off-cpu --call-graph dwarf -e cpu-clock -o dwarf.data sleep 0.3 2> err
sonde script -i dwarf.data -F event,period,ip,sym 2> script.err | awk '
	/offcpu-time/ { long = $1 >= 300000000; next }
	/^[^\t ]/ || /: *$/ { long = 0 }
	long { n++ }
	END { print n + 0 }' > frames
[ "$(cat frames)" -ge 4 ] && ok || fail "$(cat frames) frames"

t switches_themselves_are_not_written
sonde report -i own.data --stats > out 2> err
grep -q 'SWITCH' out && fail "switches are in the file" || ok
sonde evlist -i own.data > out
has out '^offcpu-time$'
grep -q sched_switch out && fail "sched_switch is one of its events" || ok
sonde record -q --off-cpu --switch-events -e cpu-clock -o both.data workload waits
sonde report -i both.data --stats > out 2> err
has out 'SWITCH events: +[1-9]'

t report_has_it_as_its_own_event
sonde report -i own.data --no-children -g none -s comm > out 2> err
has out "of event 'offcpu-time'"
has out "of event 'cpu-clock'"
sonde report -i own.data -j -s comm --no-children 2> /dev/null | tr '{' '\n' > out
has out '"event":"offcpu-time"'

# The shell waits for its first child, and becomes its second one.
t what_a_task_was_before_its_exec
sonde record -q --off-cpu -e cpu-clock -o exec.data sh -c 'sleep 0.3; exec sleep 0.1' 2> err
sonde script -i exec.data -F comm,event,period 2> script.err | awk '
	/offcpu-time/ { ms[$1] += $2 / 1000000 }
	END { print int(ms["sh"]), int(ms["sleep"]) }' > sums
read -r shell child < sums
within "$shell" 280 2500
within "$child" 390 2500

# Its rows (of others there may be several programs of one name, which perf adds up), and times that are larger than all others.
t perf_reads_the_same
if command -v perf > /dev/null; then
	for f in own all; do
		perf report -i $f.data --stdio --no-children -g none -n -s comm,dso 2> /dev/null | sed -n '/offcpu-time/,$p' | table_rows | grep -v 0x | tr -s ' ' | grep ' workload ' | sort > theirs
		sonde report -i $f.data --no-children -g none -n -s comm,dso 2> /dev/null | sed -n '/offcpu-time/,$p' | table_rows | grep -v 0x | tr -s ' ' | grep ' workload ' | sort > ours
		[ -s theirs ] || fail "perf has no rows"
		cmp -s ours theirs && ok || fail "$f: other rows: $(diff ours theirs | head -n 8 | tr '\n' ';')"
		perf report -i $f.data --stdio 2> /dev/null | sed -n '/offcpu-time/,/Overhead/p' | grep '^# [SE]' > theirs
		sonde report -i $f.data 2> /dev/null | sed -n '/offcpu-time/,/Overhead/p' | grep '^# [SE]' > ours
		eq "$(cat ours)" "$(cat theirs)"
	done
	sonde record --off-cpu -e cpu-clock -o - workload waits 2> /dev/null | perf report -i - --stdio 2> /dev/null > out
	has out "of event 'offcpu-time'"
else
	skip "no perf"
fi

t what_it_does_not_go_with
for o in --overwrite --switch-output "--kernel-callchains -g" "-a --cgroup /"; do
	# shellcheck disable=SC2086
	sonde record --off-cpu -e cpu-clock -o no.data $o true 2> err
	eq $? 1
	has err 'off-cpu'
done
