#!/bin/sh
# time: 900
# kernels: 6.1
# also: 6.12
# sonde ftrace agent and record -A, with each other and with trace-cmd's: by TCP and by vsock, on one machine that is
# host and guest. Each recording has every event of a known workload, both programs read it, and nothing is left.
# The roots of these two kernels have trace-cmd 3.1.6 and 3.3.1; that of 5.10 has 2.9, which does not know version 7.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload trace-cmd nc

getppid=173
event=raw_syscalls:sys_enter
tracing=/sys/kernel/tracing
at=127.0.0.1

ip link set lo up 2> /dev/null || ifconfig lo up
modprobe vsock_loopback

# --- what was recorded ---

# both_read FILE N: sonde and trace-cmd find that one of its threads called getppid N times; their texts are FILE.NAME.
both_read() {
	sonde ftrace report -t -i "$1" > "$1.sonde" 2> report.err
	trace-cmd report -t -i "$1" > "$1.trace-cmd" 2>> report.err
	for program in sonde trace-cmd; do
		eq "$program: $(sed -n "s/^.*-\([0-9]*\) .*NR $getppid .*/\1/p" "$1.$program" |
			awk '++n[$1] > most { most = n[$1] } END { print most + 0 }')" "$program: $2"
	done
	cat report.err
}

# options_of FILE: what it says about itself, as trace-cmd tells it.
options_of() {
	trace-cmd dump --options -i "$1" 2> /dev/null
}

# one_clock FILE: it was compared twice for each CPU. Host and guest have the same clock here, so that all is error.
one_clock() {
	options_of "$1" | sed -n 's/^\t\(-*[0-9]*\) 1 0 [0-9]*\[offset .*/\1/p' > shifts
	eq "$(grep -c . shifts)" $(($(nproc) * 2))
	awk '$1 < -20000000 || $1 > 20000000 { exit 1 }' shifts && ok || fail "a clock is not itself: $(cat shifts)"
}

# --- what is left ---

# settings: a buffer that was not yet used says what it will be, and is then rounded up to whole pages.
settings() {
	for name in tracing_on set_event current_tracer trace_clock; do
		echo "$name $(cat $tracing/$name)"
	done
	echo "about $(($(sed 's/^.*expanded: //; s/)//' $tracing/buffer_size_kb) / 64)) * 64 KB"
}

# nothing_left: nothing was changed, made, or forgotten.
nothing_left() {
	eq "$(ls $tracing/instances)" ""
	eq "$(settings)" "$before"
	eq "$(ls | grep -c '\.cpu[0-9]\|\.head')" 0
}

# theirs_left: what trace-cmd leaves is removed, and no more than that was left. Its host does not get rid of the instance
# in which it has compared clocks; no program of ours knows that name.
theirs_left() {
	eq "$(ls $tracing/instances | grep -v '^clock_synch-[0-9]*$')" ""
	eq "$(grep -c clock_synch "$(command -v sonde)")" 0
	trace-cmd reset > /dev/null 2>&1
	rmdir $tracing/instances/clock_synch-* 2> /dev/null
	nothing_left
}

# --- agents ---

# ours OPTION...: our agent; agent is its process.
ours() {
	rm -f agent.log
	sonde ftrace agent "$@" 2> agent.log &
	agent=$!
	wait_for grep 'listening on' agent.log
}

ends() {
	kill -INT $agent
	wait_for is_over $agent
	wait $agent
	eq $? 0
	cat agent.log
}

# trace-cmd's agent tells nobody when it begins to trace. But it is the top instance of this machine that it uses.
cat > traced << 'END'
until [ "$(cat /sys/kernel/tracing/tracing_on)" = 1 ]; do sleep 0.1; done
workload syscalls 500
END

# record_with OPTION...: when there is an agent; status is its.
record_with() {
	sonde ftrace record -o host.dat "$@" sh traced > said 2> err
	status=$?
	! grep -q 'cannot connect' err
}

no_instance() {
	[ -z "$(ls $tracing/instances)" ]
}

# A workload that calls, tells that it has, and waits.
cat > held << 'END'
workload syscalls 2000
: > held.runs
until [ -e held.go ]; do sleep 0.2; done
END

# held_at PORT FILE: a host of ours has it recorded by the agent there; host is its process.
held_at() {
	rm -f held.*
	sonde ftrace record -q -o "$2" --tsync-interval -1 -A $at:$1 -e $event sh held 2> err &
	host=$!
	wait_for [ -e held.runs ]
}

before=$(settings)

