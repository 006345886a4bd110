#!/bin/sh
# as: root
# time: 300
# kernels: 6.12
# sonde sched: nothing is missing where the kernel records each switch. Rows beside perf's: tests/captures.
. "$T_HERE/lib.sh"

need sonde workload

t each_switch_is_there
sonde sched record -q -o own.data -- sh -c 'for i in 1 2 3 4 5; do sleep 0.02; ls /bin > /dev/null; done; workload waits' 2> err
sonde sched timehist -s -i own.data > out 2> err
grep -q 'no beginning' err && fail "$(cat err)" || ok

t all_time_is_somebodys
sonde sched timehist -s -i own.data 2> /dev/null > out
awk '/Total run time/ { run = $NF } /idle for/ { idle += $5 } /Total scheduling/ { all = $5; x = $7 + 0; }
	END { exit !(run + idle > 0.95 * all * x && run + idle < 1.05 * all * x) }' out && ok || fail "$(tail -n 12 out | tr '\n' ';')"

t live_without_a_file
sonde sched latency -p -- workload waits > out 2> err
eq $? 0
has out '^  workload:[0-9]+ +\|'
sonde sched timehist -- workload waits > out 2> err
has out 'workload\[[0-9]+\]'
