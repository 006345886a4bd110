#!/bin/sh
# as: root
# time: 600
# kernels: 6.12
# also: 5.10 6.1
# Definitions in the kernel's own words: event probes, synthetic events that stay, returns at a time, several places as one
# event; what a kernel lacks is refused by name, and nothing is left behind.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload busybox

T=/sys/kernel/tracing
S="sonde ftrace"
F=__arm64_sys_getppid

left() {
	cat $T/dynamic_events
	ls $T/instances
}

# defined LINE-START: the kernel has such a line.
defined() {
	grep -q "^$1" $T/dynamic_events && ok || { cat $T/dynamic_events; fail "the kernel has no $1"; }
}

# knows TEXT: the README has it.
knows() {
	grep -qF "$1" $T/README
}

t places_and_returns_at_a_time
sonde probe -a "r16:mine/back $F ret=\$retval:s64" -a "p:mine/both $F" -a 'p:mine/both __arm64_sys_getuid' > out 2>&1
eq $? 0
has out '^  mine:back  *\(on __arm64_sys_getppid%return with ret\)'
defined "r16:mine/back $F ret="
eq "$(grep -c '^p:mine/both ' $T/dynamic_events)" 2
sonde probe -l > out
eq "$(grep -c 'mine:both ' out)" 2
# A second place of the same event by another command; one that the kernel refuses leaves the others.
sonde probe -a 'p:mine/both __arm64_sys_getgid' -a 'p:mine/both no_such_function' 2> err
eq $? 1
eq "$(grep -c '^p:mine/both ' $T/dynamic_events)" 2
sonde probe -d 'mine:*' > out 2>&1
eq "$(grep -c '^Removed' out)" 2
eq "$(left)" ""

t recorded_and_gone
$S record -q -o a.dat -e "r8:mine/back $F ret=\$retval:s64" -e "p: $F" -F -- workload syscalls 40
eq $? 0
$S report -i a.dat > out
eq "$(grep -c ' back: .* ret=' out)" 40
eq "$(grep -c " p_${F}_0: " out)" 40
eq "$(left)" ""
sonde record -q -o p.data -e "p:mine/there $F" -- workload syscalls 25 2> err
eq "$(sonde script -i p.data 2> err | grep -c 'mine:there:')" 25
eq "$(left)" ""

t several_places_of_a_run
$S record -q -o b.dat -e 'p:mine/two __arm64_sys_close' -e 'p:mine/two __arm64_sys_openat' -F -- busybox cat /etc/passwd > /dev/null
$S report -i b.dat > out
eq "$(sed -n 's/.* two: *(\(.*\))$/\1/p' out | sort -u | wc -l)" 2
eq "$(left)" ""

t event_probes
if knows ' e[:['; then
	$S record -q -o c.dat -e 'e:mine/of sched/sched_process_exec pid=$pid:s32' -- workload syscalls 1
	eq $? 0
	$S report -i c.dat > out
	has out ' of: *pid=[0-9]+'
	eq "$(left)" ""
	sonde probe 'e:mine/stays sched.sched_waking pid=$pid:s32' > out 2>&1
	has out '^  mine:stays  *\(on event sched:sched_waking with pid\)'
	sonde probe -l 'mine:*' > out
	has out 'mine:stays'
	$S stat > out
	has out '^   e:mine/stays sched.sched_waking'
	sonde record -e 'e:mine/of sched/sched_process_exec' -- true 2> err
	eq $? 1
	has err 'event probes \(e:\) to tracing by files only'
	$S record -e 'e:mine/stays sched/sched_process_exec' -- true 2> err
	eq $? 1
	has err "there is already an event 'mine:stays'"
	defined 'e:mine/stays '
	sonde probe 'e:mine/none sched.sched_wakin' 2> err
	eq $? 1
	has err "there is no event 'sched:sched_wakin' to probe"
	sonde probe -D 'e:mine/none sched.sched_waking pid=$pidd' 2> err
	eq $? 1
	has err "no field 'pidd', did you mean 'pid'"
	sonde probe -q -d mine:stays
else
	sonde probe 'e:mine/stays sched.sched_waking pid=$pid:s32' 2> err
	eq $? 1
	has err 'this kernel has no event probes \(e:\)'
fi
eq "$(left)" ""

