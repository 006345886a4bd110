#!/bin/sh
# as: root user
# time: 600
# kernels: 5.10 6.12
# also: 6.1-rt 6.12-16k
# sonde record: what it writes is read by this kernel's own perf and holds the numbers the workload is known for.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload perf

# Starting perf takes seconds under emulation: it reads one recording of each kind, and t_report.sh shows that sonde script
# says the same of every sample; the rest is counted with that.
samples() {
	sonde script -i "$1" -F comm | grep -c .
}

# Its number in the table of system calls that arm64 and other newer architectures share.
getppid=173

# near GOT WANT PERCENT: GOT is within PERCENT of WANT.
near() {
	awk -v g="$1" -v w="$2" -v p="$3" 'BEGIN { d = g > w ? g - w : w - g; exit !(d <= w * p / 100) }' && ok ||
		fail "got $1, not within $3 % of $2"
}

t page_faults_are_exact
sonde record -q -c 1 -e page-faults:u -o faults workload faults 1000
perf script -i faults -F ip,sym | grep -c touch_pages > n
eq "$(cat n)" 1000

t exit_status_of_the_command
sonde record -q -e cpu-clock:u -o status workload exit 7
eq $? 7
sonde script -i status > /dev/null 2>&1 && ok || fail "the file is not readable"

t command_not_found
sonde record -o unwritten /no/such/command 2> err
eq $? 1
has err "cannot run '/no/such/command': No such file or directory"

t unknown_event_offers_names
sonde record -e cycels -o unwritten true 2> err
eq $? 1
has err "cycles"

t no_such_process
sonde record -o unwritten -p 999999 2> err
eq $? 1
has err 'no such process: 999999'

t bad_cpu_list
sonde record -o unwritten -C 0-9999 true 2> err
eq $? 1
has err 'CPU'

t output_not_writable
sonde record -e cpu-clock:u -o /proc/nothing true 2> err
eq $? 1
has err 'cannot write /proc/nothing'

t timeout_ends_it
start=$(date +%s)
sonde record -q -e cpu-clock:u --timeout 300 -o short workload shape 90000
# The command would take 90 s of CPU time; how slow the machine is does not matter.
[ $(($(date +%s) - start)) -lt 60 ] && ok || fail "it went on for $(($(date +%s) - start)) s"
sonde script -i short > /dev/null 2>&1 && ok || fail "the file is not readable"

t sigterm_leaves_a_valid_file
sonde record -q -e cpu-clock:u -o term workload shape 600000 &
pid=$!
# With half a second of CPU time behind it there are samples, however slow the machine is.
within 120 child_has_run $pid 50
kill -TERM $pid
wait $pid
perf script -i term -F ip,sym > script 2>&1
has script hot_a

if [ "$T_AS" = user ]; then
	t system_wide_is_refused_with_the_reason
	sonde record -a -e cpu-clock -o unwritten true 2> err
	eq $? 1
	has err 'perf_event_paranoid|CAP_PERFMON'
	exit 0
fi

t cycles_and_call_chains
sonde record -q -g -o chain workload shape 400
eq $? 0
perf script -i chain -F ip,sym > script
has script 'hot_a'
has script 'main'

t an_event_that_was_asked_for_is_not_replaced
perf stat -x, -e instructions true 2>&1 | grep -q 'not supported' || skip-kernel "this machine counts instructions"
sonde record -e instructions -o unwritten true 2> err && fail "instructions were recorded" || ok
has err 'not supported'

t system_wide_follows_processes
sonde record -q -a -c 1 -e sched:sched_process_fork -o forks workload forks 100
near "$(sonde script -i forks -F comm 2> /dev/null | grep -c workload)" 100 2

t syscalls_are_exact
sonde record -q -m 4M -c 1 -e raw_syscalls:sys_enter -o calls workload syscalls 5000
near "$(samples calls)" 5000 2

t filter_in_the_kernel
sonde record -q -m 4M -e raw_syscalls:sys_enter --filter "id == $getppid" -o filtered workload syscalls 5000
eq "$(samples filtered)" 5000

# Enabled one by one, members stay out of a leader that counts already on 6.12: the faults were not there.
t each_member_of_a_group_has_samples
group='{cpu-clock/period=1000000/,page-faults/period=1/u}'
for how in -a -i --inherit; do
	[ "$how" != -a ] || [ "$T_AS" = root ] || continue
	sonde record -q -m 4M $how -e "$group" -o members workload faults 1000
	sonde script -i members -F event,ip,sym > members.txt
	eq "$(grep -c 'page-faults.*touch_pages' members.txt)" 1000
	has members.txt cpu-clock
done

t bad_filter_is_explained
sonde record -e raw_syscalls:sys_enter --filter 'nosuch == 1' -o unwritten true 2> err
eq $? 1
has err 'refused the filter'

t context_switches
# A timer may end before the task sleeps, and others may take the CPU: what the kernel says of the process is what is wanted.
sonde record -q -c 1 -e context-switches -o switches busybox time -v workload switches 500 2> rusage
want=$(switches_of rusage)
[ "$want" -ge 50 ] && ok || fail "$want context switches: $(cat rusage)"
near "$(sonde script -i switches -F comm | grep -c workload)" "$want" 10

t new_threads_are_followed
sonde record -q -e cpu-clock -o threads workload threads 4 300
sonde script -i threads -F comm 2> /dev/null | sort | uniq -c > comms
for i in 0 1 2 3; do
	has comms "worker-$i"
done

