#!/bin/sh
# as: root
# time: 400
# kernels: 6.12
# also: 5.10
# A thread that polls, and what is known to take its CPU: loops of a higher priority, for so long, on a processor of its own.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"
. "$T_HERE/lib_beside.sh"

need sonde workload awk taskset chrt

# A loop by DPDK's name, on the second CPU.
taskset 2 sh -c 'echo rte-worker-1 > /proc/self/comm; while :; do :; done' &
loop=$!
trap 'r=$?; kill $loop; t_end $r' EXIT
sleep 0.5

# loops N MS: that many take its CPU for that long each.
loops() {
	for i in $(seq $1); do
		taskset 2 chrt -f 10 workload shape $2
		sleep 0.05
	done
}

# cell FILE COLUMN CAUSE WHO
cell() {
	awk -F, -v column="$2" -v cause="$3" -v who="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == cause && $7 ~ who { n += $at[column] } END { print n + 0 }' "$1"
}

# known FILE: five loops of 40 ms of CPU time.
known() {
	[ "$(cell "$1" count preempted '^workload$')" -ge 5 ] && ok || fail "$(cat "$1")"
	us=$(cell "$1" total_us preempted '^workload$')
	awk -v us="$us" 'BEGIN { exit !(us > 195000 && us < 800000) }' && ok || fail "$us us"
	[ "$(cell "$1" count interrupt 'timer')" -ge 5 ] && ok || fail "no timer: $(cat "$1")"
}

t steal_live
sonde pmd steal -C 1 -x, -o live.csv > said 2> err &
ours=$!
sleeps $ours
sleep 0.5
loops 5 40
kill -INT $ours
wait $ours
known live.csv

t gaps_that_are_long
sonde pmd steal -t $loop --than 30ms > out 2> err &
ours=$!
sleeps $ours
sleep 1
loops 3 50
kill -INT $ours
wait $ours
n=$(grep -c '^20.* \[001\] .*: rte-worker-1 [0-9.]* us: .*preempted by workload ' out)
[ "$n" -ge 3 ] && ok || fail "$n gaps: $(cat out)"
has out '^CAUSE +COUNT +TOTAL us'
has out '^1 thread, seen for [1-9]'
has err 'others run on CPU 1'

t of_a_recording
sonde record -q -o s.data -C 1 -e sched:sched_switch -e irq:irq_handler_entry -e irq:irq_handler_exit -e irq:softirq_entry \
	-e irq:softirq_exit -- sh -c '. ./loops' 2> err &
rec=$!
cat > loops << 'END'
sleep 0.5
for i in 1 2 3 4 5; do
	taskset 2 chrt -f 10 workload shape 40
	sleep 0.05
done
END
wait $rec
# Both CPUs are one thread of the emulator: what reads a recording has it for itself.
kill -STOP $loop
sonde pmd steal -i s.data -x, > first 2> err
known first
sonde pmd steal -i s.data -x, > second 2> err
eq "$(cmp first second)" ""
# As the events themselves have it: from a switch away from it to the one back.
sonde script -i s.data -F time,event,trace --ns 2> err | awk '
	/prev_comm=rte-worker-1/ { from = $1 + 0 }
	/next_comm=rte-worker-1/ && from { sum += $1 - from; from = 0 }
	END { printf "%.0f\n", sum * 1e6 }' > theirs
ours=$(cell first total_us preempted '.')
awk -v a="$ours" -v b="$(cat theirs)" 'BEGIN { exit !(b > 0 && a > b * 0.98 && a < b * 1.02) }' && ok || fail "$ours us, by the events $(cat theirs)"

