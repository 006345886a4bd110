#!/bin/sh
# time: 600
# kernels: 6.12
# also: 5.10
# perf's command lines that people have in their notes, through that name: counting, sampling, sched, kmem, trace, cgroups.
# notes.list says of all of them where they are tried. Numbers of CPUs and names of processes are those of this machine.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload
TRACING=/sys/kernel/tracing
mkdir names
ln -s "$(command -v sonde)" names/perf
PATH=$PWD/names:$PATH

# runs COMMAND...: exit status 0; its output is in out, its messages in err. What only reads a recording has the machine for itself:
# both of its CPUs are one thread of the emulator.
runs() {
	case " $* " in *' -i '*) kill -STOP $busy $inside ;; *) kill -CONT $busy $inside ;; esac
	"$@" > out 2> err < /dev/null
	r=$?
	[ $r = 0 ] && ok || { cat err; fail "exit status $r: $*: $(tail -n 1 err)"; }
}

# shows COMMAND...: what a screen says that nobody ends but by Ctrl-C.
shows() {
	kill -CONT $busy
	"$@" > out 2> err < /dev/null &
	screen=$!
	wait_for has_lines out 'samples/s' 1
	kill -INT $screen
	wait $screen
	r=$?
	[ $r = 0 ] && ok || fail "exit status $r: $*: $(tail -n 1 err)"
}

workload shape 600000 &
busy=$!
inside=

t what_it_was_built_with
runs perf version --build-options
has out '^sonde '

t counters
runs perf stat -a -d -d -d -C 1 -r 2 -- sleep 0.2
has err 'cycles'
has err 'L1-dcache-loads'
runs perf stat -a -d -d -d -e cpu-clock -e cycles -e instructions -e stalled-cycles-backend -e stalled-cycles-frontend \
	-e branch-misses -e branch-loads -e L1-dcache-store-misses -e L1-dcache-stores -C 1 -- sleep 0.3
has err 'stalled-cycles-backend'
has err 'branch-loads'
perf stat -a -e l2cache_0/total-requests/ -C 1 -- sleep 0.1 > out 2> err && fail "a PMU of another machine" || has err 'l2cache_0'

t screens
shows perf top -p $busy -v
has out 'hot_'
shows perf top -c 1000000 -v -p $busy
has out 'hot_'
shows perf top -e cycles:u -t $busy --dsos workload,libvirt.so.0.4006.0
has out 'hot_'
shows perf top -g --no-children -C 0
has out 'samples/s'

t a_group_with_a_probe_in_front_of_a_screen
# irq_work_queue is notrace on arm64.
runs perf probe --add wake_up_new_task
shows perf top -e '{cycles,probe:wake_up_new_task}:S' -a -C0 -g --no-children
has out 'cycles|probe:wake_up_new_task'
runs perf record -o p.data -e probe:wake_up_new_task -a -g -- sleep 0.3
runs perf report -n --stdio -i p.data
has out 'wake_up_new_task'
runs perf probe -d probe:wake_up_new_task

t samples
runs perf record -o p.data -a -g sleep 0.5
runs perf report --stdio -i p.data
has out 'hot_'
runs perf report --stdio -i p.data --comm workload --percent-limit 0.5
has out 'hot_'
runs perf report -n -i p.data
has out 'Samples'
runs perf script -i p.data -c workload
has out '^ *workload '
grep -q '^ *sonde  *[0-9]' out && fail "others' samples" || ok
runs perf script --ns -i p.data
has out ' [0-9]+\.[0-9]{9}: '
runs perf record -o p.data -g -t $busy -- sleep 0.3
runs perf record -o p.data -F 99 -g --call-graph=dwarf -p $busy -g -- sleep 1
runs perf script -i p.data
has out 'hot_'
runs perf record -o p.data -a -g -p $busy -- sleep 0.3
has err 'PID/TID switch overriding SYSTEM'
runs perf annotate --stdio2 -i p.data hot_a
has out '^Percent|ret'

t a_function_with_unwinding_rules
runs perf probe -x "$(command -v workload)" hot_a
runs perf record -o p.data -e 'probe_workload:*' -aR --call-graph dwarf workload shape 5
runs perf script -i p.data
has out 'main'
runs perf probe -d 'probe_workload:*'

t rates
rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
echo 20000 > /proc/sys/kernel/perf_event_max_sample_rate
runs perf record -o p.data -F max -p $busy -- sleep 0.2
echo "$rate" > /proc/sys/kernel/perf_event_max_sample_rate

t scheduler
runs perf sched record -o s.data -a -C 0 -- sleep 0.5
runs perf sched -i s.data latency
has out 'Max delay'
runs perf sched -i s.data script
has out 'sched:sched_switch'
runs perf sched -i s.data timehist
has out 'wait time'

t memory
runs perf kmem record -o k.data sleep 0.3
runs perf kmem -i k.data stat --caller
has out 'Callsite'
runs perf kmem record --page -o k.data sleep 0.3
runs perf kmem -i k.data stat --page
has out 'Total allocation requests'

t calls
runs perf trace taskset -c 1 echo aaa
has err 'sched_setaffinity|sched_getaffinity'
has out '^aaa'
ip link set lo up
perf trace --no-syscalls --event 'net:*' busybox ping -c1 127.0.0.1 > out 2> err < /dev/null
eq "$?" 0
has err 'net:net_dev_start_xmit\(|net:net_dev_queue\('

t cgroups
[ -e /sys/fs/cgroup/cgroup.controllers ] || mount -t cgroup2 cgroup2 /sys/fs/cgroup
echo +memory > /sys/fs/cgroup/cgroup.subtree_control
slice=my_private.slice/docker-879e9059287c.scope
mkdir -p /sys/fs/cgroup/$slice
echo +memory > /sys/fs/cgroup/my_private.slice/cgroup.subtree_control
sh -c "echo \$\$ > /sys/fs/cgroup/$slice/cgroup.procs; exec workload shape 600000" &
inside=$!
wait_for comm_is $inside workload
runs perf record -o p.data -F 99 -e cpu-clock --cgroup=$slice -a -- sleep 1
runs perf script -i p.data
has out "^ *workload +$inside "
grep -q "^ *workload  *$busy " out && fail "who is in no such group" || ok
runs perf stat -e 'syscalls:sys_enter_nanosleep,syscalls:sys_enter_clock_nanosleep' -G $slice,$slice -a -- sleep 0.2
has err "$slice"
kill -KILL $inside
wait $inside 2> /dev/null
inside=
rmdir /sys/fs/cgroup/$slice /sys/fs/cgroup/my_private.slice
echo -memory > /sys/fs/cgroup/cgroup.subtree_control

t nothing_is_left
kill -KILL $busy
wait $busy 2> /dev/null
eq "$(cat $TRACING/kprobe_events)" ""
