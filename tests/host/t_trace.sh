#!/bin/sh
# as: root
# time: 120
# sonde trace: counts that strace finds, too; lines and sums of a recording are perf's.
. "$T_HERE/lib.sh"

need sonde perf awk python3

t calls_are_seen_here
if ! sonde trace -o lines -- ls / > /dev/null 2> err; then
	skip "cannot trace: $(head -n 1 err)"
	exit 0
fi
has lines 'openat\(dfd: CWD, filename: "/etc/ld.so.cache", flags: RDONLY\|CLOEXEC\) += [0-9]+$'
has lines 'read\(fd: [0-9]+</[^>]*libc.so.6>, buf: "\\177ELF'
has lines 'exit_group\(\) += \?$'

t lines_for_programs
cat > objects.py << 'END'
import json, sys
v = [json.loads(l) for l in open("objects")]
calls = [c["call"] for c in v]
opened = [c for c in v if c["call"] == "openat" and c["args"]["filename"] == '"/etc/ld.so.cache"']
assert opened and opened[0]["return"] >= 3 and opened[0]["duration_ms"] > 0 and opened[0]["comm"] == "sh"
assert [c for c in v if c.get("error") == "ENOENT" and c["return"] == -1 and c["args"]["filename"] == '"/nowhere"']
end = [c for c in v if c["call"] == "exit_group"]
assert len(end) == 2 and not [c for c in end if "return" in c]
assert len({c["tid"] for c in v}) == 2 and sorted(c["time_ms"] for c in end) == [c["time_ms"] for c in end]
print("ok")
END
sonde trace -q -j -e openat,chdir,exit_group -o objects -- sh -c 'cat /nowhere; true' > /dev/null 2> err
eq "$(python3 objects.py 2>&1)" ok

# counts FILE: "calls name" of a sum.
counts() {
	awk '$2 ~ /^[0-9]+$/ && $1 ~ /^[a-z]/ { print $2, $1 }' "$1" | sort -k 2
}

# What happens before the program's own first call each of them sees as it can.
t counts_are_straces
if command -v strace > /dev/null; then
	strace -c -o theirs ls -l /usr > /dev/null 2>&1
	awk '$4 ~ /^[0-9]+$/ && $NF != "total" && $NF != "execve" { print $4, $NF }' theirs | sort -k 2 > want
	sonde trace -s -o ours -- ls -l /usr > /dev/null 2> err
	counts ours | grep -v execve > got
	[ -s want ] && cmp -s got want && ok || fail "$(differing want got | tr '\n' ';')"
else
	skip "no strace"
fi

# Paths, data, names of sockets, each in its place, of every call that both tell of: the interpreter's own are among them.
t strings_are_straces
# In a folder of its own: python looks again at one that changes, sooner or later.
mkdir py
cat > py/calls.py << 'EOF'
import os, socket, time
d = os.getcwd() + "/d"
os.mkdir(d)
for i in range(20):
    p = "%s/f%03d" % (d, i)
    f = os.open(p, os.O_CREAT | os.O_RDWR)
    os.write(f, b'da"ta\\ \x00\x001\xff 12\n' * i)
    os.lseek(f, 0, 0)
    os.read(f, 100)
    os.close(os.dup(f))
    os.close(f)
    os.stat(p)
    os.rename(p, p + "x")
    os.symlink(p + "x", p)
    os.readlink(p)
    os.chmod(p + "x", 0o600)
    os.truncate(p + "x", 3)
for n in (126, 127, 128, 255, 256, 2000, 4094):
    try:
        os.stat("/" + "n" * (n - 1))
    except OSError:
        pass
for to in ("\0abstract", "/nonexistent/socket"):
    try:
        socket.socket(socket.AF_UNIX).connect(to)
    except OSError:
        pass
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.bind(("127.0.0.1", 45123))
u.sendto(b"text", u.getsockname())
u.recvfrom(20)
a, b = socket.socketpair()
a.getpeername()
r, w = os.pipe()
os.writev(w, [b"hello ", b"wor\0ld\n", b"x" * 60, b""] + [b"%d" % i for i in range(12)])
os.readv(r, [bytearray(4), bytearray(7), bytearray(100)])
a.sendmsg([b"one", b"two2"])
b.recvmsg(100)
for argv in (["?"], ["true", "", "a\nb", "z" * 40], ["x"] * 12):
    try:
        os.execve("/nonexistent", argv, {})
    except OSError:
        pass