t attach_to_a_process_and_its_death
workload shape 600000 &
pid=$!
within 60 comm_is $pid workload
sonde record -q -m 64K -e cpu-clock -g -p $pid -o attach &
recorder=$!
# Samples have come, so it is attached.
within 120 larger attach 60000
kill $pid
wait $recorder
eq $? 0
wait
sonde script -i attach -F ip,sym | grep -q hot_a && ok || fail "the process was not sampled"

t pipe_form
sonde record -q -e cpu-clock -o - workload shape 300 | perf script -i - -F comm,ip,sym > script
has script 'workload.*hot_a'

t build_ids
sonde record -q -e cpu-clock -o ids -a sleep 0.2
perf buildid-list -i ids > list 2> list.err
has list '\[kernel.kallsyms\]'
has list '^[0-9a-f]{40} /'
want=$(perf buildid-list -k 2> /dev/null)
eq "$(awk '/kernel.kallsyms/ { print $1 }' list)" "$want"

t full_disk_leaves_a_valid_file
mkdir -p small && mount -t tmpfs -o size=512k tmpfs small
sonde record -q -F 20000 -g -a -e cpu-clock -o small/data -- workload shape 60000 2> err
eq $? 1
has err 'disk is full'
[ "$(samples small/data)" -gt 100 ] && ok || fail "few samples in the file of the full disk"
umount small

t max_size
sonde record -q -F 10000 -a -e cpu-clock --max-size 300K -o size -- workload shape 60000
[ "$(stat -c %s size)" -lt 3000000 ] && ok || fail "the file has $(stat -c %s size) bytes"

t delay
# No sample before that time is over, counted from before the start; the command waits for the events, however late they come.
before=$(cut -d ' ' -f 1 /proc/uptime)
sonde record -k mono -D 1000 -e cpu-clock -o delay -- \
	sh -c ". $T_HERE/lib_wait.sh; within 120 grep -q 'events enabled' err; exec workload shape 300" 2> err
n=$(samples delay)
[ "$n" -gt 20 ] && ok || fail "$n samples: $(cat err)"
first=$(sonde script -i delay -F time | head -n 1 | tr -dc 0-9.)
awk -v b="$before" -v f="$first" 'BEGIN { exit !(f >= b + 1) }' && ok || fail "a sample at $first, started at $before"

# The command stops the recorder, so that a ring of one page must overflow; what is told as lost makes up for what is missing.
# Before 6.1 the kernel tells a loss only with the next record of that CPU's ring: there is one when the rings are empty again.
t lost_samples_are_counted
sonde record -m 1 -e raw_syscalls:sys_enter --filter "id == $getppid && comm == \"workload\"" -o lost -- \
	sh -c ". $T_HERE/lib_wait.sh"'
		emptied() { larger lost $size && grep -q "^State:.S" /proc/$PPID/status; }
		kill -STOP $PPID; workload syscalls 50000; size=$(stat -c %s lost); kill -CONT $PPID
		for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do emptied && break; sleep 1; done
		taskset 1 true; taskset 2 true' 2> err
lost=$(sed -n 's/.*: \([0-9,]*\) events were lost.*/\1/p' err | tr -d ,)
[ "${lost:-0}" -gt 40000 ] && ok || fail "told as lost: '$lost': $(cat err)"
# The records of processes that begin and end meanwhile are lost, too: some ten for each.
sum=$(($(samples lost) + ${lost:-0}))
[ $sum -ge 50000 ] && [ $sum -le 51000 ] && ok || fail "$sum samples and losses for 50000 calls: $(cat err)"
perf report -i lost --stats > stats 2>&1
has stats 'LOST( events)?:'

t cgroup_v2
group=/sys/fs/cgroup
if echo +memory > $group/cgroup.subtree_control 2> /dev/null && mkdir $group/mine; then
	sh -c "echo \$\$ > $group/mine/cgroup.procs; exec workload shape 600000" &
	pid=$!
	within 60 comm_is $pid workload
	sonde record -q -F 500 -e cpu-clock -G mine -o group2 -- sh -c ". $T_HERE/lib_wait.sh; runs_on /proc/$pid/stat 30"
	kill -STOP $pid	# both CPUs are one thread of the emulator, and reading is slow beside it
	sonde script -i group2 -F comm | sort -u > comms
	eq "$(tr -d ' ' < comms)" workload
	# Every group has a name, those that there were as one that is made meanwhile; its samples tell theirs.
	mkdir -p $group/mine/inner
	kill -CONT $pid
	sonde record -q -F 500 -a --all-cgroups -e cpu-clock -o groups -- sh -c ". $T_HERE/lib_wait.sh; mkdir $group/later; runs_on /proc/$pid/stat 30"
	kill -STOP $pid
	sonde script -i groups -F comm,cgroup > cgroups 2>&1
	if grep -q / cgroups; then
		awk '$1 == "workload" { print $2 }' cgroups | sort -u > told
		eq "$(cat told)" /mine
		sonde script -i groups --show-cgroup-events | sed -n 's/.*PERF_RECORD_CGROUP cgroup: //p' | sort > names
		eq "$(awk '{ print $2 }' names | sort)" "$(cd $group && find . -type d | sed 's/^\.$/\//; s/^\.//' | sort)"
		has names "^$(stat -c %i $group/mine) /mine$"
	else
		skip-kernel "events do not tell control groups"
	fi
	kill -KILL $pid
	wait
	rmdir $group/later $group/mine/inner $group/mine
	echo -memory > $group/cgroup.subtree_control
else
	skip-kernel "no control group with a controller"
fi
