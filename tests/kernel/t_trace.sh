#!/bin/sh
# as: root
# time: 200
# kernels: 6.12
# sonde trace on arm64: as many calls and errors as perf's script of the recording has (its trace -i dies of a recording here); live.
. "$T_HERE/lib.sh"

need sonde perf awk

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

t live
sonde trace -e openat,getdents64 -- ls /proc/self/fd > out 2> err
has out 'openat\(dfd: CWD, filename: 0x[0-9a-f]+, flags: RDONLY.*DIRECTORY'
has out 'getdents64\(fd: [0-9]+'
sonde trace -s --failure -- ls /nonexistent > out 2> err
has out 'Summary of events'