t synthetic_events_that_stay
if knows 's:[synthetic/]'; then
	sonde probe 's:mysyn int pid; u64 lat' > out 2>&1
	eq $? 0
	defined 's:synthetic/mysyn'
	sonde probe -l > out
	has out 'synthetic:mysyn .* with pid lat'
	sonde probe 's:mysyn int pid' 2> err
	eq $? 1
	has err "already an event 'synthetic:mysyn'"
	sonde probe -q -d synthetic:mysyn
	eq "$(left)" ""
	$S record -q -o d.dat -e 's:forarun int pid' -e sched:sched_process_exec -R 'hist:keys=pid:p=pid:onmatch(sched.sched_process_exec).forarun($p)' -- workload syscalls 1 2> err ||
		cat err
	eq "$(left)" ""
else
	sonde probe 's:mysyn int pid; u64 lat' 2> err
	eq $? 1
	has err 'this kernel has no synthetic events \(s:\)'
fi
sonde probe 's:other/mysyn int pid' 2> err
eq $? 1
eq "$(left)" ""

t function_and_tracepoint_probes
for line in 'f:mine/f vfs_read' 't:mine/t sched_switch'; do
	kind=${line%%:*}
	if knows " $kind[:["; then
		$S record -q -o e.dat -e "$line" -- busybox cat /etc/passwd > /dev/null
		eq $? 0
		$S report -i e.dat > out
		has out " $kind: "
	else
		for how in "sonde probe" "$S record -e" "sonde record -e"; do
			$how "$line" -- true 2> err || $how "$line" 2> err
			eq $? 1
			has err "this kernel has no (fprobe events \(f:\)|tracepoint probes \(t:\))"
		done
	fi
	eq "$(left)" ""
done

t reference_counters
# Its guarded marker is passed by two calls when somebody has counted up at that offset.
p=$(dirname "$T_HERE")/bin/probe/usdt
if [ -x "$p" ]; then
	line=$(sonde probe -x "$p" -D %marks:guarded | sed 's/^p:[^ ]*/p:mine\/guarded/')
	$S record -q -o s.dat -e "$line" -- "$p"
	eq $? 0
	$S report -i s.dat > out
	eq "$(grep -c ' guarded: ' out)" 2
	$S record -q -o s.dat -e "$(echo "$line" | sed 's/([^)]*)//')" -- "$p"
	$S report -i s.dat > out
	eq "$(grep -c ' guarded: ' out)" 0
else
	skip "usdt is not built: see tests/probe/build"
fi
eq "$(left)" ""

t places_that_would_hang_a_program
p=$(dirname "$T_HERE")/bin/probe/excl
if [ -x "$p" ]; then
	at=$(sonde probe -x "$p" -D spins | sed 's/.*://')
	line="p:mine/u $p:0x$(printf %x $((at + 8)))"
	sonde probe "$line" 2> err
	eq $? 1
	has err 'between an exclusive load and its store'
	$S record -e "$line" -- true 2> err
	eq $? 1
	sonde probe -q --unsafe "$line"
	defined 'p:mine/u '
	sonde probe -q -d mine:u
else
	skip "excl is not built: see tests/probe/build"
fi
eq "$(left)" ""

t started_ones_stay_until_reset
$S start -e "r4:mine/back $F" > out
workload syscalls 30
$S stop
$S show > out
eq "$(grep -c 'workload.*back: ' out)" 30
sonde reset --ours > told
has told 'kprobe_events: -:mine/back'
eq "$(left)" ""

t killed_ones_go_with_the_guard
$S record -q -o d.dat -e "r4:mine/back $F" > out 2>&1 &
p=$!
within 100 grep -q "mine/back" $T/kprobe_events && ok || { cat out; fail "no probe was seen"; }
kill -KILL $p
wait $p 2> /dev/null
within 100 no_sonde || fail "the guard stays"
eq "$(left)" ""

t wrong_ones
sonde probe 'p:mine/x' 2> err
eq $? 1
sonde probe 'p:mine/x no_such_function' 2> err
eq $? 1
sonde probe -x /bin/busybox 'p:mine/x vfs_read' 2> err
eq $? 2
has err "kernel's own words"
$S record -v -e 'p:mine/x vfs_read' -- true 2> err
eq $? 2
has err 'cannot be left out'
eq "$(left)" ""
