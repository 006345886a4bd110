#!/bin/sh
# as: root
# time: 500
# kernels: 6.12
# A real DPDK loop, Debian's testpmd, which forwards 32 packets at a time from one port that always has some, and finds none on the
# other: what sonde pmd says of it is what it says itself.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"
. "$T_HERE/lib_beside.sh"

need sonde workload awk chrt taskset

t starts
[ -x /usr/bin/dpdk-testpmd ] || { skip-kernel "its peer root has no dpdk-testpmd"; exit 0; }
D=$PWD
testpmd=
trap 'r=$?; [ -z "$testpmd" ] || kill -KILL $testpmd; t_end $r' EXIT
export XDG_RUNTIME_DIR=$D
# Time stamps of packets (--latencystats) make it call a function for each burst that it looks for, and for each that it sends.
dpdk-testpmd --no-huge -m 64 --no-pci --vdev=net_null0 --vdev=net_null1,no-rx=1 -l 0,1 --file-prefix=t -- --forward-mode=io --auto-start \
	--no-mlockall --total-num-mbufs=2048 --latencystats=1 --record-burst-stats --record-core-cycles --stats-period 1 \
	> log 2>&1 < /dev/null &
testpmd=$!
within 200 grep -q 'Rx-pps:  *[1-9]' log && ok || { cat log; fail "it does not run"; exit 0; }
tid=$(grep -l '^rte-worker-1$\|^dpdk-worker1$' /proc/$testpmd/task/*/comm | sed 's,.*task/\([0-9]*\)/.*,\1,')
lib=$(awk '/librte_ethdev/ { print $6; exit }' /proc/$testpmd/maps)
[ -n "$tid" ] && [ -n "$lib" ] && ok || { cat /proc/$testpmd/task/*/comm; fail "thread $tid, library $lib"; }

# close WHAT GOT WANT PERCENT
close() {
	awk -v got="${2:-0}" -v want="${3:-0}" -v percent="$4" 'BEGIN { d = got - want; if (d < 0) d = -d; exit !(want > 0 && d * 100 <= want * percent) }' &&
		ok || fail "$1: ${2:-none}, not $3"
}
# column FILE NAME PATTERN: the mean of rows (CSV with a head) that match.
column() {
	awk -F, -v name="$2" -v pattern="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$0 ~ pattern && $at[name] != "" { n += $at[name]; k++ } END { if (k) printf "%.3f", n / k }' "$1"
}
# pps N: what it said of its ports' packets in the last N seconds, in thousands a second.
pps() {
	awk '/Rx-pps:/ { v[n++] = $2 } END { for (i = n - 1; i >= 0 && i >= n - 2 * N; i--) sum += v[i]; printf "%.3f", sum / N / 1000 }' N=$1 log
}

t packets_by_itself_and_by_us
sleep 3
alone=$(pps 2)
# Each tells of its own seconds, which are not quite the same: where others take the CPU in some of them, once more.
for try in 1 2 3 4 5; do
	sonde pmd -p $testpmd -i 1000 -N 3 -x, > out 2> err
	code=$?
	beside=$(pps 3)
	ours=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 != "thread" { n += $at["kpps"]; k++ } END { print n / k }' out)
	awk -v a="$ours" -v b="$beside" 'BEGIN { exit !(a > b * 0.75 && a < b * 1.25) }' && break
