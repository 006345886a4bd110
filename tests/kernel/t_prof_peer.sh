#!/bin/sh
# as: root
# time: 300
# kernels: 6.12
# also: 5.10
# sonde prof and perf-prof with the same words at the same time, of programs that do a known number of things: the same numbers, or
# what makes the difference. (Of memory, states, latencies and disks: see t_prof_memory.sh, t_prof_latency.sh.)
. "$T_HERE/lib.sh"
. "$T_HERE/lib_beside.sh"

need sonde workload stall awk

t starts
if ! command -v perf-prof > /dev/null; then
	skip-kernel "no perf-prof"
	exit 0
fi
ok

# near WHAT A B MOST: numbers that differ by that at most.
near() {
	awk -v a="${2:-x}" -v b="${3:-x}" -v most="$4" 'BEGIN { d = a - b; exit !(a != "x" && b != "x" && d <= most && d >= -most) }' && ok ||
		{ head -n 20 theirs ours err; fail "$1: perf-prof ${2:-none}, we ${3:-none}"; }
}

# same WHAT EXPRESSION: what this awk program prints of either.
same() {
	for f in theirs ours; do
		awk "$2" $f > $f.cut
	done
	[ -s theirs.cut ] && cmp -s theirs.cut ours.cut && ok || { head -n 20 theirs ours err; fail "$1: $(differing theirs.cut ours.cut | head -n 5)"; }
}

t trace
beside trace -e 'sched:sched_process_exec/filename~"*workload"/' -- sh -c 'for i in 1 2 3 4 5; do workload writes 1; done'
same 'its events' '/sched_process_exec:/ { sub(".*sched:sched_process_exec:", ""); print }'
eq "$(grep -c '' ours.cut)" 5

t multi_trace
beside multi-trace -e 'sched:sched_switch/prev_comm=="workload"/key=prev_pid/' -e 'sched:sched_switch/next_comm=="workload"/key=next_pid/' \
	--order -m 64 -- workload switches 50
for f in theirs ours; do
	awk '$1 == "sched_switch" && $3 == "sched_switch" { n += $4; us += $5 } END { print n + 0, us + 0 }' $f > $f.cut
done
near 'stays away' "$(cut -d' ' -f1 theirs.cut)" "$(cut -d' ' -f1 ours.cut)" 1
near 'us away' "$(cut -d' ' -f2 theirs.cut)" "$(cut -d' ' -f2 ours.cut)" "$(awk '{ print $2 / 10 }' ours.cut)"

t nested_trace
beside nested-trace -e 'raw_syscalls:sys_enter/id==173/key=common_pid/,raw_syscalls:sys_exit/id==173/key=common_pid/' --impl call-delay --order -m 256 -- \
	workload syscalls 500
same 'calls' '$1 == "sys_enter" { n += $2 } END { print n }'
eq "$(cat ours.cut)" 500

# Theirs leaves numbers out that are 0 or less; there are none here.
t num_dist
beside num-dist -e 'sched:sched_stat_runtime/comm=="workload"/num=runtime/' -m 64 -- workload shape 500
for column in 2 3 4; do
	near "column $column" "$(awk -v c=$column '$1 == "sched_stat_runtime" { v = $c } END { print v }' theirs)" \
		"$(awk -v c=$column '$1 == "sched_stat_runtime" { v = $c } END { print v }' ours)" "$([ $column = 3 ] && echo 40000000 || echo 3)"
done

t top
beside top -e 'sched:sched_wakeup/comm=="workload"/key=pid/comm=comm/' -- workload switches 300
same 'wake-ups' '$3 == "workload" { n += $2 } END { print n }'

# Theirs prints each, by the name of before an exec; ours counts.
t page_faults
beside page-faults -m 256 -- sh -c 'echo $$ > pid; exec workload faults 1000'
near 'faults' "$(awk -v p="$(cat pid)" '$4 == p && /page-fault:/ { n++ } END { print n + 0 }' theirs)" \
	"$(awk '$3 == "workload" { n += $1 } END { print n }' ours)" 80

