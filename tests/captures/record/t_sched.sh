#!/bin/sh
# time: 3000
# kernels: 6.12
# A recording of perf sched, and what perf says of it. In each: `what`, `args`, `theirs`.
. "$T_HERE/lib.sh"
. "$T_HERE/../captures/lib.sh"

t recorded
need perf workload awk

# said VERB OPTIONS...
said() {
	take
	echo "$1" > "$taken/what"
	what=$1
	shift
	echo "$@" > "$taken/args"
	perf sched "$what" "$@" -i peer.data 2> err > "$taken/theirs"
	[ -s "$taken/theirs" ] && ok || fail "$what $*: $(cat err)"
}

perf sched record -o peer.data -- \
	sh -c 'for i in 1 2 3 4 5; do sleep 0.02; ls /bin > /dev/null; done; workload waits' > record.out 2>&1 || fail "$(cat record.out)"
perf script -i peer.data -F cpu,time,event,trace 2> /dev/null > script
# Who ran most often, and its process.
task=$(perf script -i peer.data -F pid,tid,event,trace 2> /dev/null |
	sed -n 's/^ *\([1-9][0-9]*\/[1-9][0-9]*\) .*sched_switch.*/\1/p' | sort | uniq -c | sort -n | awk 'END { print $2 }')

begin latency
said latency -p
said latency -p -s runtime
said latency -p -s switch,pid
said latency

begin timehist
said timehist
said timehist -w
said timehist -M -V -n --state
said timehist -I
said timehist -C 0
said timehist -p "${task%/*}"
said timehist -t "${task#*/}"

begin map
said map
said map --compact

cat /proc/kallsyms > kallsyms
keep kallsyms script peer.data
