#!/bin/sh
# as: root
# time: 120
# sonde sched replay: what it makes of a recording is what perf's makes of it, and its threads take as much time as was recorded.
. "$T_HERE/lib.sh"

need sonde perf workload setpriv prlimit

t switches_are_seen_here
if ! sonde record -q -a -c 1 -e sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new -o try.data -- \
	sh -c 'for i in 1 2 3; do sleep 0.02; ls /bin > /dev/null; done; workload waits' 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
ok

# Calibration and times are of the machine.
events() {
	grep -v -e overhead -e 'test took' -e '^#'
}

t events_and_tasks_are_perfs
# perf 6.1 sometimes crashes here (seen: SIGSEGV before its first line).
for try in 1 2 3 4 5; do
	timeout 100 perf sched replay -r 1 -i try.data > theirs 2> err && break
done
events < theirs > want
sonde sched replay -r 1 -i try.data > out 2> err || fail "$(cat err)"
events < out > got
[ "$(grep -c '^task' want)" -gt 5 ] && cmp -s got want && ok || fail "$(differing want got | head -n 6 | tr '\n' ';')"
has out '^run measurement overhead: [0-9]+ nsecs$'
has out '^#1  : [0-9]+\.[0-9]{3}, ravg: [0-9]+\.[0-9]{2}, cpu: [0-9]+\.[0-9]{2} / [0-9]+\.[0-9]{2}$'

# The threads' time is that of the recorded runs: as script has them, a CPU's switches one behind the other.
t cpus_are_used_as_long
sonde script -i try.data -e sched:sched_switch --ns -F cpu,time,trace 2> /dev/null |
	sed -n 's/^ *\[0*\([0-9][0-9]*\)\] *\([0-9]*\)\.\([0-9]*\):.* prev_pid=\([0-9]*\) .*/\1 \2\3 \4/p' |
	awk '{ if ($1 in last && $3) sum += $2 - last[$1]; last[$1] = $2 } END { printf "%.2f\n", sum / 1000000 }' > want
sonde sched replay -r 3 -i try.data > out 2> err
eq "$(grep -c '^#' out)" 3
awk -v want="$(cat want)" '/^#3/ { got = $7 } END { exit !(got > want * 0.95 && got < want * 1.3 + 20) }' out && ok ||
	fail "recorded $(cat want) ms, $(grep '^#3' out)"

t wakeups_of_perf_sched_record
sonde sched record -q -o own.data -- sh -c 'for i in 1 2 3; do sleep 0.02; ls /bin > /dev/null; done' 2> err
cp own.data perf.data
sonde sched replay -f -r 1 > out 2> err || fail "$(cat err)"
awk '/^nr_wakeup_events/ { exit !($2 > 10) }' out && ok || fail "$(grep nr_ out)"
has out 'task +0 \( +swapper: +0\)'
# Again and again, until it is told to end.
: > out
timeout -s INT 100 sonde sched replay -r -1 -i own.data > out 2> err &
again=$!
n=0
while [ "$(grep -c '^#' out)" -le 2 ] && [ $n -lt 900 ]; do
	sleep 0.1
	n=$((n + 1))
done
kill -INT $again
wait $again
[ "$(grep -c '^#' out)" -gt 2 ] && ok || fail "$(tail -n 1 out)"

t what_is_refused
sonde sched replay -- true > out 2> err && fail 'a command' || has err 'a recording is replayed'
sonde sched replay -r many -i own.data > out 2> err && fail 'no number' || has err 'no number of times'
sonde sched replay -i "$T_HERE/../data/perf/clock.data" > out 2> err && fail 'samples' || [ ! -s out ] && ok || fail "$(cat err)"

# Threads that cannot be made: none of the others begins.
t without_threads
open=$(mktemp -d)
cp "$(command -v sonde)" own.data "$open"
chmod -R a+rX "$open"
few="setpriv --reuid=65533 --regid=65533 --clear-groups prlimit --nproc=3"
if ! $few "$open/sonde" version > out 2> err; then
	skip "no limit of threads here: $(cat err)"
else
	$few "$open/sonde" sched replay -i "$open/own.data" > out 2> err && fail 'with them' ||
		has err 'only [0-9]+ of [0-9]+ threads can be made'
	eq "$(grep -c '^#' out)" 0
fi
rm -r "$open"
