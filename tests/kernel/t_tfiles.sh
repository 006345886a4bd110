#!/bin/sh
# time: 1500
# kernels: 6.12
# also: 6.1
# sonde ftrace stream, split, restore and extract: counts of known workloads, nothing lost or doubled, Ctrl-C at once, and
# what a killed recorder left becomes a recording.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload trace-cmd

getppid=173
tracing=/sys/kernel/tracing

lines() {
	sonde ftrace report -i "$1" 2> report.err | grep -c -e "$2"
}

# calls FILE: how often one of its threads called getppid; the name of a thread may be missing, and a shell calls it, too.
calls() {
	sonde ftrace report -i "$1" 2> report.err | sed -n "s/^.*-\([0-9]*\) .*NR $getppid .*/\1/p" |
		awk '++n[$1] > most { most = n[$1] } END { print most + 0 }'
}

# bytes LEAST FILE...: that many are in the files together.
bytes() {
	least=$1
	shift
	[ "$(stat -c %s "$@" 2> /dev/null | awk '{ n += $1 } END { print n + 0 }')" -ge "$least" ]
}

t stream_counts
sonde ftrace stream -F -e raw_syscalls:sys_enter workload syscalls 3000 > text 2> err
eq "$(grep -c "NR $getppid " text)" 3000
sed -n 's/^.*\] .* \([0-9]*\.[0-9]*\): .*/\1/p' text > times
sort -n -c times && ok || fail "not in order of time: $(cat err)"

t stream_ends_at_once
# The flood does not end, so that who wants to read all of it never does; but it does not fill the disk.
(trap - INT; ulimit -f 400000; exec sonde ftrace stream -e raw_syscalls > flood 2> err) &
pid=$!
workload syscalls 1000000000000 > /dev/null &
load=$!
wait_for bytes 1000000 flood
kill -INT $pid
wait_for is_over $pid
is_over $load && fail "the flood is over" || ok
kill $load
wait $pid
eq $? 0
wait $load

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
wait_for grep recording said
# Much is in the files, and more in the buffers.
some() {
	n=0
	while [ $n -lt 2000 ]; do
		[ -e /proc/$$ ]
		n=$((n + 1))
	done
	bytes 400000 kill.dat.cpu*
}
wait_for some
kill -9 $pid
wait $pid
no_instance() {
	! ls -d $tracing/instances/sonde-*
}
wait_for no_instance && ok
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
trace-cmd restore -o peer.dat kill.dat.cpu0 kill.dat.cpu1 > peer.out 2>&1 || cat peer.out
eq "$(lines peer.dat sys_e)" "$(lines kill.dat sys_e)"
rm kill.dat.cpu*

t extract
sonde ftrace start -B ex -e raw_syscalls:sys_enter > /dev/null
workload syscalls 500
sonde ftrace stop -B ex
sonde ftrace extract -q -B ex -o ex.dat
eq "$(calls ex.dat)" 500
sonde ftrace reset --ours > /dev/null
[ ! -d $tracing/instances/ex ] || rmdir $tracing/instances/ex

# Tracing rests while the buffer is emptied, and goes on whatever ends that.
t extract_that_is_killed
for signal in TERM KILL; do
	rm -f ex.dat*
	sonde ftrace start -B ex -b 8000 -e raw_syscalls > /dev/null
	workload syscalls 60000
	sonde ftrace extract -q -B ex -o ex.dat &
	pid=$!
	while [ "$(cat $tracing/instances/ex/tracing_on)" = 1 ] && [ ! -s ex.dat ] && kill -0 $pid 2> /dev/null; do :; done
	kill -$signal $pid
	wait $pid
	wait_for grep 1 $tracing/instances/ex/tracing_on && ok
	[ $signal = KILL ] || [ "$(lines ex.dat "NR $getppid ")" -gt 1000 ] && ok || fail "no file"
	[ $signal = KILL ] || ! ls ex.dat.cpu* 2> /dev/null && ok || fail "files are left"
	sonde ftrace reset --ours > /dev/null
	[ ! -d $tracing/instances/ex ] || rmdir $tracing/instances/ex
done
rm -f ex.dat*

# As many as a top buffer holds that nobody has used. It keeps them, and what is written before and after is not in the file.
t markers_of_the_top_buffer
cat > marking <<'EOF2'
i=0
while [ $i -lt 100 ]; do
	echo "marker $i" > /sys/kernel/tracing/trace_marker
	i=$((i + 1))
