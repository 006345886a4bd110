#!/bin/sh
# time: 1200
# kernels: none
# also: 6.12
# What a probe takes: told before it stays, and kept below a limit while it counts. Programs with a known number of hits.
#
# Numbers of calls and limits are those that fit this machine, however fast it is. What is measured in turns is an estimate:
# a stall bends that of one round, what is wrong bends that of each, so up to ROUNDS are made until one is good.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload
CALL=__arm64_sys_getppid
LIST=/sys/kernel/debug/kprobes/list
ROUNDS="1 2 3 4 5"
[ -f $LIST ] || mount -t debugfs debugfs /sys/kernel/debug 2> /dev/null

# value FILE: the count of the first row of a CSV file; percent FILE: the part of the time that it was counted.
value() {
	sed '/^#/d; /^$/d' "$1" | head -n 1 | cut -d, -f1
}

percent() {
	sed '/^#/d; /^$/d' "$1" | head -n 1 | cut -d, -f5
}

# is EXPRESSION: of awk, true.
is() {
	awk "BEGIN { exit !($1) }" && ok || fail "not true: $1"
}

# true_is EXPRESSION: of awk.
true_is() {
	awk "BEGIN { exit !($1) }"
}

# elapsed FILE: what sonde stat has printed of it.
elapsed() {
	sed -n 's/^ *\([0-9.]*\) seconds time elapsed.*/\1/p' "$1"
}

# many WORK NUMBER: how often the workload does that in about four seconds; it is timed with the number.
many() {
	sonde stat -n -- workload "$1" "$2" 2> many.err || cat many.err >&2
	awk -v n="$2" -v t="$(elapsed many.err)" 'BEGIN { printf "%d\n", n * 4 / t }'
}

# us_of_hit PROBE...: microseconds.
us_of_hit() {
	sonde probe -n --cost "$@" 2>&1 > /dev/null | sed -n 's/.* \([0-9.]*\) us \(a hit\|here\).*/\1/p'
}

# us_of_event EVENT: of one of a program, which sits on the instruction that costs least.
us_of_event() {
	sonde stat -i -e "$1" --max-overhead 1000% -- true 2>&1 | sed -n 's/.*(\([0-9.]*\) us a hit in programs.*/\1/p'
}

# third NUMBER US: in percent of a core, a third of what so many hits in four seconds take.
third() {
	awk -v n="$1" -v us="$2" 'BEGIN { printf "%.4f%%\n", n / 4 * us / 1e6 * 100 / 3 }'
}

# endless: the workload that calls without end, and runs by now; ended.
endless() {
	workload syscalls 100000000000 &
	calls="$calls $!"
	within 100 has_used $! 5 || fail "the workload does not run"
}
ended() {
	kill $calls
	wait $calls 2> /dev/null
	calls=
}
calls=

# told FILE TEXT: sonde, whose number is in $pid, says so while it counts; then it is ended.
told() {
	within 100 grep -q "$2" "$1" || fail "not told: $2"
	kill -INT $pid
	wait $pid
}

# Two, so that one of them runs while the other's processor may stall.
t cost_is_told_before
endless
endless
sonde probe -n --cost $CALL 2> dry > out
has dry '^[0-9,]+ hits in [0-9]+ ms, most of them on CPU '
sonde probe --cost $CALL 2> err > out
ended
has err '^[0-9,]+ hits in [0-9]+ ms, most of them on CPU [0-9]+ \([0-9,]+\):$'
has err '^  about [0-9.]+ % of it at [0-9.]+ us a hit$'
cat err
set -- $(tr -d '\n,' < err | sed -n 's/.* hits in \([0-9]*\) ms.*(\([0-9]*\)): *about \([0-9.]*\) % of it at \([0-9.]*\) us a hit.*/\1 \2 \3 \4/p')
# Milliseconds, hits, share, microseconds: the first is cut, the last two are rounded.
is "${2:-0} > 0 && $4 > 0 && $3 > 0 && $3 <= 100"
is "$3 < $2 * ($4 + 0.005) / ($1 * 10) + 0.1 && ($3 > $2 * ($4 - 0.005) / (($1 + 1) * 10) - 0.1 || $3 == 100)"
sonde probe -q -d "probe:$CALL" > out 2>&1 || cat out

