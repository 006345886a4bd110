#!/bin/sh
# as: root
# time: 600
# kernels: 5.10
# also: 6.12
# What changes while sonde ftrace traces: CPUs that come up and go down, and another run beside it.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload taskset

tracing=/sys/kernel/tracing
cpu1=/sys/devices/system/cpu/cpu1/online

t cpu_1_goes_off_and_on
if ! echo 0 > $cpu1 || ! echo 1 > $cpu1; then
	skip-kernel "CPU 1 cannot be switched off"
	exit 0
fi
ok

# Its number in the table of system calls that arm64 and other newer architectures share.
getppid=173

# on_cpu_1: of a text, how often one thread called getppid there; a shell calls it, too.
on_cpu_1() {
	sed -n "s/^.*-\([0-9]*\) *\[001\].*NR $getppid .*/\1/p" | awk '++n[$1] > most { most = n[$1] } END { print most + 0 }'
}

# What brings CPU 1 up while it is traced, and works there.
cat > up.sh <<END
echo 1 > $cpu1
exec taskset 2 workload syscalls 1000
END

t record_of_a_cpu_that_comes_up
echo 0 > $cpu1
sonde ftrace record -q -o up.dat -e raw_syscalls:sys_enter sh up.sh
eq $? 0
eq "$(sonde ftrace report -i up.dat | on_cpu_1)" 1000

t stream_of_a_cpu_that_comes_up
echo 0 > $cpu1
sonde ftrace stream -e raw_syscalls:sys_enter sh up.sh > up.text
eq $? 0
eq "$(on_cpu_1 < up.text)" 1000

t record_of_a_cpu_that_stays_off
echo 0 > $cpu1
sonde ftrace record -q -o off.dat -F -e raw_syscalls:sys_enter workload syscalls 1000
eq $? 0
eq "$(sonde ftrace report -i off.dat | grep -c "NR $getppid ")" 1000
echo 1 > $cpu1

t extract_of_a_cpu_that_went_down
sonde ftrace start -e raw_syscalls:sys_enter
taskset 2 workload syscalls 1000
sonde ftrace stop
echo 0 > $cpu1
sonde ftrace extract -o down.dat > out
eq $? 0
echo 1 > $cpu1
eq "$(sonde ftrace report -i down.dat | on_cpu_1)" 1000
sonde ftrace reset > out

# Each has a buffer of its own, and what is set for graphs is neither's.
t functions_of_two_runs
echo vfs_write > $tracing/set_graph_function
sonde ftrace record -q -o one.dat -p function -l vfs_read sh -c '> traces; until [ -e go ]; do sleep 0.1; done' &
one=$!
wait_for test -e traces
sonde ftrace record -q -o two.dat -p function -l vfs_write -F sh -c 'echo x > written'
eq $? 0
eq "$(cat $tracing/set_graph_function)" vfs_write
: > go
wait $one
eq $? 0
sonde ftrace report -i one.dat > one.text
has one.text 'function: +vfs_read'
eq "$(grep -c vfs_write one.text)" 0
sonde ftrace report -i two.dat > two.text
has two.text 'function: +vfs_write'
echo > $tracing/set_graph_function