done
eq $code 0
cat out err
echo "Kpps alone $alone, beside sonde pmd $beside"
close "Kpps" "$ours" "$beside" 40
# An emulated machine on a busy one is not as fast each second.
awk -v a="$beside" -v b="$alone" 'BEGIN { exit !(a > b / 4) }' && ok || fail "Kpps beside us: $beside, alone $alone"
eq "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 != "thread" && $at["dropped"] != 0 { n++ } END { print n + 0 }' out)" 0
[ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 != "thread" && $at["worst_gap_us"] > 0 { n++ } END { print n + 0 }' out)" -ge 3 ] && ok || fail "$(cat out)"

t stolen
sonde pmd steal -p $testpmd -x, -o steal > said 2> err &
ours=$!
sleeps $ours
for i in 1 2 3; do
	taskset 2 chrt -f 10 workload shape 60 > /dev/null
done
sleep 0.2
kill -INT $ours
wait $ours
awk -F, '$1 == "preempted" && $7 == "workload" { n = $2; us = $3 } END { exit !(n >= 3 && us >= 175000 && us < 1500000) }' steal && ok || fail "$(cat steal)"

# Each second look finds 32 packets, the others none.
t polls
sonde pmd polls -p $testpmd --func rte_eth_call_rx_callbacks -N 300 --max-overhead 50% -x, > out 2> err
eq $? 0
cat out err
eq "$(awk -F, 'NR > 1 { print $1 }' out)" '0
32'
close "share of looks that find none" "$(awk -F, '$1 == 0 { print $3 }' out)" 50 5

# From a burst that was found to the one that is sent.
t forwarding_of_each_burst
rx="uprobe:rte_eth_call_rx_callbacks@\"$lib\"" tx="uprobe:rte_eth_call_tx_callbacks@\"$lib\""
# Five thousand bursts, more than the usual rings hold; where others had the CPU meanwhile it may be none: once more.
for try in 1 2 3 4 5; do
	sonde record -q -m 1024 -o b.data -e "$rx" -e "$tx" -t $tid -- sleep 0.05 2> err || fail "$(cat err)"
	sonde script -i b.data -F time,event --ns 2> err > lines
	awk '{ gsub(":", "", $1) } /rx_callbacks/ { from = $1; next } /tx_callbacks/ && from != "" { split(from, a, "."); split($1, b, "."); print (b[1] - a[1]) * 1000000000 + b[2] - a[2]; from = "" }' lines |
		sort -n > ns
	n=$(grep -c '' ns)
	echo "$n bursts"
	[ "$n" -lt 100 ] || break
done
[ "$n" -ge 100 ] && ok || fail "$n bursts: $(head -n 5 lines)"
sonde prof multi-trace -i b.data -e uprobe:rte_eth_call_rx_callbacks -e uprobe:rte_eth_call_tx_callbacks -x, > out 2> err
cat out err
eq "$(column out calls .)" "$n.000"
at() { awk -v k="$1" 'NR >= k { printf "%.3f", $1 / 1000; exit }' ns; }
# Where a percentile falls between two bursts it is either one's: a burst that others interrupted is next to one of the usual.
for c in min,1 p50,$((n / 2)) p95,$((n * 95 / 100)) p99,$((n * 99 / 100)) max,$n; do
	ours=$(column out ${c%,*}_us .) low=$(at ${c#*,}) high=$(at $((${c#*,} + 1)))
	awk -v v="$ours" -v low="$low" -v high="${high:-$low}" 'BEGIN { exit !(v >= low * 0.95 && v <= high * 1.05) }' && ok ||
		fail "${c%,*}: $ours, not $low to ${high:-$low}"
done

# What it worked on, by the function that sends.
t samples
sonde pmd flame -p $testpmd --busy rte_eth_call_tx_callbacks -F 500 --flame-graph f -x, -o out > said 2> err &
ours=$!
sleeps $ours
runs_on /proc/$testpmd/task/$tid/stat 100
kill -INT $ours
wait $ours
cat out
eq "$(awk -F, 'NR > 1 && $3 > 50 { n++ } END { print n }' out)" 1

t what_it_says_at_its_end
kill -INT $testpmd
within 60 is_over $testpmd
testpmd=
tail -n 40 log
has log '100% of 32 pkts'
# Busy ticks for each packet, by the timer: what a burst takes in all is more than from its receive to its send, without us.
theirs=$(sed -n 's,.*cycles/packet=\([0-9.]*\) .* at \([0-9]*\) MHz.*,\1 \2,p' log | awk '{ printf "%.3f", $1 * 32 / $2 }')
echo "us a burst: $theirs by its own, $(at 1) from receive to send"
awk -v theirs="$theirs" -v ours="$(at 1)" 'BEGIN { exit !(ours > 0 && theirs > 0 && ours < theirs * 2) }' && ok || fail "$(at 1) us, and $theirs by its own"
