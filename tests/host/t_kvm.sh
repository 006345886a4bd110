#!/bin/sh
# as: root
# time: 100
# sonde kvm stat beside perf's, of a recording of x86 (perf reads only those of its own machine); of arm64: tests/kernel/t_prof_guests.sh.
. "$T_HERE/lib.sh"

need sonde perf awk
[ "$(uname -m)" = x86_64 ] || need none

# rows FILE: all but the names, sorted: perf has others for AMD's reasons.
rows() {
	awk '/%/ && /us/ { $1 = ""; print }' "$1" | sort
}

t rows_are_perfs
data=$T_HERE/../data/views/kvm86.data
for event in vmexit mmio ioport; do
	for key in sample time; do
		perf kvm -i "$data" stat report --event "$event" -k "$key" > theirs 2>&1
		sonde kvm -i "$data" stat report --event "$event" -k "$key" > ours 2> notes
		rows theirs > want
		rows ours > got
		[ "$(wc -l < want)" -gt 1 ] && cmp -s want got && ok || fail "$event: $(differing want got | tr '\n' ';')"
		eq "$(grep '^Total Samples' ours)" "$(grep '^Total Samples' theirs)"
	done
done
# Names of addresses and ports are perf's.
awk '/POUT|PIN/ { print $1, $2 }' theirs | sort > want
awk '/POUT|PIN/ { print $1, $2 }' ours | sort > got
[ "$(wc -l < want)" = 2 ] && cmp -s want got && ok || fail "$(cat got)"

t records_what_perf_records
if [ ! -d /sys/kernel/tracing/events/kvm ]; then
	skip "no guests here: no events of kvm"
	exit 0
fi
sonde kvm stat record -q -- true 2> err || fail "$(cat err)"
perf kvm stat record -o peer.data true > /dev/null 2>&1
perf evlist -i perf.data.guest 2> /dev/null | grep '^kvm' | sort > got
perf evlist -i peer.data 2> /dev/null | grep '^kvm' | sort > want
[ "$(wc -l < want)" -gt 1 ] && cmp -s want got && ok || fail "$(differing want got | tr '\n' ';')"
sonde kvm --output other.data stat record -q true 2> err
[ -s other.data ] && ok || fail "$(cat err)"
# perf.data.guest is what is read unless another is named.
sonde kvm stat report --output out 2> err
eq $? 0
has out '^Analyze events for all VMs, all VCPUs:$'
