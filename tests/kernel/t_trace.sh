#!/bin/sh
# as: root
# time: 200
# kernels: 5.10 6.12
# sonde trace on arm64: as many calls and errors as perf's script of the recording has (its trace -i dies of a recording here); live.
. "$T_HERE/lib.sh"

need sonde perf strace awk python3

t sums_are_what_was_recorded
perf trace record -o peer.data -- ls / > /dev/null 2>&1
perf script -i peer.data -F event,trace 2> /dev/null | awk '/sys_exit: NR/ && $3 >= 0 { n++; bad += $NF >= -4095 && $NF < 0 } END { print n, bad + 0 }' > want
sonde trace -s -x ' ' -q -i peer.data | awk 'NR > 1 { n += $4; bad += $5 } END { print n, bad + 0 }' > got
[ "$(awk '{ print $1 }' want)" -gt 30 ] || fail "perf has $(cat want)"
eq "$(cat got)" "$(cat want)"

# Each line has its call's name and result; the kernel's own record has them as numbers.
t lines_are_what_was_recorded
perf script -i peer.data -F event,trace 2> /dev/null | awk '/sys_exit: NR/ && $3 >= 0 { print ($NF < 0 && $NF >= -4095) ? -1 : $NF }' > want
sonde trace -q -i peer.data | sed -nE 's/.*\) *= (-?0x[0-9a-f]+|-?[0-9]+).*/\1/p' > raw
python3 -c 'for line in open("raw"): print(int(line, 0))' > got
cmp -s got want && ok || fail "$(wc -l < got) results, not $(wc -l < want): $(differing want got | head -n 6 | tr '\n' ';')"

# By programs in the kernel, of the command and its children: each word is where it was given.
t arguments_are_what_they_point_to
cat > calls.sh << 'EOF'
mkdir dir
echo words > dir/file
cat dir/file > /dev/null
mv dir/file dir/other
rm -r dir
cd /nonexistent
EOF
sonde trace --strings bpf -o lines -- sh calls.sh 2> err
has lines 'mkdirat\(dfd: CWD, pathname: "dir", mode: 0777\) += 0'
has lines 'write\(fd: 1<[^>]*dir/file>, buf: "words\\n", count: 6\) += 6'
has lines 'read\(fd: [0-9]+<[^>]*dir/file>, buf: "words\\n", count: [0-9]+\) += 6'
has lines 'renameat2?\([^"]*"dir/file"[^"]*"dir/other"'
has lines 'unlinkat\(.*"(dir/)?other"'
has lines '(chdir|newfstatat)\([^"]*"/nonexistent".* = -1 ENOENT'
has lines 'fstat\(fd: [0-9]+.*, statbuf: \{ .st_mode: REG\|[0-7]+, .st_size: [0-9]+ \}'
eq "$(grep -E ' (openat|mkdirat|faccessat|chdir)\(' lines | grep -cv '"')" 0

# Sets, times and masks that calls wait with, and what they have in the end.
t waits_are_straces
strace -o theirs python3 "$T_HERE/polls.py" 2> err
sonde trace -o ours -- python3 "$T_HERE/polls.py" 2>> err
python3 "$T_HERE/polls.py" theirs > want
python3 "$T_HERE/polls.py" ours > got
[ "$(grep -c 'pselect6' want)" = 12 ] && cmp -s got want && ok ||
	fail "$(cat err; differing want got | head -n 6 | tr '\n' ';')"

# Fields of enums have the kernel's own names for their values, which filters take, too; its print fmt has shorter ones.
t enums_have_their_names
if [ -e /sys/kernel/btf/vmlinux ]; then
	sonde trace --no-syscalls -e timer:hrtimer_start -o lines -- sleep 0.1 2> err
	has lines 'sleep/[0-9]+ timer:hrtimer_start\(.*, mode: HRTIMER_MODE_REL'
	sonde trace --no-syscalls -e timer:hrtimer_start --filter 'mode == HRTIMER_MODE_REL' -o lines -- sleep 0.1 2> err
	[ "$(grep -c 'mode: HRTIMER_MODE_REL[,)]' lines)" = "$(wc -l < lines)" ] && [ -s lines ] && ok || fail "$(cat err lines)"
	eq "$(cat err)" ""
	sonde trace --no-syscalls -e timer:hrtimer_start --filter 'mode != HRTIMER_MODE_REL && softexpires > 1' -o lines -- sleep 0.1 2> err
	eq "$(grep -c 'mode: HRTIMER_MODE_REL[,)]' lines; cat err)" 0
	sonde trace --no-syscalls -e timer:hrtimer_start --filter 'mode == HRTIMER_MODE_RAL' -- true 2> err
	has err "mode: no value of enum hrtimer_mode is called HRTIMER_MODE_RAL, did you mean 'HRTIMER_MODE_REL'"
else
	skip "the kernel does not tell its types"
fi

t live
sonde trace -e openat,getdents64 -- ls /proc/self/fd > out 2> err
has out 'openat\(dfd: CWD, filename: "/proc/self/fd", flags: RDONLY.*DIRECTORY'
has out 'getdents64\(fd: [0-9]+'
sonde trace -s --failure -- ls /nonexistent > out 2> err
has out 'Summary of events'
