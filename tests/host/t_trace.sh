#!/bin/sh
# as: root
# time: 120
# sonde trace: counts that strace finds, too; lines and sums of a recording are perf's.
. "$T_HERE/lib.sh"

need sonde perf awk

t calls_are_seen_here
if ! sonde trace -o lines -- ls / > /dev/null 2> err; then
	skip "cannot trace: $(head -n 1 err)"
	exit 0
fi
has lines 'openat\(dfd: CWD, filename: 0x[0-9a-f]+, flags: RDONLY\|CLOEXEC\) += [0-9]+$'
has lines 'exit_group\(\) += \?$'

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

t sums_are_perfs
perf trace record -o peer.data -- ls / > /dev/null 2>&1
perf trace -s -i peer.data > want 2>&1
sonde trace -s -i peer.data > got 2> err
[ -s want ] && cmp -s got want && ok || fail "$(differing want got | head -n 6 | tr '\n' ';')"
sonde trace record -o own.data -- ls / > /dev/null 2>&1
perf trace -s -i own.data > want 2>&1
sonde trace -s -i own.data > got 2> err
grep -q openat want && cmp -s got want && ok || fail "$(differing want got | head -n 6 | tr '\n' ';')"

# Addresses of names are whole here; texts of errors, and some commands of ioctl and prctl, are the C library's and perf's.
t lines_are_perfs
plain() {
	sed 's/name: 0x[0-9a-f]*/name: /; s/cmd: [^,)]*/cmd: /; s/option: [^,)]*/option: /; s/flags: [^)]*, mask: [^,]*, //; s/ ([A-Z][^)]*)$//; s/  */ /g' "$1" |
		sed 's/NONBLOCK|DIRECTORY|CLOEXEC/CLOEXEC|DIRECTORY|NONBLOCK/'
}
perf trace -i peer.data 2>&1 | grep -v '^$' > theirs
sonde trace -i peer.data > ours 2> err
plain theirs > want
plain ours > got
[ "$(wc -l < want)" -gt 50 ] && cmp -s got want && ok || fail "$(differing want got | head -n 8 | tr '\n' ';')"

t slow_and_failed_calls_alone
sonde trace --failure -- ls /nonexistent > out 2> err
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
sonde trace -a -o all 2> err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
grep -q " sonde/$pid " all && fail "$(grep -c " sonde/$pid " all) lines of itself" || ok
[ "$(wc -l < all)" -gt 10 ] && ok || fail "$(wc -l < all) lines"
sonde trace -C 0 -s -m 256 -o all -- sleep 0.2 2> err
has all 'Summary of events'
sleep 3 &
pid=$!
timeout -s INT 1 sonde trace -p $pid > out 2> err
timeout -s INT 1 sonde trace -t $pid > out 2> err
sonde trace --no-inherit -u root -s -- sleep 0.1 > out 2> err
sonde trace -f -v -G / -s -- sleep 0.1 > out 2> err
kill $pid
