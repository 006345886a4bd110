#!/bin/sh
# time: 600
# kernels: 6.1 6.12
# sonde ftrace stream, split, restore and extract: counts of known workloads, nothing lost or doubled, Ctrl-C at once, and
# what a killed recorder left becomes a recording.
. "$T_HERE/lib.sh"

need sonde workload trace-cmd

getppid=173
tracing=/sys/kernel/tracing

lines() {
	sonde ftrace report -i "$1" 2> report.err | grep -c -e "$2"
}

# wait_for FILE: until it is there and not empty.
wait_for() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -s "$1" ] && return 0
		sleep 0.5
	done
	fail "$1 does not come"
}

t stream_counts
sonde ftrace stream -F -e raw_syscalls:sys_enter workload syscalls 3000 > text 2> err
eq "$(grep -c "NR $getppid " text)" 3000
sed -n 's/^.*\] .* \([0-9]*\.[0-9]*\): .*/\1/p' text > times
sort -n -c times && ok || fail "not in order of time"

t stream_ends_at_once
(trap - INT; exec sonde ftrace stream -e raw_syscalls > flood 2> err) &
pid=$!
workload syscalls 100000000 > /dev/null &
load=$!
wait_for flood
sleep 1
kill -INT $pid
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	kill -0 $pid 2> /dev/null || break
	sleep 0.25
done
kill -0 $pid 2> /dev/null && fail "still there after 5 s" || ok
wait $pid
eq $? 0
kill $load

t split_by_events
sonde ftrace record -q -o six.dat -F -e raw_syscalls workload syscalls 1000
sonde ftrace split -r -e 700 -i six.dat -o part 2> err
trace-cmd report -t -i six.dat 2> /dev/null | grep '\] ' > whole
for p in part.0*; do
	sonde ftrace report -t -i $p 2> /dev/null | grep '\] '
done > parts.own
for p in part.0*; do
	trace-cmd report -t -i $p 2> /dev/null | grep '\] '
done > parts
cmp whole parts && ok || fail "the parts are not the whole"
[ -s whole ] && ok || fail "nothing to compare"
eq "$(wc -l < parts.own)" "$(wc -l < whole)"
eq "$(lines part.0001 '\] ')" 700

t split_by_time
from=$(sed -n '101s/.*\] [^ ]* *\([0-9.]*\): .*/\1/p' whole)
to=$(sed -n '200s/.*\] [^ ]* *\([0-9.]*\): .*/\1/p' whole)
sonde ftrace split -i six.dat -o range "$from" "$to" 2> err
trace-cmd report -t -i range 2> /dev/null | grep '\] ' > got
sed -n 101,200p whole > want
cmp got want && ok || fail "from $from to $to"

t restore_after_kill
rm -f kill.dat*
sonde ftrace record -o kill.dat -s 1 -e raw_syscalls -P $$ 2> said &
pid=$!
wait_for said
i=0
while [ $i -lt 20000 ]; do
	[ -e /proc/$$ ]
	i=$((i + 1))
done
sleep 1
kill -9 $pid
wait $pid
for i in 1 2 3 4 5 6 7 8 9 10; do
	ls -d $tracing/instances/sonde-* > /dev/null 2>&1 || break
	sleep 0.5
done
ls -d $tracing/instances/sonde-* > /dev/null 2>&1 && fail "the instance stays" || ok
sonde ftrace restore -o kill.dat kill.dat.cpu* 2> err
eq $? 0
[ "$(lines kill.dat sys_enter)" -gt 1000 ] && ok || fail "$(lines kill.dat sys_enter) events; $(cat err)"

t restore_with_a_description
sonde ftrace restore -c -o here.dat
sonde ftrace restore -i here.dat -o again.dat kill.dat.cpu* 2> err
sonde ftrace report -i kill.dat 2> /dev/null > a
sonde ftrace report -i again.dat 2> /dev/null > b
cmp a b && ok || fail "not the same"
# and trace-cmd does the same with the files
trace-cmd restore -o peer.dat kill.dat.cpu0 kill.dat.cpu1 > /dev/null 2>&1
eq "$(lines peer.dat sys_e)" "$(lines kill.dat sys_e)"
rm kill.dat.cpu*

t extract
sonde ftrace start -B ex -e raw_syscalls:sys_enter > /dev/null
workload syscalls 500
sonde ftrace stop -B ex
sonde ftrace extract -q -B ex -o ex.dat
eq "$(lines ex.dat "workload.*NR $getppid ")" 500
sonde ftrace reset --ours > /dev/null
[ ! -d $tracing/instances/ex ] || rmdir $tracing/instances/ex

# Tracing rests while the buffer is emptied, and goes on whatever ends that.
t extract_that_is_killed
for signal in TERM KILL; do
	rm -f ex.dat*
	sonde ftrace start -B ex -b 20000 -e raw_syscalls > /dev/null
	workload syscalls 200000
	sonde ftrace extract -q -B ex -o ex.dat &
	pid=$!
	while [ "$(cat $tracing/instances/ex/tracing_on)" = 1 ] && [ ! -s ex.dat ] && kill -0 $pid 2> /dev/null; do :; done
	kill -$signal $pid
	wait $pid
	for i in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(cat $tracing/instances/ex/tracing_on)" = 0 ] || break
		sleep 0.5
	done
	eq "$signal: $(cat $tracing/instances/ex/tracing_on)" "$signal: 1"
	[ $signal = KILL ] || [ "$(lines ex.dat "NR $getppid ")" -gt 1000 ] && ok || fail "no file"
	[ $signal = KILL ] || ! ls ex.dat.cpu* 2> /dev/null && ok || fail "files are left"
	sonde ftrace reset --ours > /dev/null
	[ ! -d $tracing/instances/ex ] || rmdir $tracing/instances/ex
done
rm -f ex.dat*

t profile_events
sonde ftrace record -q -o prof.dat --profile -F workload switches 20
[ "$(lines prof.dat kernel_stack)" -gt 10 ] && ok || fail "no stacks"
[ "$(lines prof.dat funcgraph_entry)" -gt 10 ] && ok || fail "no functions"

t over_the_network
ip link set lo up 2> /dev/null || ifconfig lo up
mkdir net
sonde ftrace listen -p 7000 -d net 2> listening &
listener=$!
wait_for listening
sonde ftrace record -q -b 4000 -N 127.0.0.1:7000 -F -e raw_syscalls:sys_enter workload syscalls 1000
eq $? 0
# trace-cmd's own sender, in its version of the protocol; without -t by UDP
trace-cmd record -q -N 127.0.0.1:7000 -t -F -e raw_syscalls:sys_enter workload syscalls 1000 > peer.out 2>&1
trace-cmd reset > /dev/null 2>&1
sleep 2
kill -INT $listener
wait $listener
eq $? 0
for f in net/*.dat; do
	eq "$(lines "$f" "NR $getppid ")" 1000
done
eq "$(ls net | wc -l)" 2
trace-cmd report -i "$(ls -d net/*.dat | head -n 1)" > report 2> report.err
eq "$(grep -c "NR $getppid " report)" 1000

t nobody_listens
sonde ftrace record -q -N 127.0.0.1:7999 -e raw_syscalls:sys_enter true 2> err
eq $? 1
has err '127.0.0.1:7999.*refused'
