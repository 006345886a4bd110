#!/bin/sh
# as: root
# time: 300
# kernels: 6.12 5.10
# sonde lock: waits are what the events themselves add up to; kernels without the events are told so. Rows beside perf's:
# tests/captures.
. "$T_HERE/lib.sh"

need sonde perf python3 awk

# Writers of one file wait for each other: each has its lock for so many megabytes that it cannot be done before its CPU goes to another.
cat > writers <<- 'END'
	for w in 1 2 3 4; do
		dd if=/dev/zero of=/tmp/shared bs=48M count=2 conv=notrunc 2> /dev/null &
	done
	wait
	rm /tmp/shared
END

case $(uname -r) in
5.*)
	t no_events_of_locks
	for verb in "record true" "contention -a" "contention true"; do
		sonde lock $verb > out 2> err
		eq $? 1
		has err 'no (events of locks|lock:contention_begin).*Linux 5.19'
		has err 'kprobes on mutex_lock'
	done
	exit 0
	;;
esac

# sums FILE: waits, and their ns, by task and lock as the events' lines have them; a wait that begins twice counts from the first.
sums() {
	perf script -i "$1" -F tid,cpu,time,event,trace --ns -G 2> /dev/null | tr -d '[]:,' | awk '
		{ tid = $1; key = tid " " (tid ? "" : $2) " " $5; split($3, t, "."); ns = t[1] * 1000000000 + t[2] }
		/contention_begin/ && !(key in since) { since[key] = ns; n++ }
		/contention_end/ && key in since { total += ns - since[key]; delete since[key] }
		END { print n, total }'
}

t waits_are_what_events_add_up_to
sonde lock record -q -a -o own.data -- sh writers 2> err || fail "$(cat err)"
sums own.data > want
awk '{ exit !($1 > 1) }' want || fail "nobody waited: $(cat want)"
for by in "" -t -l; do
	sonde lock contention $by -F contended,wait_total -j -i own.data 2> err |
		python3 -c 'import json, sys; v = json.load(sys.stdin); print(sum(r["contended"] for r in v), sum(r["wait_total"] for r in v))' > got
	# Rows of which no wait has ended are not shown: they have no time.
	awk 'NR == FNR { n = $1; t = $2; next } { exit !($2 == t && $1 <= n && $1 >= n - 8) }' want got && ok || fail "$by: $(cat got) of $(cat want)"
done

t places_have_names_and_call_chains
sonde lock contention -v -i own.data > out 2> err
has out '^ +[0-9]+ +[0-9.]+ [a-z]+ +.* (spinlock|mutex|rwsem:W)   [a-z_]+'
has out '^			0x[0-9a-f]{16}  [a-z_]+\+0x'
sonde lock contention -S shmem,generic,tmpfs,vfs_write -E 2 -i own.data > out 2> err
[ "$(grep -c '[0-9] [mun]s' out)" -le 2 ] && ok || fail "$(cat out)"

t live_without_a_file
sonde lock contention -E 3 -- sh writers > out 2> err
eq $? 0
has out '^ contended   total wait     max wait     avg wait         type   caller$'
sonde lock contention --lock-owner -i own.data > out 2> err
has err 'no recording tells who has a lock'