t tcp_ours_with_ours
ours -p 7100 -N $at
sonde ftrace record -o host.dat -e $event -A $at:7100 --name board -e $event workload syscalls 500 > said 2> err
eq $? 0
cat said err
has err 'host-board.dat: [0-9]+ pages'
both_read host.dat 500
both_read host-board.dat 500
one_clock host-board.dat
nothing_left

# Times are shown as those of the host, by both programs alike; each file knows the other by its number.
t times_and_numbers
for program in sonde trace-cmd; do
	sed -n 's/.* \([0-9]*\.[0-9]*\): *sys_enter:.*/\1/p' host-board.dat.$program > times.$program
done
[ -s times.sonde ] && cmp times.sonde times.trace-cmd && ok || fail "they differ: $(differing times.sonde times.trace-cmd | head)"
id=$(options_of host-board.dat | grep -A 1 TRACEID | sed -n 's/^0x//p')
options_of host.dat > options
has options "board \\[Guest name\\]"
has options "(0x)?$id \\[trace id\\]"

# Who has asked is killed in the middle: the agent ends what it does for him, and serves the next.
t a_host_that_dies
held_at 7100 dies.dat
no_instance && fail "nothing is traced" || ok
kill -KILL $host
wait $host
: > held.go
wait_for no_instance
rm -f dies*
nothing_left
sonde ftrace record -q -o next.dat --tsync-interval -1 -A $at:7100 -e $event --file-version 6 workload syscalls 100 2> err
eq "$?$(cat err)" 0
[ ! -e next.dat ] && ok || fail "nothing was traced here"
both_read next-$at.dat 100
eq "$(head -c 11 next-$at.dat | tail -c 1)" 6
nothing_left
ends

# The agent is killed: what has come is kept, and it is told.
t an_agent_that_dies
ours -p 7101 -N $at
held_at 7101 cut.dat
kill -KILL $(pgrep -P $agent) $agent
wait $agent
: > held.go
wait $host
eq $? 1
has err "$at: cut-$at.dat has only what came before: the agent is gone"
wait_for no_instance
nothing_left

# A request that is one, and then not one ring is connected.
t a_host_that_never_connects
ours -p 7102 -N $at --timeout 3
{
	printf '\0\0\0\070\0\0\0\006\0\0\0\020\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\001'
	printf '\0\0\0\0\0\0\0\024\0\0\0\002-e\0sched_waking\0'
	within 60 grep -q 'has not connected to' agent.log
} | nc $at 7102 > answer
has agent.log ": recording"
has agent.log "the host has not connected to $(nproc) of $(nproc) CPUs: what they hold is lost"
nothing_left
ends

t tcp_their_host_with_our_agent
ours -p 7103 -N $at
trace-cmd record -o host.dat --tsync-interval -1 -A $at:7103 -e $event workload syscalls 500 > said 2>&1
eq $? 0
cat said
grep 'Cannot find' said && fail "the description is not what it expects"
both_read host-$at.dat 500
theirs_left
ends

t tcp_our_host_with_their_agent
trace-cmd agent -N $at -p 7104 > their.log 2>&1 &
agent=$!
within 60 record_with --tsync-interval -1 -A $at:7104 -e $event
eq $status 0
cat said err their.log
both_read host-$at.dat 500
kill $agent
wait $agent
theirs_left

# Unless it is told otherwise only the host of a virtual machine may ask; here that is another context.
t vsock_only_the_host
ours -p 7200
sonde ftrace record -q -o not.dat -A 1:7200 -e $event true 2> err
eq $? 1
has agent.log '@1:[0-9]+ may not ask'
ends

t vsock_ours_with_ours
ours -p 7201 --cid 1
sonde ftrace record -q -o host.dat --tsync-interval -1 -A vm@1:7201 -e $event workload syscalls 500 2> err
eq "$?$(cat err)" 0
both_read host-vm.dat 500
nothing_left

t vsock_their_host_with_our_agent
trace-cmd record -o host.dat -A vm@1:7201 -e $event workload syscalls 500 > said 2>&1
eq $? 0
cat said
has said 'Negotiated ptp time sync protocol with guest'
both_read host-vm.dat 500
one_clock host-vm.dat
theirs_left
ends

t vsock_our_host_with_their_agent
trace-cmd agent > their.log 2>&1 &
agent=$!
within 60 record_with -A vm@1 -e $event
eq $status 0
cat said err their.log
both_read host-vm.dat 500
one_clock host-vm.dat
kill $agent
wait $agent
theirs_left