# Theirs tells registers of each, ours what is written.
t breakpoint
at=$(workload where)
beside breakpoint -m 64 "$at/4:w" -- workload writes 200
near 'accesses' "$(grep -c ' breakpoint: ' theirs)" "$(grep -c ' data ' ours)" 0
eq "$(grep -c ' data ' ours)" 200

t irq_off
beside irq-off --period 10ms --than 500ms -- stall irq 900
near 'ms' "$(sed -n 's/.*irq-off: cpu-clock \([0-9]*\) ns.*/\1/p' theirs | sort -n | tail -n 1 | awk '{ print $1 / 1000000 }')" \
	"$(sed -n 's/.*irq-off: \([0-9.]*\) ms: .*/\1/p' ours | sort -n | tail -n 1)" 25

t profile
beside profile -F 100 -g -- sh -c 'echo $$ > pid; exec workload shape 1000'
for f in theirs ours; do
	awk -v p="$(cat pid)" '$4 == p && / profile: / { n++ } END { print n + 0 }' $f > $f.cut
done
near 'samples of it' "$(cat theirs.cut)" "$(cat ours.cut)" "$(awk '{ print $1 / 3 + 10 }' ours.cut)"
[ "$(cat ours.cut)" -ge 5 ] && ok || fail "$(cat ours.cut) samples"

t usdt
p=$(dirname "$T_HERE")/bin/probe/usdt
if [ -x "$p" ]; then
	perf-prof usdt list "$p" > theirs 2>&1
	sonde prof usdt list "$p" > ours 2> err
	same 'markers' '{ print }'
else
	skip "usdt is not built: see tests/probe/build"
fi

# In 5.10 a record of code for a second listener is longer than what is in it, by what the first one's ids take: whoever comes
# second does not find its time.
t misc
case $(uname -r) in
5.*)
	skip-kernel "records for two listeners have wrong sizes here"
	;;
*)
	beside misc -- stall soft 10
	same 'programs' '/bpf_event: prog/ { sub(" *id [0-9]+", ""); sub(".*misc:", ""); print }'
	;;
esac

# Theirs ends by itself after some, and prints them in hexadecimal.
t expr
beside expr -e sched:sched_wakeup 'pid*2' -- workload switches 20
for f in theirs ours; do
	awk '/ pid=[0-9]+ / { sub(".* pid=", ""); pid = $1; next } /^result: 0x|^  = / { printf "0x%x %s\n", 2 * pid, $NF }' $f > $f.cut
	[ -s $f.cut ] && eq "$(awk '$1 != $2' $f.cut)" "" || fail "$f: $(head -n 5 $f)"
done

# On 6.12 it counts tracepoints under a clock as 0: it opens a group's members disabled.
t counted_by_periods
case $(uname -r) in
6.*)
	skip-kernel "perf-prof counts no tracepoints in groups here"
	;;
*)
	for p in hrcount stat; do
		beside $p -e 'raw_syscalls:sys_enter/id==173/alias=calls/' --period 20ms -i 1000 -- workload syscalls 20000
		for f in theirs ours; do
			sed -n 's/^calls .* total \([0-9]*\).*/\1/p' $f | awk '{ n += $1 } END { print n + 0 }' > $f.cut
		done
		near "$p" "$(cat theirs.cut)" "$(cat ours.cut)" 2
	done
	beside hrtimer -e 'raw_syscalls:sys_enter/id==173/alias=calls/' --period 20ms 'calls > 100' -- workload syscalls 20000
	same 'calls' '/^ *calls [0-9]+$/ { n += $2 } END { print n }'
	beside percpu-stat -i 1000 -- workload faults 3000
	near 'minor faults' "$(awk '$1 == "[ALL]" { n += $4 } END { print n }' theirs)" "$(awk '$1 == "[ALL]" { n += $4 } END { print n }' ours)" 800
	;;
esac

# What it cannot do on such a machine, it says; we can, or say what there is.
t where_it_cannot
for p in sched-migrate hwstat llcstat; do
	timeout -s INT 5 perf-prof $p -i 1000 > theirs 2>&1
	timeout -s INT 5 sonde prof $p -i 1000 > ours 2> err
	grep -q 'failed' theirs && [ -s ours ] && ok || { cat theirs; fail "$p: $(head -n 5 ours err)"; }
done
