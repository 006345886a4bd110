#!/bin/sh
# as: root
# kernels: 6.12
# also: 5.10
# order: last
# The v1 hierarchy of control groups. Last, for the kernel gives perf_event back to v2 only when every trace of v1 is gone.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload

t record
umount /sys/fs/cgroup 2> /dev/null
mkdir cg
if mount -t cgroup -o perf_event cgroup cg 2> /dev/null && mkdir cg/mine; then
	sh -c 'echo $$ > cg/mine/cgroup.procs; exec workload shape 600000' &
	pid=$!
	within 60 comm_is $pid workload
	sonde record -q -e cpu-clock -G "$PWD/cg/mine" -o group -- sh -c ". $T_HERE/lib_wait.sh; runs_on /proc/$pid/stat 30"
	sonde script -i group -F comm | sort -u > comms
	eq "$(tr -d ' ' < comms)" workload
	kill $pid
	wait
	rmdir cg/mine
	umount cg
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
else
	skip-kernel "no perf_event control group"
fi
