#!/bin/sh
# as: root
# time: 600
# kernels: 6.1-rt
# also: 6.12
# What tasks do with their time: numbers that the workload is known for, and trace-cmd's own account of the same recording.
. "$T_HERE/lib.sh"

need sonde workload trace-cmd

getppid=173	# in the table of system calls that arm64 and other newer architectures share

# between GOT LEAST MOST
between() {
	[ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ] && ok || fail "got '$1', not within $2 and $3"
}

# row FILE HEAD EVENT: "count total" of an event below the line HEAD.
row() {
	awk -v head="$2" -v event="$3" '
		/^(task|group): / { in_it = $0 ~ head }
		in_it && $1 == "Event:" && $2 == event { gsub(/[()]/, "", $3); print $3, $5; exit }' "$1"
}

# Between these times each sleep begins and ends.
cat > naps <<'EOF'
#!/bin/sh
for i in 1 2 3 4 5; do
	read -r from rest < /proc/uptime
	sleep 0.2
	read -r to rest < /proc/uptime
	echo "$from $to"
done > naps.times
EOF
chmod +x naps

t sleeps_are_blocked_time
sonde ftrace profile -q -F -c --by-comm ./naps > naps.txt
set -- $(row naps.txt '^group: sleep' sched_switch:S)
eq "$1" 5
# /proc/uptime has hundredths of a second. A sleep may be cut short at its begin: its clock runs before the CPU is given away.
between "$2" 900000000 "$(awk '{ n += $2 - $1 + 0.01 } END { printf "%d", n * 1000000000 }' naps.times)"
set -- $(row naps.txt '^group: naps' sched_switch:S)
between "$1" 3 5	# it waits for each of them, but for one that has ended before it comes to that
# That a stack shows where: sleeping, in the system call that sleeps.
awk '/^group: / { in_it = /sleep/ } in_it && /Event: / { here = /sched_switch:S/ } in_it && here' naps.txt > stack
has stack 'nanosleep'
has stack '100% \(5\) time:'

t system_calls_are_exact
sonde ftrace profile -q -F workload syscalls 1000 > calls.txt
set -- $(row calls.txt '^task: workload' sys_enter:$getppid)
eq "$1" 1000

t blocks_are_exact
# A sleep that is over before the CPU is given away is none: the kernel's own count knows.
sonde ftrace profile -q -S -p nop -e sched_switch -e sched_wakeup -F -c busybox time -v workload switches 50 > blocks.txt 2> time.txt
blocks=$(sed -n 's/.*Voluntary context switches: //p' time.txt)
n=$(grep -A 20 '^task: workload' blocks.txt | awk '$2 ~ /^sched_switch:[SD]$/ { gsub(/[()]/, "", $3); n += $3 } END { print n + 0 }')
between "$n" $((blocks - 1)) $((blocks + 1))
between "$blocks" 25 75
grep -q sys_enter blocks.txt && fail "-S, but there are system calls" || ok

t status_output_and_nothing_left
sonde ftrace profile -q -o seven.txt -F workload exit 7
eq $? 7
has seven.txt '^task: workload-'
eq "$(cat /sys/kernel/tracing/current_tracer)" nop
eq "$(ls /sys/kernel/tracing/instances)" ""
eq "$(cat /sys/kernel/tracing/events/enable)" 0

t hooks_time_pairs
sonde ftrace profile -q -S -p nop -H raw_syscalls:sys_enter,id/raw_syscalls:sys_exit,id,s -F workload syscalls 300 > hook.txt
# The only task there is; its name may have been pushed out of the kernel's list.
set -- $(row hook.txt '^task: ' sys_enter:$getppid)
eq "$1" 300

t hook_of_a_field_that_is_not_there
sonde ftrace profile -q -S -p nop -H raw_syscalls:sys_enter,nosuch/raw_syscalls:sys_exit,id true > told 2>&1 && fail "taken" || ok
has told "sys_enter has no field 'nosuch'"

# Their lines and ours in the same words: names of states and of interrupts differ.
their_rows() {
	awk '/^task: / { t = $2; sub(/.*-/, "", t) }
		$1 == "Event:" && t { e = $2 " " ($3 ~ /^\(/ ? "" : $3); sub(/^sched_wakeup:.*/, "sched_wakeup", e)
			sub(/:K /, ":I ", e); sub(/:W /, ":R+ ", e); sub(/IOPOLL/, "IRQ_POLL", e)
			if (e !~ /irq_handler/ && e !~ /:0x/) { i = $3 ~ /^\(/ ? 3 : 4; print t, e, $i, $(i + 2) } }' "$1" |
		grep -v '^0 ' | tr -s ' ' | sort
}
our_rows() {
	awk '/^task: / { t = $2; sub(/.*-/, "", t) }
		$1 == "Event:" && t && $2 != "running" && $2 !~ /irq_handler/ && $2 !~ /exec/ { i = $3 ~ /^\(/ ? 3 : 4
			print t, $2 " " (i == 3 ? "" : $3), $i, $(i + 2) }' "$1" | grep -v '^0 ' | tr -s ' ' | sort
}

t as_trace_cmd_accounts_it
trace-cmd record --profile -F -c -o theirs.dat ./naps 2>&1
if trace-cmd report --profile -i theirs.dat > theirs.txt; then
	sonde ftrace report --profile -i theirs.dat > ours.txt
	their_rows theirs.txt > theirs.rows
	our_rows ours.txt > ours.rows
	# A task may be woken that was only preempted: trace-cmd takes that for the end of its sleep, we do not. The
	# times of sleeps and wake-ups then differ, the numbers of sleeps do not, but for the one in which the recording ends.
	for f in theirs ours; do
		sed -n 's/.* sched_switch:[^ ]* (\([0-9]*\)).*/\1/p' $f.rows > $f.sleeps
	done
	paste theirs.sleeps ours.sleeps | awk '{ d = $1 - $2; bad += d > 1 || d < -1 } END { exit bad > 0 }' &&
		ok || fail "other numbers of sleeps"
	sed -i '/ sched_wakeup/d; s/\( sched_switch:[^ ]*\) ([0-9]*).*/\1/' theirs.rows ours.rows
	[ "$(wc -l < theirs.rows)" -gt 50 ] && ok || fail "trace-cmd tells only $(wc -l < theirs.rows) rows"
	cmp theirs.rows ours.rows && ok || { diff theirs.rows ours.rows | head -20; fail "they differ"; }
else
	skip-kernel "this trace-cmd crashes while it accounts"
fi