# seconds OPTION...: the time that NUMBER system calls take while sonde stat watches the whole system.
seconds() {
	sonde stat -a "$@" -- workload syscalls $number 2> seconds.err || cat seconds.err >&2
	elapsed seconds.err
}

# Much longer than the first tenth of a second, in which probes are always on.
t a_busy_loop_is_slowed_down_less
number=$(($(many syscalls 100000) / 8))
plain=999 always=999 turns=999
for round in 1 2 3 4 5 6; do
	plain=$(seconds -n | awk -v m=$plain '{ print $1 < m ? $1 : m }')
	always=$(seconds -e kprobe:$CALL | awk -v m=$always '{ print $1 < m ? $1 : m }')
	turns=$(seconds -e kprobe:$CALL --max-overhead 5% | awk -v m=$turns '{ print $1 < m ? $1 : m }')
	echo "$number calls: plain $plain, always $always, in turns $turns s"
	good="$always - $plain > 0.1 * $plain && $turns - $plain < 0.7 * ($always - $plain)"
	! true_is "$good" || break
done
is "$good"
has seconds.err '^probes were on for [0-9.]+ % of the time, to keep below --max-overhead 5%:$'
has seconds.err '^  they would take up to .* us a hit in the kernel\)$'

# scaled NUMBER COLUMN: the sum of the rows of the file csv is about that, and was estimated; the count is in that column.
scaled() {
	cat csv err
	set -- "$@" $(awk -F, -v c="$2" '/probe:/ && $c ~ /^[0-9]/ { n += $c; if (!least || $(c + 4) < least) least = $(c + 4) }
		END { print n + 0, least + 0 }' csv)
	echo "$3, not $1, in $4 % of the time"
	good="$3 > 0.6 * $1 && $3 < 1.7 * $1 && $4 > 0 && $4 < 95"
	true_is "$good"
}
us=$(us_of_hit kernel_clone)

t counts_in_turns_are_scaled
for round in $ROUNDS; do
	number=$(many forks 500)
	sonde stat -a -x, -o csv -e kprobe:kernel_clone --max-overhead "$(third $number $us)" -- workload forks $number 2> err
	! scaled $number 1 || break
done
is "$good"

t intervals_are_scaled_each
for round in $ROUNDS; do
	number=$(many forks 500)
	sonde stat -a -I 2000 -x, -o csv -e kprobe:kernel_clone --max-overhead "$(third $number $us)" -- workload forks $number 2> err
	! scaled $number 2 || break
done
is "$good"

t a_program_s_function
w=$(command -v workload)
us=$(us_of_event "uprobe:fork@\"$w\"")
for round in $ROUNDS; do
	number=$(many forks 500)
	sonde stat -i -x, -o csv -e "uprobe:fork@\"$w\"" --max-overhead "$(third $number $us)" -- workload forks $number 2> err
	! scaled $number 1 || break
done
is "$good"
has err '^  they would take up to .* us a hit in programs( \([a-z]+\))?\)$'

# While it uses two seconds of CPU time. How fast it goes changes from run to run; without scaling it would be a tenth.
t a_process
us=$(us_of_event "uprobe:leaf@\"$w\"")
workload tree 100000000 &
calls=$!
tree() {
	sonde stat -x, -o csv -e "uprobe:leaf@\"$w\"" "$@" -p $calls -- sh -c ". '$T_HERE/lib_wait.sh'; goes_on $calls 200" 2> err
	cat csv err
}
for round in $ROUNDS; do
	since=$(uptime_s)
	tree
	all=$(value csv)
	tree --max-overhead "$(awk -v n="$all" -v s=$(($(uptime_s) - since)) -v us="$us" 'BEGIN { printf "%.4f%%\n", n / s * us / 1e6 * 100 / 10 }')"
	n=$(value csv)
	good="${all:-0} > 0 && ${n:-0} > 0.3 * ${all:-0} && ${n:-0} < 4 * ${all:-0} && $(percent csv) < 30"
	! true_is "$good" || break
done
ended
is "$good"
has err 'tasks started meanwhile are counted no longer'

# Its hits are counted by the kernel too, also those while it is switched.
t an_event_of_the_tracing_file_system
sonde probe -q $CALL > out 2>&1 || cat out
hits_so_far() {
	awk -v p=$CALL '$1 == p { print $2 }' /sys/kernel/tracing/kprobe_profile
}
for round in $ROUNDS; do
	number=$(many syscalls 100000)
	before=$(hits_so_far)
	sonde stat -a -o csv -e "probe:$CALL" --max-overhead 5% -- workload syscalls $number 2> err
	grep . csv err
	ns=$(elapsed csv | awk '{ print $1 * 1e9 }')
	us=$(sed -n 's/^  they would take up to .*(\([0-9.]*\) us a hit in the kernel)$/\1/p' err)
	hits=$(($(hits_so_far) - before))
	echo "$hits hits of $number"
	good="$hits > 100 && $hits < 0.65 * $number && $hits * ${us:-0} * 1000 > 0.01 * ${ns:-0} && $hits * $us * 1000 < 0.1 * $ns"
	! true_is "$good" || break
done
is "$good"
sonde probe -q -d "probe:$CALL" > out 2>&1 && ok || fail "$(cat out)"

# The program says how often it has come by: for the most part without its probe, which takes ten times as long as the loop.
# Where instructions are not counted it is cycles in user space, of which a hit takes some, too (half a microsecond here), and a
# busy machine's host changes how many there are in a turn of the loop: the bounds are wide (see t_probe_estimate.sh). WAY is
# what says which.
PROBES=$(dirname "$T_HERE")/bin/probe
estimated() {
	for round in $ROUNDS; do
		sonde stat "$@" > real 2> err || cat err
		real=$(tail -n 1 real)
		n=$(value csv)
		seen=$(percent csv)
		set_range csv
		echo "$real, estimated $n ($least .. $most), seen $seen % of the time"
		good="$real > 0 && ${n:-0} > 0.8 * $real && $n < 1.2 * $real && $seen < 70"
		! true_is "$good" || break
	done
	is "$good"
	is "${least:-0} > 0 && $least <= $n && (\"$most\" == \"\" || ${most:-0} >= $n)"
	has err "$WAY"
}
set_range() {
	least=$(sed -n '/probe:/p' "$1" | head -n 1 | cut -d, -f8)
	most=$(sed -n '/probe:/p' "$1" | head -n 1 | cut -d, -f9)
}

t a_loop_that_never_waits
if [ -x "$PROBES/polls" ]; then
	WAY='(instructions|cycles) in user space'
	estimated -i -x, -o csv -e "uprobe:hit@\"$PROBES/polls\"" --max-overhead 5% -- "$PROBES/polls" 10000 8
	estimated -i -x, -o csv -e kprobe:$CALL --max-overhead 5% -- "$PROBES/polls" 5000 8 call
	sonde stat -i -j -o json -e kprobe:$CALL --max-overhead 5% -- "$PROBES/polls" 5000 4 call 2> err > out
	has json '"estimate-low" : [0-9]+, "estimate-high" : [0-9]+'
else
	skip "polls is not built: see tests/probe/build"
fi

# The kernel steps over a copy of stp, with two exceptions for each hit; the effect of ret it computes.
t an_instruction_s_hit
if [ -x "$PROBES/polls" ]; then
	slow=$(us_of_hit -x "$PROBES/polls" main)
	quick=$(us_of_hit -x "$PROBES/polls" hit+4)
	echo "$slow us at stp, $quick at ret"
	is "$quick > 0 && 1.3 * $quick < $slow"
	sonde stat -i -e "uprobe:hit@\"$PROBES/polls\"" --max-overhead 100% -- "$PROBES/polls" 1000 1 2> err > out
	has err ' us a hit in programs \(simulated\)\)$'
else
	skip "polls is not built: see tests/probe/build"
fi

t off_for_good
endless
sonde stat -a -e kprobe:$CALL --max-overhead 0.0001% 2> err &
pid=$!
within 100 grep -q 'off for good' err
has err '^probes are off for good: they would take [0-9.]+ % of a core'
# The kernel itself says that no breakpoint is left.
if [ -f $LIST ]; then
	! grep $CALL $LIST | grep -v DISABLED && ok || fail "a breakpoint is left"
fi
kill -INT $pid
wait $pid
ended
cat err
has err '^ +[0-9,]+ +kprobe:.* \([0-9.]+%\)$'

# Hits a second are about those of the whole run, and the share is what they make.
t bad_ones_are_told_while_they_count
TOLD='^probes take about [0-9.]+ % of CPU [0-9]+ \([0-9,]+ hits a second\):$'
endless
for round in $ROUNDS; do
	sonde stat -a -e kprobe:$CALL 2> err &
	pid=$!
	told err '^probes take'
	cat err
	set -- $(sed -n '/^probes take/ { N; s/.* \([0-9.]*\) % of CPU [0-9]* (\([0-9,]*\) hits a second):\n *\([0-9.]*\) us .*/\1 \2 \3/p; }' err |
		tr -d ,)
	rate=$(awk '/ kprobe:/ { gsub(",", "", $1); n = $1 } / seconds time elapsed/ { t = $1 } END { print n / t }' err)
	good="${2:-0} > $rate / 4 && $2 < $rate * 4"
	! true_is "$good" || break
done
ended
is "$good"
has err "$TOLD"
has err '^  [0-9.]+ us each in the kernel; --max-overhead 5% keeps them below that share$'
eq "$(grep -c '^probes take' err)" 1
is "$1 > $2 * $3 / 1e4 - 0.3 - $2 / 1e6 && $1 < $2 * $3 / 1e4 + 0.3 + $2 / 1e6"

t bad_ones_are_told_while_they_are_recorded
endless
sonde record -a -o bad.data -e "uprobe:syscall@\"$w\"" 2> err &
pid=$!
told err '^probes take'
ended
cat err
has err "$TOLD"
has err '^  [0-9.]+ us each in programs( \([a-z]+\))?, and what recording them takes$'
sonde record -q -o bad.data -e kprobe:$CALL -- workload syscalls 300000 2> err
eq "$(grep -c 'probes take' err)" 0

t good_ones_are_not
sonde stat -a -e kprobe:kernel_clone -e sched:sched_switch -- /bin/sh -c 'for i in 1 2 3 4 5 6 7 8; do /bin/busybox usleep 200000; done' 2> err
eq "$(grep -c 'probes take' err)" 0
has err '^ +[1-9][0-9]* +kprobe:kernel_clone'
sonde record -a -o good.data -e kprobe:kernel_clone -- /bin/sh -c 'for i in 1 2 3 4 5 6 7 8; do /bin/busybox usleep 200000; done' 2> err
eq "$(grep -c 'probes take' err)" 0
has err '[1-9][0-9]* samples'

t what_cannot_be
sonde stat -e kprobe:$CALL --max-overhead 5% -- true 2> err
eq $? 2
has err 'which loses the tasks that the command has started'
sonde stat -a -e context-switches --max-overhead 5% -- true 2> err
eq $? 1
has err 'none of the events is one'
sonde stat -a -e kprobe:$CALL --max-overhead 0 -- true 2> err
eq $? 2
sonde record -e kprobe:$CALL --max-overhead 5% -- true 2> err
eq $? 2
has err 'the events of a recording stay open'
