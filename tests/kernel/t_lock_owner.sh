#!/bin/sh
# as: root
# time: 300
# kernels: 6.12
# also: 6.1-rt
# sonde lock contention -o: for whom is waited, where it is known who has the lock.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde python3

# One task writes much to a file while others write little: they wait for it. With one descriptor for all the lock is the
# mutex of its position; else it is the file's rwsem.
cat > writers.py <<- 'END'
	import os, sys, time

	def name(text):
	    with open("/proc/self/comm", "w") as f:
	        f.write(text)

	def small(shared):
	    name("small")
	    fd = shared if sys.argv[1] == "one" else os.open("written", os.O_WRONLY)
	    while True:
	        os.write(fd, b"x")
	        time.sleep(0.001)

	fd = os.open("written", os.O_WRONLY | os.O_CREAT)
	children = []
	for i in range(3):
	    children.append(os.fork() or small(fd))
	name("large one")
	with open("pid", "w") as f:
	    f.write(str(os.getpid()))
	data = bytes(16 << 20)
	for i in range(6):
	    os.lseek(fd, 0, os.SEEK_SET)
	    os.write(fd, data)
	for pid in children:
	    os.kill(pid, 9)
	    os.waitpid(pid, 0)
END

# The first row is of the one for whom most of the time was waited.
cat > first.py <<- 'END'
	import json, sys

	rows = json.load(sys.stdin)
	total = sum(r["wait_total"] for r in rows)
	print(rows[0]["tid"], rows[0]["owner"], int(rows[0]["wait_total"] * 2 > total))
END

# check TYPES TARGET: the rows of a run.
check() {
	sonde lock contention -o -Y "$1" -j $2 -- python3 writers.py "$3" > out 2> err || fail "$(cat err)"
	python3 first.py < out > got || fail "$(cat out err)"
	eq "$(cat got)" "$(cat pid) large one 1"
	cat out
	rm -f written
}

before=$(workload programs)

case $(uname -r) in
*-rt-*)
	t locks_of_real_time
	check rt-mutex "" one
	;;
*)
	t mutexes_of_a_command
	check mutex "" one
	t rwsems_of_a_command
	check rwsem "" each
	t mutexes_of_all
	check mutex -a one
	t rwsems_of_a_cpu
	check rwsem "-C 0-$(($(nproc) - 1))" each
	;;
esac

# Programs run behind the events of who came first: what they read belongs to an event that is there already.
t somebody_else_watches_too
sonde record -q -a -e lock:contention_begin -o other.data -- sleep 100 > other.out 2>&1 &
other=$!
wait_for counting $other
case $(uname -r) in
*-rt-*) check rt-mutex "" one ;;
*)
	check mutex -a one
	check rwsem "" each
	;;
esac
kill -INT $other
wait $other
rm -f other.data

t text_and_csv_are_as_of_tasks
sonde lock contention -abo -- python3 writers.py one > out 2> err
eq $? 0
has out '^ contended   total wait     max wait     avg wait          pid   owner$'
has out "^ +[0-9]+ +[0-9.]+ [mu]?s +[0-9.]+ [mu]?s +[0-9.]+ [mu]?s +$(cat pid)   large one\$"
sonde lock contention -ao -x ';' -- python3 writers.py one > out 2> err
has out '^# output: contended; total wait; max wait; avg wait; pid; owner$'
has out "^[0-9]+; [0-9]+; [0-9]+; [0-9]+; $(cat pid); large one\$"

t nothing_stays
eq "$(workload programs)" "$before"