done
EOF2
markers_of() {
	sed -n 's/.*print: .*: marker \([0-9]*\)$/\1/p' "$1"
}
seq 0 99 > want
ln -s "$(command -v sonde)" trace-cmd
for how in 'sonde ftrace' ./trace-cmd; do
	echo 'marker before' > $tracing/trace_marker
	$how record -q -o mark.dat -e sched:sched_switch sh marking 2> err
	eq "$?$(cat err)" 0
	echo 'marker after' > $tracing/trace_marker
	sonde ftrace report -i mark.dat > text
	markers_of text > got
	cmp got want && ok || fail "other markers: $(differing want got | head -n 5)"
	grep -E 'marker (before|after)' text && fail "more of them"
	# Among the others, in order of time.
	sed -n 's/^.*\] [^ ]* *\([0-9.]*\): .*/\1/p' text > times
	sort -n times | cmp - times && ok || fail "not in order"
	has text 'sched_switch'
	trace-cmd report -i mark.dat > text 2> report.err
	markers_of text > got
	cmp got want && ok || fail "trace-cmd reads other markers"
	has $tracing/trace 'marker 99$'
	has $tracing/trace 'marker after'
	! ls mark.dat.* 2> /dev/null && ok || fail "files are left"
done
# BPF programs print an event of the top buffer, which the kernel switches on there, and only there.
t what_bpf_programs_print
seq 0 49 > want
for how in 'sonde ftrace' ./trace-cmd; do
	before=$(cat $tracing/events/bpf_trace/enable)
	$how record -q -o print.dat -e sched:sched_switch workload printk 50 2> err
	eq "$?$(cat err)" 0
	for reader in 'sonde ftrace' trace-cmd; do
		$reader report -i print.dat > text 2> report.err
		sed -n 's/.*: bpf_trace_printk: *printed \([0-9]*\)$/\1/p' text > got
		cmp got want && ok || { grep -m 3 printed text; fail "others were printed: $(differing want got | head -n 5)"; }
		eq "$(grep -c printed text)" 50
	done
	has $tracing/trace 'printed 49$'
	# It was on as soon as a program used it, and stays on; it was no business of ours.
	[ "$before$(cat $tracing/events/bpf_trace/enable)" = 11 ] || eq "$before$(cat $tracing/set_event)" 0bpf_trace:bpf_trace_printk
	eq "$(ls $tracing/instances)" ''
done
# Programs that were there before print to the top buffer's reader as ever.
cat $tracing/trace_pipe > read &
reader=$!
sonde ftrace record -q -o print.dat -e sched:sched_switch workload printk 50 2> err
eq "$?$(cat err)" 0
wait_for grep 'printed 49$' read && ok
kill $reader
wait $reader 2> /dev/null
eq "$(grep -c printed read)" 150
eq "$(lines print.dat printed)" 50
sonde ftrace record -q -o print.dat -e sched -v -e bpf_trace workload printk 50
eq "$(lines print.dat printed)" 0
echo 0 > $tracing/events/bpf_trace/enable
sonde ftrace record -q -o print.dat -e sched:sched_switch true
eq "$(cat $tracing/set_event)" ''
echo > $tracing/trace

# A snapshot that is to be taken, and has no place any more: the kernel says so, by trace_puts.
t what_the_kernel_prints
cat > printing <<'EOF2'
tracing=/sys/kernel/tracing
i=0
while [ $i -lt 4 ]; do
	echo snapshot > $tracing/events/sched/sched_process_exit/trigger
	echo 0 > $tracing/snapshot
	(:)
	echo '!snapshot' > $tracing/events/sched/sched_process_exit/trigger
	echo 1 > $tracing/tracing_on
	i=$((i + 1))
done
EOF2
printed_in() {
	sed -n 's/.*: print: *tracing_snapshot[a-z_]*: \(\*\*\* .* \*\*\*\)$/\1/p' "$1"
}
for how in 'sonde ftrace' ./trace-cmd; do
	for others in 0 1; do
		sh printing
		echo $others > $tracing/events/sched/sched_process_fork/enable
		$how record -q -o print.dat -e raw_syscalls sh printing 2> err
		eq "$?$(cat err)" 0
		for reader in 'sonde ftrace' trace-cmd; do
			$reader report -i print.dat > text 2> report.err
			printed_in text > got
			eq "$(wc -l < got) $(sort -u got | wc -l)" '8 2'
		done
		eq "$(grep -c '\*\*\*' $tracing/trace)" 16
		echo 0 > $tracing/events/sched/sched_process_fork/enable
		echo > $tracing/trace
	done
done
rm trace-cmd

t profile_events
sonde ftrace record -q -o prof.dat --profile -F workload switches 20
[ "$(lines prof.dat kernel_stack)" -gt 10 ] && ok || fail "no stacks"
[ "$(lines prof.dat funcgraph_entry)" -gt 10 ] && ok || fail "no functions"

