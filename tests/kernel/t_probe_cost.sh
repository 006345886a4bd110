#!/bin/sh
# time: 600
# kernels: 6.12
# What a probe takes: told before it stays, and kept below a limit while it counts. Programs with a known number of hits;
# times are compared with those of the same program in the same guest, the best of three.
. "$T_HERE/lib.sh"

need sonde workload
CALL=__arm64_sys_getppid
LIST=/sys/kernel/debug/kprobes/list
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

# seconds [OPTION...]: the time that system calls take while sonde stat watches the whole system.
seconds() {
	sonde stat -a "$@" -- workload syscalls 100000 2> seconds.err || cat seconds.err
	sed -n 's/^ *\([0-9.]*\) seconds time elapsed.*/\1/p' seconds.err
}

t cost_is_told_before
workload syscalls 10000000 &
pid=$!
sleep 0.5
sonde probe -n --cost $CALL 2> dry > out
has dry '^[0-9,]+ hits in [0-9]+ ms, most of them on CPU '
sonde probe --cost $CALL 2> err > out
kill $pid
wait $pid 2> /dev/null
has err '^[0-9,]+ hits in [0-9]+ ms, most of them on CPU [0-9]+ \([0-9,]+\):$'
has err '^  about [0-9.]+ % of it at [0-9.]+ us a hit$'
share=$(sed -n 's/^  about \([0-9.]*\) % .*/\1/p' err)
is "${share:-0} > 3 && ${share:-0} < 150"
sonde probe -q -d "probe:$CALL" > out 2>&1 || cat out

t a_busy_loop_is_slowed_down_less
plain=999 always=999 turns=999
for i in 1 2 3 4 5 6; do
	plain=$(seconds -n | awk -v m=$plain '{ print $1 < m ? $1 : m }')
	always=$(seconds -e kprobe:$CALL | awk -v m=$always '{ print $1 < m ? $1 : m }')
	turns=$(seconds -e kprobe:$CALL --max-overhead 5% | awk -v m=$turns '{ print $1 < m ? $1 : m }')
	echo "plain $plain, always $always, in turns $turns s"
	good="$always - $plain > 0.1 * $plain && $turns - $plain < 0.7 * ($always - $plain)"
	! awk "BEGIN { exit !($good) }" || break
done
is "$good"
has seconds.err '^probes were on for [0-9.]+ % of the time, to keep below --max-overhead 5%:$'
has seconds.err '^  they would take up to .* us a hit in the kernel\)$'

t counts_in_turns_are_scaled
sonde stat -a -x, -o csv -e kprobe:kernel_clone --max-overhead 0.08% -- workload forks 4000 2> err
cat csv err
n=$(value csv)
is "${n:-0} > 2600 && $n < 6000"
is "$(percent csv) < 95"

t intervals_are_scaled_each
sonde stat -a -I 2000 -x, -o csv -e kprobe:kernel_clone --max-overhead 0.1% -- workload forks 3000 2> err
cat csv err
n=$(awk -F, '/kernel_clone/ && $2 ~ /^[0-9]/ { n += $2 } END { print n + 0 }' csv)
is "$n > 1800 && $n < 4200"

t a_program_s_function
sonde stat -i -x, -o csv -e "uprobe:fork@\"$(command -v workload)\"" --max-overhead 0.2% -- workload forks 2000 2> err
cat csv err
n=$(value csv)
is "${n:-0} > 1000 && $n < 3000"
is "$(percent csv) < 95"
has err '^  they would take up to .* us a hit in programs\)$'

# How fast it goes changes from run to run; without scaling it would be a tenth.
t a_process
tree() {
	workload tree 3000 &
	sonde stat -x, -o csv -e "uprobe:leaf@\"$(command -v workload)\"" "$@" -p $! 2> err
	wait $!
	cat csv err
}
tree
all=$(value csv)
tree --max-overhead 0.2%
n=$(value csv)
is "${all:-0} > 0 && ${n:-0} > 0.3 * $all && $n < 4 * $all"
is "$(percent csv) < 30"
has err 'tasks started meanwhile are counted no longer'

# Its hits are counted by the kernel too, also those while it is switched.
t an_event_of_the_tracing_file_system
sonde probe -q $CALL > out 2>&1 || cat out
sonde stat -a -o csv -e "probe:$CALL" --max-overhead 5% -- workload syscalls 4000000 2> err
grep . csv err
ns=$(sed -n 's/^ *\([0-9.]*\) seconds time elapsed.*/\1/p' csv | awk '{ print $1 * 1e9 }')
us=$(sed -n 's/^  they would take up to .*(\([0-9.]*\) us a hit in the kernel)$/\1/p' err)
hits=$(awk -v p=$CALL '$1 == p { print $2 }' /sys/kernel/tracing/kprobe_profile)
echo "$hits hits"
is "${hits:-0} > 100 && $hits < 2600000"
is "$hits * ${us:-0} * 1000 > 0.01 * ${ns:-0} && $hits * $us * 1000 < 0.1 * $ns"
sonde probe -q -d "probe:$CALL" > out 2>&1 && ok || fail "$(cat out)"

t off_for_good
workload syscalls 100000000 &
calls=$!
sonde stat -a -e kprobe:$CALL --max-overhead 0.0001% 2> err &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	sleep 1
	! grep -q 'off for good' err || break
done
has err '^probes are off for good: they would take [0-9.]+ % of a core'
# The kernel itself says that no breakpoint is left.
if [ -f $LIST ]; then
	! grep $CALL $LIST | grep -v DISABLED && ok || fail "a breakpoint is left"
fi
kill -INT $pid
wait $pid
kill $calls
wait $calls 2> /dev/null
cat err
has err '^ +[0-9,]+ +kprobe:.* \([0-9.]+%\)$'

# Hits a second are about those of the whole run, and the share is what they make.
t bad_ones_are_told_while_they_count
sonde stat -a -e kprobe:$CALL -- workload syscalls 300000 2> err
cat err
TOLD='^probes take about [0-9.]+ % of CPU [0-9]+ \([0-9,]+ hits a second\):$'
has err "$TOLD"
has err '^  [0-9.]+ us each in the kernel; --max-overhead 5% keeps them below that share$'
eq "$(grep -c '^probes take' err)" 1
elapsed=$(sed -n 's/^ *\([0-9.]*\) seconds time elapsed.*/\1/p' err)
set -- $(sed -n '/^probes take/ { N; s/.* \([0-9.]*\) % of CPU [0-9]* (\([0-9,]*\) hits a second):\n *\([0-9.]*\) us .*/\1 \2 \3/p; }' err |
	tr -d ,)
is "${2:-0} > 300000 / $elapsed / 4 && $2 < 300000 / $elapsed * 4"
is "$1 > $2 * $3 / 1e4 - 0.3 - $2 / 1e6 && $1 < $2 * $3 / 1e4 + 0.3 + $2 / 1e6"

t bad_ones_are_told_while_they_are_recorded
sonde record -a -o bad.data -e "uprobe:syscall@\"$(command -v workload)\"" -- workload syscalls 300000 2> err
cat err
has err "$TOLD"
has err '^  [0-9.]+ us each in programs, and what recording them takes$'
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
