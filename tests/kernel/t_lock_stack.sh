#!/bin/sh
# as: root
# time: 300
# kernels: 6.12
# also: 6.1
# sonde lock contention -o -v: where those are who have the locks, as /proc/PID/stack has it.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde python3

# Stacks have no functions that wait or schedule.
# Who reads a terminal keeps its mutex while no line is there, and sleeps; who reads it, too, waits for that.
cat > readers.py <<- 'END'
	import os, pty, sys, time, tty

	def name(text):
	    with open("/proc/self/comm", "w") as f:
	        f.write(text)

	def is_in(pid, function):
	    with open(f"/proc/{pid}/stack") as f:
	        return function in f.read()

	def wait_for(pid, function):
	    while not is_in(pid, function):
	        time.sleep(0.01)

	ours, theirs = pty.openpty()

	def reader(text):
	    pid = os.fork()
	    if pid:
	        return pid
	    name(text)
	    os.read(theirs, 100)
	    os._exit(0)

	first = reader("has it")
	wait_for(first, "n_tty_read")
	second = reader("waits")
	wait_for(second, "n_tty_read")
	with open(f"/proc/{first}/stack") as f, open("stack", "w") as to:
	    to.write(f.read())
	with open("pid", "w") as f:
	    f.write(str(first))
	time.sleep(0.2)
	for pid in first, second:
	    os.write(ours, b"a line\n")
	    os.waitpid(pid, 0)
END

before=$(workload programs)

case $(uname -r) in
6.1.*)
	t kernels_without_stacks_are_told_so
	sonde lock contention -abov -- true > out 2> err
	eq $? 0
	has err 'stacks of owners are left out: this kernel gives programs no task by its number'
	lacks out 'owner stack trace'
	exit 0
	;;
esac

t stacks_are_as_the_kernel_tells_them
sonde lock contention -ov -Y mutex --max-stack 64 -- python3 readers.py > out 2> err || fail "$(cat err)"
cat out err
has out "^ +[0-9]+ +[0-9.]+ ms .* $(cat pid)   has it\$"
has out '^=== owner stack trace ===$'
sed -n '/owner stack trace/,$s/^			0x[0-9a-f]*  \([^ ]*\)$/\1/p' out > got
sed -n 's,^\[<0>\] \([^ /]*\)/.*,\1,p' stack > want
[ -s want ] && grep -q n_tty_read want && ok || fail "$(cat stack)"
python3 -c 'import sys; g, w = (open(n).read() for n in ("got", "want")); sys.exit(w not in g)' && ok || fail "$(cat got) is not $(cat want)"

t csv_and_json_have_them_too
sonde lock contention -ov -Y mutex -x ';' -- python3 readers.py > out 2> err || fail "$(cat err)"
has out "^[0-9]+; [0-9]+; [0-9]+; [0-9]+; $(cat pid); has it\$"
has out '^# owner stack trace:$'
has out '^[0-9]+; [0-9]+; [0-9]+; [0-9]+; mutex; [a-z_]+\+0x[0-9a-f]+;.*  n_tty_read\+0x[0-9a-f]+: .*  tty_read\+0x'
sonde lock contention -ovj -Y mutex -- python3 readers.py > out 2> err || fail "$(cat err)"
python3 -c '
import json, sys
v = json.load(sys.stdin)
sys.exit(not any(r["owner"] == "has it" and ";tty_read;n_tty_read;" in r["owner_stack"] for r in v))' < out && ok || fail "$(cat out)"

t nothing_stays
eq "$(workload programs)" "$before"
