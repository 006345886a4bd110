#!/bin/sh
# as: root user
# time: 100
# sonde ftrace attach on recordings of trace-cmd: both programs show the guest's times as the host's, and all else as it was.
. "$T_HERE/lib.sh"

need sonde trace-cmd

data=$T_HERE/../data/dat

# fresh: copies of a host's and a guest's.
fresh() {
	cp "$data/${1:-events}.dat" host.dat
	cp "$data/${2:-functions}.dat" guest.dat
	chmod u+w host.dat guest.dat
}

# stamps FILE PROGRAM: times of its events, seconds and nanoseconds.
stamps() {
	$2 report -t -i "$1" 2> /dev/null | sed -n 's/.*\] .* \([0-9]*\)\.\([0-9]\{9\}\): .*/\1 \2/p'
}

# later S NS: what is read is so much later.
later() {
	awk -v s="$1" -v ns="$2" '{ n = $2 + ns; c = n >= 1e9 ? 1 : n < 0 ? -1 : 0; printf "%d %09d\n", $1 + s + c, n - c * 1e9 }'
}

# id FILE
id() {
	sonde ftrace dump --options -i "$1" 2> /dev/null | grep -A 1 TRACEID | sed -n 's/^0x//p'
}

options() {
	trace-cmd dump --options -i "$1" 2> /dev/null
}

t times_become_the_hosts
for guest in functions profile; do
	fresh events $guest
	stamps guest.dat 'sonde ftrace' | later 7 123 > want
	sonde ftrace attach -c 4 -s 7000000123 host.dat guest.dat 2> err
	eq "$?$(cat err)" 0
	[ -s want ] && ok || fail "no event"
	for program in 'sonde ftrace' trace-cmd; do
		stamps guest.dat "$program" > got
		cmp got want && ok || fail "$guest with $program: $(differing got want | head -n 4)"
	done
	# What it says of itself stays.
	eq "$(id guest.dat)" "$(id "$data/$guest.dat")"
done

# All buffers have one clock; of packed files this trace-cmd does not know the events.
t packed_stays_packed
for guest in v7-zstd v7-zlib; do
	fresh events $guest
	stamps guest.dat 'sonde ftrace' | later 7 123 > want
	sonde ftrace attach -s 7000000123 host.dat guest.dat
	stamps guest.dat 'sonde ftrace' > got
	[ -s want ] && cmp got want && ok || fail "$guest: $(differing got want | head -n 4)"
	eq "$(sonde ftrace dump --summary -i guest.dat 2> /dev/null | grep algorithm)" \
		"$(sonde ftrace dump --summary -i "$data/$guest.dat" 2> /dev/null | grep algorithm)"
done

t negative_with_all_its_parts
fresh
stamps guest.dat 'sonde ftrace' | later 0 -1000 > want
sonde ftrace attach -s -1000,1,0,0 host.dat guest.dat
for program in 'sonde ftrace' trace-cmd; do
	stamps guest.dat "$program" > got
	cmp got want && ok || fail "$program"
done

t who_the_guest_is
fresh
sonde ftrace attach -c 3 -s 5 host.dat guest.dat
options host.dat > said
has said "$(id guest.dat) \[trace id\]"
has said '3 \[CPU count\]|CPUs'
options guest.dat > said
has said "0x$(id host.dat) \[peer's trace id\]"
has said "0x3 \[peer's CPU count\]"
cat said
# Again: the host knows it, and the guest has the new shift only.
sonde ftrace attach -s 6 host.dat guest.dat 2> err
has err 'host.dat knows this guest already'
eq "$(options guest.dat | grep -c 'trace id')" 1
eq "$(options host.dat | grep -c "$(id guest.dat)")" 1

# The host's events are as they were.
t host_stays
fresh
sonde ftrace attach -s 5 host.dat guest.dat
stamps host.dat trace-cmd > got
stamps "$data/events.dat" trace-cmd > want
cmp got want && ok || fail "the host's times have changed"

t each_cpu_has_its_own
fresh
sonde ftrace report -t -i guest.dat 2> /dev/null > before
sonde ftrace attach -s 1000000000 -s 2000000000 host.dat guest.dat
for program in 'sonde ftrace' trace-cmd; do
	for cpu in 0 1; do
		$program report -t -i guest.dat 2> /dev/null | grep "\[00$cpu\]" | sed 's/.* \([0-9]*\.[0-9]*\): .*/\1/' > got
		grep "\[00$cpu\]" before | sed 's/.* \([0-9]*\.[0-9]*\): .*/\1/' |
			awk -F . -v add=$((cpu + 1)) '{ print $1 + add "." $2 }' > want
		[ -s want ] && ok || fail "no event of CPU $cpu"
		cmp got want && ok || fail "CPU $cpu with $program"
	done
done

t wrong_usage
fresh
for wrong in 'host.dat' '-s 1 host.dat' 'host.dat guest.dat' '-s x host.dat guest.dat' '-s 1,1,64 host.dat guest.dat' \
	'-s 1,1,1,1,1 host.dat guest.dat' '-s 1 host.dat guest.dat self' '-c 99999 -s 1 host.dat guest.dat'; do
	sonde ftrace attach $wrong 2> err
	eq "$wrong: $?" "$wrong: 2"
done
sonde ftrace attach -s 1 host.dat guest.dat 17 2> err
eq $? 1
has err 'host.dat: it has no kvm_entry or kvm_exit'
sonde ftrace attach -s 1 host.dat no.dat 2> err
eq $? 1
fresh v6-be32
sonde ftrace attach -s 1 host.dat guest.dat 2> err
eq $? 1
has err 'another order of bytes'
fresh events v7-latency
sonde ftrace attach -s 1 host.dat guest.dat 2> err
eq $? 1
has err 'no TRACEID'
cmp guest.dat "$data/v7-latency.dat" && ok || fail "it has changed"
