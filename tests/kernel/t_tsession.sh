#!/bin/sh
# as: root
# time: 900
# kernels: 6.1
# also: 6.12
# report, script and flame of a trace.dat: the kernel's own text of the same events, and weights that add up.
. "$T_HERE/lib.sh"

need sonde workload trace-cmd
tracing=/sys/kernel/tracing

# Events and texts of the kernel's `trace`, without the columns in front.
kernel_text() {
	grep -v '^#' "$1" | sed -E 's/^.*\] [^ ]+ +[0-9.]+: //'
}

t script_says_what_the_kernel_says
# No events with pointers: the kernel shows hashes of them.
# In these buffers nothing is lost, however long it takes.
size=$(sed 's/.*expanded: //; s/)//' $tracing/buffer_size_kb)
trace-cmd start -b 8000 -e sched -e irq -e raw_syscalls -e signal workload syscalls 50 2>&1
trace-cmd stop
cat $tracing/trace > trace.txt
trace-cmd extract -o all.dat 2>&1
trace-cmd reset > /dev/null 2>&1
echo "$size" > $tracing/buffer_size_kb
kernel_text trace.txt > kernel.txt
sonde script -i all.dat -F event,trace 2> script.err | sed -E 's/^ *[a-z_]+:([a-z_0-9]+): ?/\1: /' > sonde.txt
[ "$(wc -l < kernel.txt)" -gt 200 ] && ok || fail "only $(wc -l < kernel.txt) events"
# Several CPUs at the same time stand in any order.
sort kernel.txt > a
sort sonde.txt > b
cmp a b && ok || { diff a b | head -20; fail "the texts differ"; }
eq "$(cat script.err)" ""

t times_cpus_and_threads
sonde script -i all.dat -F tid,cpu,time > b
grep -v '^#' trace.txt | sed -E 's/^.*-([0-9]+) +(\[[0-9]+\]) [^ ]+ +([0-9]+)\.([0-9]+): .*/\1 \2 \3.\4/' | sort > a
sed -E 's/^ +//; s/ +/ /g; s/: ?$//' b | sort > c
# The kernel rounds its microseconds, perf cuts them.
eq "$(cut -d ' ' -f 1,2 a | sort | uniq -c | sort | head -n 50 | md5sum)" "$(cut -d ' ' -f 1,2 c | sort | uniq -c | sort | head -n 50 | md5sum)"
eq "$(wc -l < a)" "$(wc -l < c)"

t stacks_are_call_chains
trace-cmd record -o stacks.dat -e sched:sched_switch -R stacktrace -F workload switches 40 2>&1
n=$(trace-cmd report -i stacks.dat 2> /dev/null | grep -c ': kernel_stack:')
eq "$(sonde script -i stacks.dat 2> /dev/null | grep -c ' schedule+0x')" "$(trace-cmd report -i stacks.dat 2> /dev/null | grep -cE '^=> schedule \(')"
eq "$(sonde script -G -i stacks.dat 2> /dev/null | grep -c kernel_stack)" 0
[ "$n" -gt 20 ] && ok || fail "only $n stacks"
sonde flame -i stacks.dat --folded > folded
has folded '^workload;.*;schedule;__schedule.* [0-9]+$'
sonde report -i stacks.dat --no-children -g none -s comm -n 2> /dev/null > report
has report '% +[0-9]+ +workload'

t functions_with_their_callers
trace-cmd record -o func.dat -p function -l __arm64_sys_getppid -F workload syscalls 30 2>&1
sonde flame -i func.dat --folded > folded
has folded '^workload;[a-z_.0-9]+;__arm64_sys_getppid 30$'
eq "$(sonde script -i func.dat -F trace 2> /dev/null | grep -c '__arm64_sys_getppid <--')" 30

t graph_weighs_by_own_time
trace-cmd record -o graph.dat -p function_graph -g __arm64_sys_getppid -F workload syscalls 30 2>&1
sonde flame -i graph.dat --folded > folded
has folded '^workload;__arm64_sys_getppid [0-9]+$'
# What is within it: own times add up to the times of its calls. (An interrupt at its edge may stand beside it.)
total=$(awk '/^workload;__arm64_sys_getppid[; ]/ { n += $NF } END { printf "%d", n }' folded)
sonde script -G -i graph.dat -F event,trace 2> /dev/null | grep 'funcgraph_exit: <-- __arm64_sys_getppid (0)' |
	sed -E 's/.*start: ([0-9a-f]+) +end: ([0-9a-f]+).*/\1 \2/' > ends
eq "$(wc -l < ends)" 30
calls=$(while read -r s e; do echo $((0x$e - 0x$s)); done < ends | awk '{ n += $1 } END { printf "%d", n }')
awk -v a="$total" -v b="$calls" 'BEGIN { exit !(a > 0 && a >= b * 0.98 && a <= b * 1.02) }' && ok ||
	fail "own times are $total ns, the calls took $calls ns"

t default_name
mkdir alone && cd alone && cp ../func.dat trace.dat
sonde report 2> /dev/null > report
has report "event 'ftrace:function'"
cd ..
