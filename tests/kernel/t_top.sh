#!/bin/sh
# as: root
# time: 100
# kernels: 6.12
# sonde top where the kernel has lowered what it allows, as it does by itself when sampling takes too long.
. "$T_HERE/lib.sh"

need sonde workload

limit=/proc/sys/kernel/perf_event_max_sample_rate
share=/proc/sys/kernel/perf_cpu_time_max_percent
before=$(cat $limit)
share_before=$(cat $share)
workload shape 60000 &
work=$!
trap 'st=$?; echo 25 > $share; echo "$before" > $limit; echo "$share_before" > $share; kill $work 2> /dev/null; t_end $st' EXIT

t a_limit_below_the_usual_rate_is_taken
# With 0 the kernel does not lower it, and lets nobody else do so.
echo 25 > $share
echo 250 > $limit
echo 0 > $share
sonde top -d 1 --times 2 -p $work > out 2> err || fail "$(cat err)"
has err 'above the kernel.s limit: sampling with 250'
has out ' 250Hz '
has out hot_a

t what_takes_the_time_live
sonde top --latency -s parallelism -d 1 --times 2 -p $work > out 2> err || fail "$(cat err)"
has out '^ *100[.]00% +100[.]00% +1 *$'
