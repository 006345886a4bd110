#!/bin/sh
# as: root
# time: 600
# sonde sched: what it records is what perf records; of a program that is known to sleep and to wait; live without a file. Rows
# beside perf's: tests/captures.
. "$T_HERE/lib.sh"

need sonde perf workload python3
t switches_are_seen_here
if ! sonde sched record -q -o try.data true 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
ok

busy() {
	sh -c 'for i in 1 2 3 4 5; do sleep 0.02; ls /bin > /dev/null; done; workload waits'
}

t records_what_perf_records
perf sched record -o peer.data -- sh -c 'for i in 1 2 3; do sleep 0.03; ls /bin > /dev/null; done' > /dev/null 2>&1
sonde sched record -q -o own.data -- sh -c 'for i in 1 2 3; do sleep 0.03; ls /bin > /dev/null; done' 2> err
perf evlist -i peer.data 2> /dev/null | grep : | grep -v dummy | sort > want
perf evlist -i own.data 2> /dev/null | grep : | grep -v dummy | sort > got
[ -s want ] && cmp -s got want && ok || fail "$(differing want got | tr '\n' ';')"
perf evlist -v -i own.data 2> /dev/null > out
has out 'sched_switch.*sample_freq[^,]*: 1,'

t chains_are_perfs
perf sched record -g -o chains.data -- sleep 0.2 > /dev/null 2>&1
chain_of() { sed -n 's/.*\(\[[0-9]*\]\) .* [0-9]*\.[0-9][0-9][0-9] *\([a-z_].* <- .*\)/\1 \2/p'; }
perf sched timehist -i chains.data 2> /dev/null | chain_of > want
sonde sched timehist -i chains.data 2> /dev/null | chain_of > got
[ "$(wc -l < want)" -gt 5 ] || fail "perf has $(wc -l < want) chains"
# Symbols of programs that perf does not know: chains up to there.
sed 's/ <- \[unknown\].*//' want > want.known
awk 'NR == FNR { n[FNR] = length($0); next } { print substr($0, 1, n[FNR]) }' want.known got > got.known
same=$(paste -d '\n' want.known got.known | awk 'NR % 2 { a = $0; next } a == $0 { n++ } END { print n + 0 }')
[ $((same * 100)) -ge $(($(wc -l < want) * 98)) ] && ok || fail "$same of $(wc -l < want): $(differing want.known got.known | head -n 4 | tr '\n' ';')"

# A program that sleeps 300 ms and waits 200 ms; a busy machine wakes those late that sleep.
t times_are_known
sonde sched record -q -o known.data -- workload waits 2> err
sonde sched timehist -s --state -i known.data 2> err > out
row=$(grep 'workload\[' out | sort -k 5 -n | tail -n 1)
sleep_ms=$(echo "$row" | awk '{ print int($5 + $6) }')
[ "${sleep_ms:-0}" -ge 450 ] && [ "$sleep_ms" -le 5000 ] && ok || fail "$row"
# All CPUs together do something or idle, from the first switch of each to its last one: less than that where a kernel did not
# tell of a switch, which is said.
sonde sched timehist -s -i known.data 2> err > out
sonde script -i known.data -F cpu,time,event 2> /dev/null | awk '/sched_switch/ {
	cpu = $1; time = $2 + 0; if (!(cpu in first)) first[cpu] = time; last[cpu] = time
} END { for (cpu in first) all += last[cpu] - first[cpu]; print 1000 * all }' > all
least=0.98
! grep -q 'have no beginning: their times are not known' err || least=0.2
awk -v all="$(cat all)" -v least=$least '/Total run time/ { run = $NF } /idle for/ { idle += $5 }
	END { exit !(all > 0 && run + idle > least * all && run + idle < 1.02 * all) }' out && ok || fail "$(cat all) $(tail -n 12 out | tr '\n' ';')"

t json_has_the_same_rows
sonde sched latency -p -i own.data 2> /dev/null | sed -n 's/.*| *\([0-9]*\) | avg:.*/\1/p' > want
sonde sched latency -p -j -i own.data 2> /dev/null | python3 -c 'import json, sys; [print(r["count"]) for r in json.load(sys.stdin)]' > got
[ -s want ] && cmp -s got want && ok || fail "other rows"
sonde sched timehist -j -i own.data 2> /dev/null | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))' > got
eq "$(cat got)" "$(sonde sched timehist -i own.data 2> /dev/null | grep -c '^ *[0-9][0-9.]* \[')"
sonde sched timehist -s -x , -i own.data 2> /dev/null > out
has out '^comm,tid,pid,parent,ended,sched_in,run_ms,'

t live_without_a_file
cd "$(mktemp -d -p "$PWD")" || exit 1
sonde sched latency -p --mmap-pages 128 -- workload waits > out 2> err
eq $? 0
has out '^  workload:[0-9]+ +\|'
sonde sched timehist -- workload waits > out 2> err
has out 'workload\[[0-9]+\]'
sonde sched map -- workload waits > out 2> err
has out '=> workload:[0-9]+'
timeout -s INT 3 sonde sched latency -i 500 > out 2> err
[ "$(grep -c TOTAL out)" -ge 3 ] && ok || fail "$(grep -c TOTAL out) tables"
eq "$(ls | tr '\n' ' ')" "err out "
cd ..

t perf_data_is_what_it_reads
cp own.data perf.data
sonde sched latency > out 2> err
sonde sched latency -i own.data > want 2> err
cmp -s out want && ok || fail "another table"
sonde sched -i own.data lat > out 2> err
cmp -s out want && ok || fail "another table"
cat own.data | sonde sched latency -i - > out 2> err
cmp -s out want && ok || fail "another table of a pipe"

# What starts a program counts with what it takes itself: as much for both.
t cheaper_than_perf
peak() { python3 - "$@" <<- 'END'
	import resource, subprocess, sys
	subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
	print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
	END
}
perf sched record -o many.data -- perf bench sched messaging -g 10 -l 600 > /dev/null 2>&1
theirs=$(peak perf sched latency -i many.data) ours=$(peak sonde sched latency -i many.data)
[ $((ours * 2)) -lt "$theirs" ] && ok || fail "$ours KB, perf $theirs KB"
