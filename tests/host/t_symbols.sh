#!/bin/sh
# as: root user
# sonde prof --symbols: addresses to names and names to places in a file, as nm and addr2line have them.
. "$T_HERE/../kernel/lib.sh"

need sonde nm readelf awk

libc=$(ldconfig -p | awk '/libc\.so\.6 .*x86-64|libc\.so\.6 .*AArch64/ { print $NF; exit }')
[ -n "$libc" ] || { t libc; skip "no libc here"; exit 0; }

t places_of_names
# A name of two versions is two functions.
nm -D --defined-only "$libc" | awk '$2 == "T" { sub(/@.*/, "", $3); n[$3]++; at[$3] = $1 } END { for (k in n) if (n[k] == 1) print k, at[k] }' |
	sort | awk 'NR % 10 == 0' > known
awk '{ print $1 }' known | sonde prof --symbols "$libc" > got
eq $? 0
# Code of this library lies in its file where it lies when it runs.
awk '{ sub(/^0*/, "", $2); print "0x" $2 }' known > want
[ "$(wc -l < want)" -ge 100 ] && cmp want got && ok || fail "$(diff want got | head -n 4)"
eq "$(printf 'no_such_function\n\nmalloc' | sonde prof --symbols "$libc" | head -n 1)" '??'

t names_of_addresses
start=$(readelf -lW "$libc" | awk '$1 == "LOAD" && $7 $8 ~ /E/ { print $3; exit }')
{
	printf '%x-%x r-xp %08x 00:00 1    %s\n' $((0x500000000000 + start)) $((0x500000000000 + start + 0x800000)) $((start)) "$libc"
	printf '500001000000-500001001000 r-xp 00000000 00:00 0    [vdso]\n600000000000-600000001000 rw-p 00000000 00:00 0 \n'
	awk '{ print $2 }' known | while read -r at; do
		printf '0x%x\n' $((0x500000000000 + 0x$at + 1))
	done
	printf '0x10\n0x500001000010\n0xffffffffffffffff'
} > asked
sonde prof --symbols "$libc" < asked > got
eq $? 0
eq "$(tail -n 3 got | tr '\n' ' ')" '?? ?? ?? '
# Of names of one address any is right.
nm -D --defined-only "$libc" | awk '{ sub(/@.*/, "", $3); print $1, $3 }' > all
head -n -3 got | sed 's/+0x1$//' | paste -d ' ' - known | awk 'NR == FNR { is[$1, $2] = 1; next } { n++; good += is[$3, $1] } END { print (n >= 100 && good >= n * 0.98) }' all - > told
eq "$(cat told)" 1

t what_cannot_be
sonde prof --symbols /etc/passwd < /dev/null > out 2> err && fail 'no program' || has err 'passwd'
sonde prof --symbols nope < /dev/null > out 2> err && fail 'no file' || has err 'nope'
sonde prof --symbols "$libc" top < /dev/null > out 2> err && fail 'a profiler' || has err "unknown|no meaning|needs"
ln -s "$(command -v sonde)" perf-prof
eq "$(echo malloc | ./perf-prof --symbols "$libc")" "$(echo malloc | sonde prof --symbols "$libc")"
