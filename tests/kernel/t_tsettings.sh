#!/bin/sh
# as: root
# time: 800
# kernels: 5.10
# also: 6.1-rt 6.12
# Settings without an option of their own, threads that are left out, marks, long lists of functions, and the views of what is
# hit and traced: each does what the kernel's file says, and is put back.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload busybox

T=/sys/kernel/tracing
S="sonde ftrace"
F=__arm64_sys_getppid

# value FILE: as the kernel shows it.
value() {
	cat "$T/$1"
}

# about KB: sizes are rounded up to whole pages.
about() {
	echo $(($1 / 64 * 64))
}

# all_values: of what --set knows, and of the lists.
all_values() {
	$S list --settings | grep '^[^	]'
	for f in stack_trace_filter set_event_notrace_pid set_ftrace_notrace_pid set_event set_ftrace_filter buffer_size_kb; do
		echo "$f: $(cat $T/$f | tr '\n' ' ')"
	done
	cat /proc/sys/kernel/stack_tracer_enabled
}

# An unused buffer would grow at its first use.
echo 1408 > $T/buffer_size_kb
all_values > before

t set_and_put_back
$S set --set tracing_thresh=7 --set buffer_percent=80 --set cpu1/buffer_size_kb=512
eq $? 0
eq "$(value tracing_thresh)" 7
eq "$(value buffer_percent)" 80
eq "$(about "$(value per_cpu/cpu1/buffer_size_kb)")" 512
eq "$(value buffer_size_kb)" X
$S list --settings > out
has out '^tracing_thresh=7$'
sonde reset --ours > out
all_values > after
differing before after > diff
eq "$(cat diff)" ""

t a_runs_own_are_gone_with_it
$S record -q -o a.dat --set tracing_thresh=9 --set buffer_percent=20 --set cpu0/buffer_size_kb=256 -e sched:sched_process_exec -- sh -c "cat $T/tracing_thresh $T/instances/sonde-*/buffer_percent $T/instances/sonde-*/per_cpu/cpu0/buffer_size_kb" > out
read -r thresh percent size << END
$(tr '\n' ' ' < out)
END
eq "$thresh $percent $(about "$size")" "9 20 256"
all_values > after
differing before after > diff
eq "$(cat diff)" ""

t killed_ones_go_with_the_guard
$S record -q -o b.dat --set tracing_thresh=9 -e sched:sched_process_exec > out 2>&1 &
p=$!
within 100 grep -qx 9 $T/tracing_thresh && ok || { cat out; fail "not set"; }
kill -KILL $p
wait $p 2> /dev/null
within 100 no_sonde || fail "the guard stays"
all_values > after
differing before after > diff
eq "$(cat diff)" ""

t wrong_ones
$S set --set tracing_tresh=1 2> err
eq $? 2
has err "did you mean 'tracing_thresh'"
$S set --set buffer_percent=200 2> err
eq $? 1
$S set --set cpu99/buffer_size_kb=200 2> err
eq $? 1
has err 'is there such a CPU'
all_values > after
differing before after > diff
eq "$(cat diff)" ""

t osnoise_and_hwlat
if [ -d $T/osnoise ]; then
	$S set --set period_us=1000 2> err
	eq $? 1
	has err 'a period is no shorter than the time in it'
	$S set --set runtime_us=20000 --set osnoise/period_us=50000 --set options=NO_OSNOISE_WORKLOAD,PANIC_ON_STOP --set osnoise/cpus=1 --set stop_tracing_us=4000000 --set timerlat_period_us=2000
	eq $? 0
	eq "$(value osnoise/runtime_us) $(value osnoise/period_us) $(value osnoise/cpus)" "20000 50000 1"
	has $T/osnoise/options ' *NO_OSNOISE_WORKLOAD PANIC_ON_STOP'
	sonde reset --ours > out
	$S record -q -o c.dat -p hwlat --set width=1000 --set window=50000 --set mode=per-cpu -- sh -c "cat $T/hwlat_detector/*" > out
	eq $? 0
	eq "$(tr '\n' ' ' < out)" "none round-robin [per-cpu] 1000 50000 "
else
	$S record -p osnoise --set runtime_us=20000 -- true 2> err
	eq $? 1
	has err 'this kernel has no osnoise/runtime_us'
	$S set --set hwlat_detector/width=20 2> err
	has err 'it needs CONFIG_HWLAT_TRACER'
fi
all_values > after
differing before after > diff
eq "$(cat diff)" ""

