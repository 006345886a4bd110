#!/bin/sh
# as: root
# time: 200
# machine: kvm
# kernels: 6.12
# also: 5.10
# Exits and faults of a virtual machine that has a known number of each: live, of a recording, and as the kernel counts them.
. "$T_HERE/lib.sh"

need sonde vmm awk

# cell FILE COLUMN PATTERN...: of the row whose first columns match.
cell() {
	awk -F, -v column="$2" -v first="$3" -v second="${4:-.*}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 ~ first && $2 ~ second { n += $at[column] } END { print n + 0 }' "$1"
}

# 100 stores to a device, 50 pages, 30 calls of firmware and the one that switches it off, one page of code.
known_exits() {
	eq "$(cell "$1" calls DABT_LOW)" 150
	eq "$(cell "$1" calls HVC64)" 30
	eq "$(cell "$1" calls IABT_LOW)" 1
}

known_faults() {
	eq "$(cell "$1" faults '^device' write)" 100
	eq "$(cell "$1" faults '^translation' write)" 50
	eq "$(cell "$1" faults '^translation' execute)" 1
}

t exits_are_counted
sonde prof kvm-exit -x, -o out -- vmm 100 50 30 > said 2> err
eq $? 0
known_exits out
# The first entry has no exit, the last exit no entry.
has err '^sonde: 1 ended without a beginning$'
has err '^sonde: 1 are open at the end$'

t faults_are_counted
sonde prof kvmmmu -x, -o out -- vmm 100 50 30 > said 2> err
eq $? 0
known_faults out
sonde prof kvmmmu -o out -- vmm 2 5 1 > said 2> err
has out '^device \(mmio\) +write +2 '

t of_a_recording
sonde record -q -o g.data -e kvm:kvm_exit -e kvm:kvm_entry -e kvm:kvm_guest_fault -e kvm:kvm_mmio -- vmm 100 50 30 > out 2> err
sonde prof kvm-exit -i g.data -x, > first 2> err
known_exits first
sonde prof kvm-exit -i g.data -x, > second 2> err
eq "$(cmp first second)" ""
sonde prof kvmmmu -i g.data -x, > first 2> err
known_faults first
sonde prof kvmmmu -i g.data --perins -x, > out 2> err
has out '^[0-9]+,vmm,device \(mmio\),write,100,'

t exits_as_a_heat_map
sonde prof multi-trace -e kvm:kvm_exit -e kvm:kvm_entry --heatmap mpdelay -o out -- vmm 100 50 30 > said 2> err
eq $? 0
has out 'kvm_exit  =>  kvm_entry +(18[1-9]|19[0-9]|[23][0-9][0-9]) '
ls mpdelay*.svg > /dev/null 2>&1 && ok || fail "$(ls)"

# Each fault's time is from its event to the next entry.
t times_are_those_of_the_events
sonde script -i g.data -F tid,time,event --ns 2> err | awk '
	/kvm_guest_fault/ { from = $2 + 0; mmio = 0 }
	/kvm_mmio/ { mmio = 1 }
	/kvm_entry/ && from { if (mmio) { n++; sum += $2 - from } from = 0 }
	END { printf "%d %.0f\n", n, sum * 1e6 }' > sums
eq "$(cut -d ' ' -f 1 sums)" 100
ours=$(cell first total_us '^device')
awk -v a="${ours:-0}" -v b="$(cut -d ' ' -f 2 sums)" 'BEGIN { exit !(a > b * 0.99 && a < b * 1.01 + 5) }' && ok || fail "$ours us, by the events $(cat sums)"

# sums FILE NAME: samples of a row in all tables of sonde's JSON.
sums() {
	sed -n "s/.*\"name\":\"$2\",\"samples\":\([0-9]*\).*/\1/p" "$1" | awk '{ n += $1 } END { print n + 0 }'
}

t kvm_stat_live
sonde kvm stat live --duration 1000000 -- vmm 100 50 30 > out 2> err
eq $? 0
has out '^ +DABT_LOW +150 '
sonde kvm stat live -j -- vmm 100 50 30 > out 2> err
eq "$(sums out DABT_LOW)" 150
eq "$(sums out HVC64)" 31
eq "$(sums out IABT_LOW)" 1
sonde kvm stat live --event mmio -j -- vmm 100 50 30 > out 2> err
eq "$(sums out 0x10000000:W)" 100
sonde kvm stat live --event ioport -- true > out 2> err
eq $? 1
has err 'this kernel has no kvm:kvm_pio'

# rows FILE: names and numbers, sorted.
rows() {
	awk '/%/ && /us/ { $1 = $1; print }' "$1" | sort
}

t kvm_stat_is_perfs
if command -v perf > none && perf kvm stat record -a -o p.data -- vmm 100 50 30 > out 2>&1; then
	sonde kvm stat record -q -o s.data -- vmm 100 50 30 > out 2> err || fail "$(cat err)"
	for file in p.data s.data; do
		perf kvm -i $file stat report --stdio > theirs 2>&1
		sonde kvm -i $file stat report > ours 2> err
		rows theirs > want
		rows ours > got
		[ "$(grep -c DABT_LOW want)" = 1 ] && cmp -s want got && ok || fail "$file: $(differing want got | tr '\n' ';')"
		eq "$(grep '^Total Samples' ours)" "$(grep '^Total Samples' theirs)"
	done
fi
