#!/bin/sh
# as: root
# time: 480
# kernels: 6.12
# also: 5.10
# sonde ftrace record in the background, and commands that are run as another user.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload trace-cmd

getppid=173	# in the table of system calls that arm64 and other newer architectures share
chmod 777 .

# background_pid FILE: of the note that tells it.
background_pid() {
	sed -n "s/.*in the background; 'kill -INT \([0-9]*\)' ends it/\1/p" "$1"
}

t it_records_when_the_foreground_ends
sonde ftrace record --daemonize -o all.dat -e raw_syscalls:sys_enter < /dev/null > told 2>&1
eq $? 0
pid=$(background_pid told)
[ -n "$pid" ] && [ -d "/proc/$pid" ] && ok || fail "no background: $(cat told)"
# stat: the session, and no terminal.
eq "$(sed 's/.*) //' "/proc/$pid/stat" | cut -d' ' -f4)" "$pid"
eq "$(readlink "/proc/$pid/fd/2")" /dev/null
workload syscalls 1000
kill -INT "$pid"
within 60 [ ! -d "/proc/$pid" ] && ok || fail "it goes on after SIGINT"
eq "$(sonde ftrace report -i all.dat | grep 'workload-' | grep -c "NR $getppid ")" 1000
eq "$(echo /sys/kernel/tracing/instances/*)" '/sys/kernel/tracing/instances/*'

t it_ends_with_its_command
sonde ftrace record --daemonize -q -F -o command.dat -e raw_syscalls:sys_enter workload syscalls 1000 > told 2>&1
eq $? 0
eq "$(cat told)" ''
within 60 [ -s command.dat ] && ok || fail "no recording"
within 60 no_sonde && ok || fail "it goes on"
eq "$(sonde ftrace report -i command.dat | grep -c "NR $getppid ")" 1000

# ssh waits for the last who has its pipes: neither the readers nor the command may have them.
t the_callers_pipes_are_let_go_of
out=$(sonde ftrace record --daemonize -o long.dat -e raw_syscalls:sys_enter sh -c 'until [ -e go ]; do sleep 0.1; done' 2>&1)
eq $? 0
case $out in
*'recording in the background'*) ok ;;
*) fail "said: $out" ;;
esac
[ ! -e long.dat ] && ok || fail "it is over already"
: > go
within 60 [ -s long.dat ] && ok || fail "no recording"
wait_for no_sonde

t what_fails_fails_in_the_foreground
sonde ftrace record --daemonize -o no.dat -e nosuch 2> told
eq $? 1
has told "no event matches"
sonde ftrace record --daemonize -o no.dat -e sched /nonexistent 2> told
[ $? != 0 ] && ok || fail "a command that is not there succeeds"
has told "cannot run '/nonexistent'"
[ ! -e no.dat ] && ok || fail "a recording of nothing"
eq "$(echo /sys/kernel/tracing/instances/*)" '/sys/kernel/tracing/instances/*'

# What is in the background stands still while the foreground waits for its word; then the foreground dies. It is set up in
# some tenths of a second, so the shell looks without starting anything. Too late: it does not wait any more.
waits() {
	[ "$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat")" = S ]
}

killed() {
	sonde ftrace record --daemonize -q -o killed.dat -e all > told 2>&1 &
	foreground=$!
	background=
	until [ -n "$background" ] || [ ! -d /proc/$foreground ]; do
		read -r background rest < /proc/$foreground/task/$foreground/children
	done
	until [ -d /sys/kernel/tracing/instances/sonde-"$background"-* ] || [ ! -d "/proc/$background" ]; do
		:
	done
	kill -STOP "$background"
	sleep 0.5
	waits $foreground && kill -KILL $foreground
	result=$?
	kill -CONT "$background"
	return $result
}

t a_foreground_that_dies_takes_it_along
for i in 1 2 3 4 5 6 7 8; do
	killed 2> err && break
	pkill -INT sonde
	wait_for no_sonde
done
wait $foreground
eq $? 137
wait_for no_sonde
eq "$(echo /sys/kernel/tracing/instances/*)" '/sys/kernel/tracing/instances/*'

# As whom it is run.
cat > who.sh <<'EOF2'
id -u
id -g
id -G
echo "$HOME $USER $LOGNAME"
EOF2

t a_command_as_another_user
trace-cmd record -q --user user -o their.dat -e sched:sched_process_exec sh who.sh > theirs 2> their.err
has theirs "^1000$"
for verb in "record -o our.dat" stream profile start; do
	sonde ftrace $verb -q --user user -e sched:sched_process_exec sh who.sh > out 2> err
	eq "$?" 0
	grep -E '^[0-9 ]*$|^/[^ ]* [a-z]+ [a-z]+$' out > ours
	eq "$(cat ours)" "$(grep -E '^[0-9 ]*$|^/[^ ]* [a-z]+ [a-z]+$' theirs)"
done
sonde ftrace reset > out 2>&1
sonde ftrace report -i our.dat > text
has text 'sh-[0-9]+ .*sched_process_exec: .*filename=.*sh'

t users_that_are_none
sonde ftrace record -q --user nosuch -o no.dat -e sched true 2> told
eq $? 2
has told "no user 'nosuch'"