t threads_that_are_left_out
: > go
sh -c 'while [ -e go ]; do :; done; exec workload syscalls 30' &
p=$!
$S record -q -o d.dat --notrace-pid $p -e raw_syscalls:sys_enter -- sh -c 'rm go; workload syscalls 100; while [ -d /proc/'$p' ] && ! grep -q "^State:.[ZX]" /proc/'$p'/status; do :; done' 2> err || cat err
wait $p
$S report -i d.dat > out
eq "$(grep -c -- "-$p " out)" 0
[ "$(grep -c ' workload-' out)" -ge 100 ] && ok || fail "nothing of others: $(wc -l < out) lines"
all_values > after
differing before after > diff
eq "$(cat diff)" ""

t the_stack_tracers_functions
if [ -e $T/stack_trace_filter ]; then
	$S stack --start -l vfs_read -l 'vfs_w*'
	eq $? 0
	has $T/stack_trace_filter '^vfs_write$'
	eq "$(cat /proc/sys/kernel/stack_tracer_enabled)" 1
	$S stack --stop
	$S stack --reset
	$S stack --start -l no_such_function 2> err
	eq $? 1
	eq "$(cat /proc/sys/kernel/stack_tracer_enabled)" 0
	$S stack -l vfs_read 2> err
	eq $? 1
	sonde reset --ours > out
fi
all_values > after
differing before after > diff
eq "$(cat diff)" ""

t marks
$S start -B marked -e sched:sched_process_exec
$S mark -B marked the cable is out
printf 'one line\nand the last' | $S mark -B marked
$S mark -B marked --top in both
$S mark -a everywhere
$S show -B marked > out
eq "$(grep -c 'in both$' out) $(grep -c 'everywhere$' out)" "1 1"
$S show > top
eq "$(grep -c 'in both$' top) $(grep -c 'everywhere$' top)" "1 1"
$S clear
has out 'the cable is out$'
has out 'one line$'
has out 'and the last$'
$S stop -B marked
$S mark -B marked late 2> err
eq $? 1
has err 'does not record'
$S mark -B no_such late 2> err
eq $? 1
sonde reset --ours > out
eq "$(ls $T/instances)" ""

t long_lists_of_functions
awk '!/\[/ && !/\./ && $1 !~ /^_/ { print $1 }' $T/available_filter_functions | sort | uniq -u | head -n 400 > names
sed 's/^/-l /' names | xargs $S set -B many
sort $T/instances/many/set_ftrace_filter > got
differing names got > diff
eq "$(cat diff)" ""
eq "$(wc -l < got | tr -d ' ')" 400
{ cat names; echo no_such_function; } | sed 's/^/-l /' | xargs $S set -B many 2> err
has err "no function 'no_such_function' that can be traced"
sonde reset --ours > out
eq "$(ls $T/instances)" ""

t by_module
m=$(sed -n 's/.*\[\(.*\)\]$/\1/p' $T/available_filter_functions | head -n 1)
if [ -n "$m" ]; then
	$S set -B some -l ":mod:$m"
	eq "$(sed 's/.* //' $T/instances/some/set_ftrace_filter | sort -u)" "[$m]"
	# Linux 6.1 and older take it, for a module that may come.
	$S set -B some -l "no_such*:mod:$m" 2> err || has err "no function that can be traced matches 'no_such\*:mod:$m'"
	sonde reset --ours > out
fi
if grep -q 'Can enable module events via: :mod:' $T/README; then
	$S set -B some -e ":mod:$m"
	eq $? 0
else
	$S set -B some -e ":mod:$m" 2> err
	eq $? 1
	has err "cannot choose events by their module: ':mod:$m'"
fi
sonde reset --ours > out
eq "$(ls $T/instances)" ""

t what_is_hit_and_traced
$S start -B hit -e "p:mine/hit $F"
workload syscalls 30
$S list --hits > out
has out "^mine:hit  *30  *0  $F\$"
sonde reset --ours > out
$S start -B hit -p function -l vfs_read
$S list --enabled-functions vfs_read > out
has out '^vfs_read \([0-9]+\)'
$S list --touched-functions '^vfs_read' > out 2> err
if [ -e $T/touched_functions ]; then
	has out '^vfs_read '
else
	has err 'this kernel has no touched_functions'
fi
sonde reset --ours > out
eq "$(ls $T/instances; cat $T/dynamic_events)" ""
all_values > after
differing before after > diff
eq "$(cat diff)" ""