# split FOLDED CSV USEFUL POLLING: functions stand under one word each, and the table's shares are those of the stacks. (How often
# each is hit is not asked: an emulated PMU interrupts where it can.)
split() {
	has "$1" "^useful;.*$3 "
	has "$1" "^polling;.*$4 "
	eq "$(grep -cE "^useful;.*$4 |^(polling|kernel);[^ ]*$3 [0-9]+$" "$1")" 0
	awk -F, 'NR == FNR { n = split($0, word, " "); sum[substr($0, 1, index($0, ";") - 1)] += word[n]; all += word[n]; next }
		$2 == "workload" { a = sum["useful"] * 100 / all - $4; b = sum["polling"] * 100 / all - $5; found = all == $3 && all > 100 &&
			a * a < 0.001 && b * b < 0.001 } END { exit !found }' "$1" "$2" && ok || fail "$(cat "$2" "$1")"
}

t samples_by_what_they_are
workload shape 60000 &
shape=$!
sonde pmd flame -t $shape --busy 'hot_a,hot_c' -F 500 --flame-graph shape -x, -o out > said 2> err &
ours=$!
sleeps $ours
runs_on /proc/$shape/stat 200
kill -INT $ours
wait $ours
kill $shape
split shape.folded out 'hot_[ac]' hot_b
sonde record -q -g -e cpu-clock -o f.data -- workload shape 800 2> err
sonde pmd flame -i f.data -t "$(sonde script -i f.data -F tid | head -n 1)" --busy hot_b --flame-graph file -x, > out 2> err
split file.folded out hot_b 'hot_[ac]'

t share_of_its_cpu
kill -CONT $loop
sonde pmd -t $loop -i 1000 -N 2 -x, > out 2> err
eq $? 0
has err 'tells nothing of its packets'
# The machine may stand between the counter and the clock.
awk -F, '$1 == "rte-worker-1" && $2 == 1 && $3 > 50 && $3 < 115 { n++ } END { exit n != 2 }' out && ok || fail "$(cat out)"

# Of each interval the longest gap: that of the longer loop in it, and one in which there was none has one of less.
t worst_gap
taskset 1 sonde pmd -t $loop -i 500 -x, -o worst.csv > said 2> err &
ours=$!
wait_for has_lines worst.csv '^rte' 1
loops 1 30
loops 1 90
rows=$(grep -c '^rte' worst.csv)
wait_for has_lines worst.csv '^rte' $((rows + 1))
kill -INT $ours
wait $ours
gap() {
	awk -F, -v column="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["worst_gap_us"] + 0 > most { most = $at["worst_gap_us"] + 0; by = $at["worst_gap_by"] } END { print column == "by" ? by : int(most) }' worst.csv
}
eq "$(gap by)" 'preempted by workload'
[ "$(gap us)" -ge 89000 ] && [ "$(gap us)" -lt 400000 ] && ok || fail "$(cat worst.csv)"
eq "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 != "thread" && $at["worst_gap_us"] > 0 { n++ } END { print n }' worst.csv)" \
	"$(grep -c '^rte' worst.csv)"

# One that is not over, each interval: as long as it has been.
t a_gap_that_goes_on
rm worst.csv
sonde pmd -t $loop -i 500 -x, -o worst.csv > said 2> err &
ours=$!
wait_for has_lines worst.csv '^rte' 1
kill -STOP $loop
wait_for has_lines worst.csv '^rte.*,asleep$' 4
kill -CONT $loop
kill -INT $ours
wait $ours
[ "$(gap us)" -ge 1500000 ] && ok || fail "$(cat worst.csv)"
eq "$(gap by)" asleep
[ "$(awk -F, '$6 > 400000 && $7 == "asleep" { n++ } END { print n }' worst.csv)" -ge 3 ] && ok || fail "$(cat worst.csv)"

# One that is away all the time, before it is looked for, too.
t who_does_not_run
kill -STOP $loop
sonde pmd -t $loop -i 1000 -N 2 -x, > out 2> err
kill -CONT $loop
eq "$(awk -F, '$1 ~ /^rte/ && $3 == 0 && $6 > 900000 && $7 == "it did not run" { n++ } END { print n }' out)" 2

t no_gaps_unless_they_are_wanted
sonde pmd -t $loop -i 1000 -N 1 --no-gaps -x, > out 2> err
grep -q gap out && fail "$(cat out)" || ok