t over_the_network
ip link set lo up 2> /dev/null || ifconfig lo up
mkdir net
sonde ftrace listen -p 7000 -d net 2> listening &
listener=$!
wait_for grep 'listening on' listening
sonde ftrace record -q -b 4000 -N 127.0.0.1:7000 -F -e raw_syscalls:sys_enter workload syscalls 1000
eq $? 0
# trace-cmd's own sender, in its version of the protocol; without -t by UDP
trace-cmd record -q -N 127.0.0.1:7000 -t -F -e raw_syscalls:sys_enter workload syscalls 1000 > peer.out 2>&1 || cat peer.out
trace-cmd reset > /dev/null 2>&1
# What they have sent is kept, whatever of it has been read.
kill -INT $listener
wait $listener
eq $? 0
cat listening
for f in net/*.dat; do
	eq "$(lines "$f" "NR $getppid ")" 1000
done
eq "$(ls net | wc -l)" 2
trace-cmd report -i "$(ls -d net/*.dat | head -n 1)" > report 2> report.err
eq "$(grep -c "NR $getppid " report)" 1000

t network_end_takes_what_was_sent
mkdir late
sonde ftrace listen -p 7001 -d late 2> listening &
listener=$!
wait_for grep 'listening on' listening
cat > held <<'EOF'
: > held.runs
until [ -e held.go ]; do sleep 0.2; done
workload syscalls 300
EOF
sonde ftrace record -q -N 127.0.0.1:7001 -F -c -e raw_syscalls:sys_enter sh held 2> err &
sender=$!
wait_for [ -e held.runs ]
# The receiver sleeps while all the rest is sent, and wakes to find that it is to end.
receiver=$(pgrep -P $listener)
kill -STOP $receiver
: > held.go
# It has sent all when what it runs and its readers have ended; then it waits for what the listener makes of it.
all_sent() {
	! has_child $sender sh && ! has_child $sender sonde
}
wait_for all_sent
fds() {
	set -- /proc/$listener/fd/*
	echo $#
}
open=$(fds)
fewer() {
	[ $(fds) -lt $open ]
}
kill -INT $listener
wait_for fewer
kill -CONT $receiver
wait $listener
eq $? 0
wait $sender
eq $? 0
for f in late/*.dat; do
	eq "$(calls "$f")" 300
done
cat listening err

# listening PORT: somebody does.
listening() {
	cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | grep -q ":$(printf %04X "$1") [0-9A-F]*:0000 0A"
}

# What is sent is one buffer, and both listeners make an ordinary recording of it.
t network_of_an_instance
mkdir ours theirs
sonde ftrace listen -p 7002 -d ours 2> our.log &
ours=$!
# It wants names for addresses, for which a guest has no file.
cp -r /etc etc
echo '127.0.0.1 localhost' > etc/hosts
echo 'hosts: files' > etc/nsswitch.conf
unshare -m sh -c 'mount --bind etc /etc && exec trace-cmd listen -p 7003 -d theirs' > their.log 2>&1 &
theirs=$!
wait_for listening 7002
wait_for listening 7003
for to in 7002 7003; do
	for buffer in '' '-B foo'; do
		sonde ftrace record -q -N 127.0.0.1:$to $buffer -F -e raw_syscalls:sys_enter workload syscalls 200 2> err
		eq "$?$(cat err)" 0
	done
done
kill -INT $ours $theirs
wait $ours
wait $theirs
for folder in ours theirs; do
	eq "$(ls $folder/*.dat | wc -l)" 2
	for f in $folder/*.dat; do
		eq "$(calls "$f")" 200
	done
done
cat our.log their.log

# Nothing of it is kept, and that is not hidden.
t a_listener_that_gives_up
mkdir gone
sonde ftrace listen -p 7004 -d gone 2> gone.log &
listener=$!
wait_for listening 7004
rm -f held.*
cat > held <<'EOF'
: > held.runs
until [ -e held.go ]; do sleep 0.2; done
EOF
sonde ftrace record -q -N 127.0.0.1:7004 -e raw_syscalls:sys_enter sh held 2> err &
sender=$!
wait_for [ -e held.runs ]
kill -KILL $(pgrep -P $listener)
wait_for is_over $sender
wait $sender
eq $? 1
has err 'the listener|Broken pipe|reset'
cat err
: > held.go
# Here it gives up at the end: there is no room for all.
kill -INT $listener
wait $listener
sonde ftrace listen -p 7005 -d gone --max-size 200K 2> gone.log &
listener=$!
wait_for listening 7005
sonde ftrace record -q -N 127.0.0.1:7005 -F -e raw_syscalls:sys_enter workload syscalls 1000 2> err
eq $? 1
has err 'the listener has given up: .*room'
kill -INT $listener
wait $listener

t network_and_compression
sonde ftrace record -q -N 127.0.0.1:7999 --compression zstd -e sched true 2> err
eq $? 2
has err '^sonde: .*-N sends version 6'

t nobody_listens
sonde ftrace record -q -N 127.0.0.1:7999 -e raw_syscalls:sys_enter true 2> err
eq $? 1
has err '127.0.0.1:7999.*refused'
