#!/bin/sh
# as: root
# time: 300
# kernels: 6.12
# also: 5.10
# sonde prof's latencies, held against what a program is known to do, live and of a recording, and against perf-prof where it is.
. "$T_HERE/lib.sh"

need sonde workload awk

# calls FILE NAME COLUMN: of a row of CSV.
calls() {
	awk -F, -v name="$2" -v column="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		{ for (i = 1; i <= NF; i++) if (index($i, name "(") == 1 || $i == name) { print $at[column] + 0; exit } }' "$1"
}

# within WHAT GOT LEAST MOST
within() {
	[ "${2:-0}" -ge "$3" ] && [ "${2:-0}" -le "$4" ] && ok || fail "$1: ${2:-none}, not $3 to $4"
}

# beside COMMAND...: perf-prof, while the command in $work runs (with a command of its own it cannot start one here).
beside() {
	perf-prof "$@" > theirs 2> err &
	peer=$!
	sleep 2
	$work > /dev/null 2>&1
	sleep 1
	kill -INT $peer
	wait $peer
}

# Ten sleeps of 10 ms, 30 opens that fail, 20 reads; musl has names of its own for some.
known() {
	eq "$(calls "$1" nanosleep calls)" 10
	within "shortest sleep, us" "$(calls "$1" nanosleep min_us | cut -d. -f1)" 9999 60000
	eq "$(calls "$1" openat calls)" 31
	eq "$(calls "$1" openat err)" 30
	eq "$(calls "$1" nanosleep err)" 0
	within "reads" "$(calls "$1" read calls)" 20 24
}

t syscalls_are_counted
sonde prof syscalls -x, -- workload calls 10 > live.csv 2> err
eq $? 0
# The calls that it was in when it was first seen and at its end, and nothing else.
grep -v 'ended without a beginning$\|open at the end$' err > said && fail "it says: $(head -n 2 said)" || ok
known live.csv

t syscalls_of_a_recording
sonde record -q -o calls.data -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -- workload calls 10 2> err
sonde prof syscalls -x, -i calls.data > file.csv 2> err
known file.csv
sonde prof syscalls --perins -x, -i calls.data > file.csv 2> err
has file.csv '^[0-9]+,workload,nanosleep\([0-9]+\),10,'
sonde prof syscalls -i calls.data > out 2> err
has out '^nanosleep\([0-9]+\) +10 '

t syscalls_that_take_long_are_shown
sonde prof syscalls --than 9ms --detail=samecpu -e sched:sched_switch//untraced/ -- workload calls 4 > out 2> err
eq "$(grep -c '^sys_enter => sys_exit took 1[0-9]*\.' out)" 4
has out 'sched_switch: prev_comm=workload .* prev_state=S'

t syscalls_of_perf_prof
if command -v perf-prof > /dev/null; then
	work="workload calls 10"
	beside syscalls -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit --perins
	for n in nanosleep openat; do
		eq "$(awk -v n="sys_$n(" '$2 == "workload" && index($3, n) == 1 { print $4, $NF }' theirs)" \
			"$(calls live.csv $n calls) $(calls live.csv $n err)"
	done
else
	skip-kernel "no perf-prof"
fi

# Each of 50 sleeps is a wake-up, and so is the command's own beginning.
t rundelay_counts_wakeups
sonde prof rundelay --perins -x, -- workload switches 50 > out.csv 2> err
eq $? 0
n=$(awk -F, '$2 == "workload" && $3 ~ /^sched_wakeup/ { n += $6 } END { print n + 0 }' out.csv)
within "wake-ups" "$n" 45 70

# Three threads of 200 ms on two processors wait for one another.
t rundelay_of_threads_that_are_many
sonde prof rundelay --perins -x, --filter 'worker-*' -- workload threads 4 200 > out.csv 2> err
n=$(awk -F, '$2 ~ /^worker-[0-9]$/ { t[$1] = 1; us += $7 } END { for (i in t) n++; print n + 0, int(us / 1000) }' out.csv)
eq "${n% *}" 4
[ "$(nproc)" -gt 2 ] && skip-kernel "more than two processors" || within "ms of waiting" "${n#* }" 150 6000

t rundelay_of_a_recording
sonde record -q -a -o run.data -e 'sched:sched_wakeup*' -e sched:sched_switch -- workload switches 50 2> err
sonde prof rundelay --perins -x, --filter 'workload' -i run.data > file.csv 2> err
# The same from the lines of its events: waits, and their microseconds.
sonde script -i run.data -F time,event,trace 2> err | awk '
	{ time = $1 * 1000000; pid = "" }
	/sched_wakeup/ && /comm=workload / { match($0, / pid=[0-9]+/); from[substr($0, RSTART + 5, RLENGTH - 5)] = time }
	/sched_switch/ && /next_comm=workload / {
		match($0, /next_pid=[0-9]+/); pid = substr($0, RSTART + 9, RLENGTH - 9)
		if (pid in from) { n++; us += time - from[pid]; delete from[pid] }
	}
	/prev_comm=workload / && /prev_state=R/ { match($0, /prev_pid=[0-9]+/); from[substr($0, RSTART + 9, RLENGTH - 9)] = time }
	END { print n + 0, int(us) }' > lines
n=$(awk -F, '$2 == "workload" { n += $6; us += $7 } END { print n + 0, int(us) }' file.csv)
eq "${n% *}" "$(cut -d' ' -f1 lines)"
us=$(cut -d' ' -f2 lines)
within "us of waiting" "${n#* }" $((us - 200)) $((us + 200))
# Of the process alone: nobody else is in the rows.
pid=$(awk -F, '$2 == "workload" { print $1; exit }' file.csv)
sonde prof rundelay --perins -x, -p "${pid:-1}" -i run.data > file.csv 2> err
eq "$(awk -F, 'NR > 1 { print $1 }' file.csv | sort -u)" "$pid"

t rundelay_of_perf_prof
if command -v perf-prof > /dev/null; then
	work="workload switches 50"
	beside rundelay -e 'sched:sched_wakeup*,sched:sched_switch' -e sched:sched_switch --filter workload
	n=$(awk '$1 ~ /^sched_wakeup/ { n += $4 } END { print n + 0 }' theirs)
	within "perf-prof's wake-ups" "$n" 45 70
else
	skip-kernel "no perf-prof"
fi

# Timers expire within interrupts: no call of one is outside of them, and they do not take longer.
t nested_calls
sonde prof nested-trace -e irq:irq_handler_entry,irq:irq_handler_exit -e timer:hrtimer_expire_entry,timer:hrtimer_expire_exit \
	--impl call-delay -x, -- workload shape 500 > out.csv 2> err
eq $? 0
awk -F, '$1 == "irq_handler_entry" { t = $4; s = $5 } $1 == "irq_handler_entry;hrtimer_expire_entry" { below = $4 }
	END { d = t - s - below; print (below > 0 && d < 1 && d > -1) ? "fits" : "total " t ", self " s ", below " below }' out.csv > sum
eq "$(cat sum)" fits
sonde prof nested-trace -e irq:softirq_entry,irq:softirq_exit -i 100 -C 0 -N 200 > out 2> err
has out 'softirq_entry +=> +softirq_exit'

t requests_of_a_disk
disk=$(ls -d /sys/class/block/vd* 2> /dev/null | head -n 1)
if [ -n "$disk" ]; then
	disk=${disk##*/}
	sonde prof blktrace -d "/dev/$disk" -x, -- dd if="/dev/$disk" of=/dev/null bs=4096 count=256 iflag=direct > out.csv 2> err
	[ -s out.csv ] || cat err
	n=$(awk -F, '$3 == "block_rq_complete" { n += $4 } END { print n + 0 }' out.csv)
	within "requests" "$n" 250 400
	sonde record -q -a -o blk.data -e block:block_getrq -e block:block_rq_insert -e block:block_rq_issue -e block:block_rq_complete \
		-- dd if="/dev/$disk" of=/dev/null bs=4096 count=256 iflag=direct 2> err
	sonde prof blktrace -d "$(cat "/sys/class/block/$disk/dev")" -x, -i blk.data > file.csv 2> err
	n=$(awk -F, '$3 == "block_rq_complete" { n += $4 } END { print n + 0 }' file.csv)
	within "recorded requests" "$n" 250 400
	if command -v perf-prof > /dev/null; then
		# A shell's own dd may not know that flag.
		dd=/usr/bin/dd
		[ -x $dd ] || dd=/bin/dd
		work="$dd if=/dev/$disk of=/dev/null bs=4096 count=256 iflag=direct"
		beside blktrace -d "/dev/$disk"
		n=$(awk '$3 == "block_rq_complete" { n = $4 } END { print n + 0 }' theirs)
		within "perf-prof's requests" "$n" 250 400
	fi
else
	skip-kernel "no disk"
fi
sonde prof blktrace -d /dev/nowhere -- true > out 2> err && fail "no such disk" || has err 'no such block device'

# A disk of two parts in a file: from the first 50 blocks are read, from the second 70.
t requests_of_a_partition
part() {
	printf '\0\0\0\0\203\0\0\0'
	printf "$1"
}
reads='dd if=/dev/loop0p1 of=/dev/null bs=4096 count=50 iflag=direct; dd if=/dev/loop0p2 of=/dev/null bs=4096 count=70 iflag=direct'
modprobe loop max_part=8 2> /dev/null
dd if=/dev/zero of=disk.img bs=1M count=8 2> /dev/null
{
	part '\000\010\000\000\000\020\000\000'
	part '\000\040\000\000\000\020\000\000'
} | dd of=disk.img bs=1 seek=446 conv=notrunc 2> /dev/null
printf '\125\252' | dd of=disk.img bs=1 seek=510 conv=notrunc 2> /dev/null
if losetup /dev/loop0 disk.img && blockdev --rereadpt /dev/loop0 && [ -b /dev/loop0p2 ]; then
	sonde record -q -a -o parts.data -e block:block_getrq -e block:block_rq_insert -e block:block_rq_issue -e block:block_rq_complete \
		-- sh -c "$reads" 2> err
	for of in loop0p1,50 loop0p2,70 loop0,120; do
		sonde prof blktrace -d "/dev/${of%,*}" -x, -- sh -c "$reads" > out.csv 2> err
		eq "$(awk -F, '$3 == "block_rq_complete" { print $4 }' out.csv)" "${of#*,}"
	done
	sonde prof blktrace -d "$(cat /sys/class/block/loop0/dev)" -x, -i parts.data > file.csv 2> err
	eq "$(awk -F, '$3 == "block_rq_complete" { print $4 }' file.csv)" 120
	losetup -d /dev/loop0
else
	fail "no disk of a file: $(ls /dev/loop*)"
fi
rm -f disk.img

# No guest runs within this one; the events are there where KVM is.
t guests_are_left
if sonde prof kvm-exit --filter 'esr_ec==1' -- true > out 2> err; then
	has out '%gsys'
else
	has err 'kvm'
fi