for n in 1, 7, 8, 9, 63, 64, 65, 255:
    try:
        os.execve("/nonexistent", ["x"], {"V%d" % i: "y" for i in range(n)})
    except OSError:
        pass
os.chdir("/etc")
os.getcwd()
EOF
cat > strings.py << 'EOF'
import re, sys
other = "getrandom uname prctl sysinfo".split()
for line in open(sys.argv[1], errors="replace"):
    m = re.match(r"(?:.*?\): \S+/\d+ )?(\w+)\((.*)", line)
    if not m or m.group(1) in other or " ... [continued]" in line:
        continue
    # Its own was before we looked.
    if m.group(1) == "execve" and "calls.py" in line:
        continue
    text = re.sub(r'inet_\w+\((AF_INET6, )?"([^"]*)"', r"\2", m.group(2))
    print(m.group(1), *re.findall(r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?|/\* \d+ vars? \*/', text))
EOF
if command -v strace > /dev/null && command -v python3 > /dev/null; then
	python=$(python3 -c 'import sys; print(sys.executable)')
	strace -o theirs "$python" -S -E py/calls.py
	rm -r d
	sonde trace -m 4096 -o ours -- "$python" -S -E py/calls.py 2> err
	python3 strings.py theirs > want
	python3 strings.py ours > got
	[ "$(grep -c '"' want)" -gt 200 ] && cmp -s got want && ok || fail "$(differing want got | head -n 6 | tr '\n' ';')"
	# None that is the memory's by now: a descriptor has the path of the call's time, through dup and close.
	eq "$(grep -cE ' (read|write|close)\(fd: [0-9]+<'"$PWD"'/d/f[0-9]+>' ours)" 80
else
	skip "no strace"
fi

# Sets, times and masks that calls wait with, and what they have in the end.
t waits_are_straces
polls=$T_HERE/../kernel/polls.py
if command -v strace > /dev/null; then
	strace -o theirs python3 "$polls" 2> err
	sonde trace -o ours -- python3 "$polls" 2>> err
	python3 "$polls" theirs > want
	python3 "$polls" ours > got
	[ "$(grep -c 'pselect6' want)" = 12 ] && cmp -s got want && ok || fail "$(differing want got | head -n 6 | tr '\n' ';')"
else
	skip "no strace"
fi

# A thread that is read a moment later: what does not change is as it was.
t memory_is_read_late
sonde trace --strings memory -o lines -- sh -c 'while :; do cd /usr/lib; done' 2> err &
tracer=$!
sleep 1
kill -INT $tracer
wait $tracer
has lines 'chdir\(filename: "/usr/lib"\) += 0'
sonde trace --strings none -o lines -- true
has lines 'openat\(dfd: CWD, filename: 0x[0-9a-f]+'
sonde trace --string-size 3 -e read,pread64 -o lines -- true
has lines 'read\(fd: [0-9]+.*, buf: "\\177EL"\.\.\., count'

# Numbers of tasks are others for programs of the kernel there.
t in_a_process_namespace
if unshare -p -f --mount-proc true 2> /dev/null; then
	unshare -p -f --mount-proc "$SONDE" trace --strings bpf -- true 2> err
	has err 'in a process namespace'
	unshare -p -f --mount-proc "$SONDE" trace -o lines -- true 2> err
	has err 'is read late'
	has lines 'openat\('
else
	skip "no namespaces"
fi

t classes_are_straces
if command -v strace > /dev/null; then
	for class in file network process memory signal creds clock; do
		strace -e trace=%$class -e signal=none -c -o theirs ls -l / > /dev/null 2>&1
		awk '$4 ~ /^[0-9]+$/ && $NF != "total" && $NF != "execve" { print $4, $NF }' theirs | sort -k 2 > want
		sonde trace -s -e %$class -o ours -- ls -l / > /dev/null 2> err
		counts ours | grep -v execve > got
		cmp -s got want && ok || fail "$class: $(differing want got | tr '\n' ';')"
	done
else
	skip "no strace"
fi

# Each page that is touched for the first time faults once, and it is told whose page.
t page_faults_beside_calls
cat > pages.py << 'EOF'
import mmap, time
m = mmap.mmap(-1, 300 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
m.madvise(mmap.MADV_NOHUGEPAGE)
time.sleep(0)
for i in range(300):
    m[i * 4096] = 1
EOF
sonde trace -F min -e mmap,madvise,clock_nanosleep -o lines -- python3 -S -E pages.py 2> err
from=$(sed -nE 's/.* madvise\(start: 0x([0-9a-f]+),.*NOHUGEPAGE.*/\1/p' lines | tail -n 1)
touched=$(python3 - "$from" << 'EOF'
import re, sys
at = int(sys.argv[1], 16)
found = re.findall(r"minfault \[\S+\+0x[0-9a-f]+\] => //anon@0x([0-9a-f]+) \(d\.\)", open("lines").read())
print(len({int(a, 16) & ~4095 for a in found if at <= int(a, 16) < at + 300 * 4096}))
EOF
)
eq "$touched" 300
sonde trace -F all --no-syscalls -o lines -- true 2> err
has lines 'fault \[_start\+0x0\] => [^ ]*ld-[^ ]*@0x[0-9a-f]+ \(d\.\)'
eq "$(grep -vc fault lines)" 0
sonde trace -j -F min -e execve,openat -o lines -- sh -c '/bin/echo "a b"' > out 2> err
eq "$(python3 -c 'import json; v = [json.loads(l) for l in open("lines")]; print(sum(e.get("event") == "minor-faults" and int(e["addr"], 16) > 0 for e in v) > 9,
	[e["args"]["argv"] for e in v if e.get("call") == "execve" and "args" in e])')" 'True ['"'"'["/bin/echo", "a b"]'"'"']'

# As perf has them of the same program: the C library's own names for a function differ, and what is inlined in it.
t callers_of_calls
callers() {
	sed -n '/clock_nanosleep(/,$p' "$1" | grep -E '^ {39}' | sed 's/^ *//' | grep -E '^(doze|main|_start|__libc_start_call_main) '
}
cat > doze.c << 'EOF'
#include <time.h>
__attribute__((noinline)) static int doze(void)
{
	struct timespec t = { 0, 1000 };

	nanosleep(&t, 0);
	return t.tv_nsec == 1000 ? 0 : 1;
}
int main(void)
{
	return doze();
}
EOF
if command -v gcc > /dev/null && gcc -g -O1 -o doze doze.c; then
	perf trace --call-graph dwarf -e clock_nanosleep -o theirs ./doze 2> err
	sonde trace --call-graph dwarf -e clock_nanosleep -o ours -- ./doze 2>> err
	callers theirs > want
	callers ours > got
	grep -q '^doze ' want && cmp -s want got && ok || fail "$(differing want got | tr '\n' ';')"
	sonde trace --max-stack 2 -e clock_nanosleep -o ours -- ./doze
	eq "$(grep -cE '^ {39}' ours)" 2
	sonde trace --min-stack 100 -e clock_nanosleep -o ours -- ./doze
	eq "$(wc -l < ours)" 0
	sonde trace --call-graph fp --kernel-syscall-graph -e clock_nanosleep -o ours -- ./doze
	has ours 'do_syscall_64|el0_svc|invoke_syscall'
else
	skip "no compiler"
fi

t other_fields_by_filter
sonde trace --no-syscalls -e 'sched:sched_process_exit' --filter 'prio > 200' -D 0 -o lines -- true 2> err
eq "$(wc -l < lines)" 0
sonde trace --no-syscalls -e 'sched:sched_process_exit' --filter 'prio < 200' -o lines -- true 2> err
has lines 'true/[0-9]+ sched:sched_process_exit\('

t events_as_the_kernel_writes_them
written() {
	sed -nE 's/.*(sched:sched_process_exec\(.*)/\1/p' "$1" | sed 's/[0-9][0-9]*/N/g'
}
perf trace --no-syscalls -e sched:sched_process_exec --libtraceevent_print -o theirs true 2> err
sonde trace --no-syscalls -e sched:sched_process_exec --libtraceevent_print -o ours -- true 2>> err
written theirs > want
written ours > got
grep -q 'filename=.*/true pid=N old_pid=N' got && cmp -s want got && ok || fail "$(cat err; differing want got | tr '\n' ';')"

t sums_are_perfs
perf trace record -o peer.data -- ls / > /dev/null 2>&1
perf trace -s -i peer.data > want 2>&1
sonde trace -s -i peer.data > got 2> err
[ -s want ] && cmp -s got want && ok || fail "$(differing want got | head -n 6 | tr '\n' ';')"
sonde trace record -o own.data -- ls / > /dev/null 2>&1
perf trace -s -i own.data > want 2>&1
sonde trace -s -i own.data > got 2> err
grep -q openat want && cmp -s got want && ok || fail "$(differing want got | head -n 6 | tr '\n' ';')"

# Addresses of names are whole here; texts of errors are the C library's.
t lines_are_perfs
plain() {
	sed 's/name: 0x[0-9a-f]*/name: /; s/flags: [^)]*, mask: [^,]*, //; s/ ([A-Z][^)]*)$//; s/  */ /g' "$1" |
		sed 's/NONBLOCK|DIRECTORY|CLOEXEC/CLOEXEC|DIRECTORY|NONBLOCK/'
}
perf trace -i peer.data 2>&1 | grep -v '^$' > theirs
sonde trace -i peer.data > ours 2> err
plain theirs > want
plain ours > got
[ "$(wc -l < want)" -gt 50 ] && cmp -s got want && ok || fail "$(differing want got | head -n 8 | tr '\n' ';')"

# Of those that are on a limit when they are rounded either is right.
t long_calls_are_red_on_a_terminal
sonde trace -i peer.data > peer.lines 2> err
TERM=xterm python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$SONDE" trace -i peer.data > screen 2> err
esc=$(printf '\033')
colored() {
	grep -v '0[.]010 ms' screen | grep -cE "\\($esc\\[$1m *[0-9.]+ ms$esc\\[m\\)"
}
took() {
	sed -nE 's/.*\( *([0-9.]+) ms\).*/\1/p' peer.lines | awk "\$1 $1 { n++ } END { print n + 0 }"
}
eq "$(colored 33)" "$(took '> 0.01 && $1 < 1')"
eq "$(colored 31)" "$(took '>= 1')"
eq "$(took '< 0.01')" "$(($(grep -c ' ms): ' screen) - $(grep -c '0[.]010 ms): ' screen)))"

t slow_and_failed_calls_alone
sonde trace --failure -- ls none/such > out 2> err
has out 'ENOENT'
grep -vq ' = -1 E' out && fail "$(grep -v ' = -1 E' out | head -n 1)" || ok
sonde trace --duration 200 -- sleep 0.3 > out 2> err
has out 'nanosleep'
eq "$(wc -l < out)" 1

t other_events_beside_them
sonde trace --no-syscalls -e 'sched:sched_process_exec' -- true > out 2> err
has out 'true/[0-9]+ sched:sched_process_exec\(filename: "[^"]*true"'
eq "$(grep -c sys_ out)" 0

# Everybody but this program itself: it would see its own lines for ever.
t of_all_but_itself
: > all
sonde trace -a -o all 2> err &
pid=$!
n=0
while [ "$(wc -l < all)" -le 10 ] && [ $n -lt 200 ]; do
	true
	sleep 0.1
	n=$((n + 1))
done
# Somebody is there before us, whose programs run first.
sonde trace --strings bpf -e openat,read,execve -o lines -- sh -c '/bin/echo words' > out 2> err2
has lines 'openat\(dfd: CWD, filename: "/etc/ld.so.cache", flags: RDONLY\|CLOEXEC\)'
has lines 'execve\(filename: "/bin/echo", argv: \["/bin/echo", "words"\]'
has lines ' read\(.*buf: "\\177ELF'
kill -INT $pid
wait $pid
grep -q " sonde/$pid " all && fail "$(grep -c " sonde/$pid " all) lines of itself" || ok
[ "$(wc -l < all)" -gt 10 ] && ok || fail "$(wc -l < all) lines"
sonde trace -C 0 -s -m 256 -o all -- sleep 0.2 2> err
has all 'Summary of events'
sleep 30 &
pid=$!
timeout -s INT 1 sonde trace -p $pid > out 2> err
timeout -s INT 1 sonde trace -t $pid > out 2> err
sonde trace --no-inherit -u root -s -- sleep 0.1 > out 2> err
sonde trace -f -v -G / -s -- sleep 0.1 > out 2> err
kill $pid
wait $pid || :
