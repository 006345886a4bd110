#!/bin/sh
# as: root
# time: 240
# BPF programs have the names that the kernel gives them: in what is recorded of those that run already and of those that come later,
# held against what perf makes of the same recordings.
. "$T_HERE/lib.sh"

need sonde perf bpfburn awk

t programs_run_here
bpfburn 0 > said 2>&1
case $? in
0) ok ;;
*)
	skip "no BPF: $(head -n 1 said)"
	exit 0
	;;
esac
if ! sonde record -q -a -e cpu-clock -o first.data sleep 0.1 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi

# names FILE: of functions in rows that samples hit, and what they are in.
names() {
	awk '/bpf_prog_[0-9a-f]+_burn/ { print $2, $3, $4 }' "$1" | sort
}

# It runs until it is ended below: on a busy machine what comes between takes its time.
bpfburn 200 > said &
burner=$!
while [ ! -s said ]; do :; done

t what_runs_already_has_its_names
sonde record -q -a -e cpu-clock -F 2000 -o own.data sleep 1
sonde report -i own.data --no-children -g none -s dso,sym > ours 2> err
names ours > ours.names
eq "$(wc -l < ours.names)" 2
has ours.names '^bpf_prog_[0-9a-f]{16}_burn_by_name \[k\] bpf_prog_[0-9a-f]{16}_burn_by_name$'
has ours.names '^bpf_prog_[0-9a-f]{16}_burn_by_type_longer_than_a_name \[k\]'
perf report -i own.data --stdio --no-children -g none -s dso,sym > theirs 2> /dev/null
names theirs > theirs.names
eq "$(cat theirs.names)" "$(cat ours.names)"

t perfs_recording_has_them_too
perf record -q -a -e cpu-clock -F 2000 -o peer.data sleep 1 2> /dev/null
perf report -i peer.data --stdio --no-children -g none -s dso,sym 2> /dev/null | grep -F bpf_ | tr -s ' ' > theirs
sonde report -i peer.data --no-children -g none -s dso,sym 2> /dev/null | grep -F bpf_ | tr -s ' ' > ours
[ -s ours ] && ok || fail "no rows"
eq "$(cat ours)" "$(cat theirs)"

# Number, place, size and name of each program, as both have written them; perf's own have come and gone.
told() {
	sonde script -i "$1" --show-bpf-events 2> /dev/null | sed -n 's/^.*PERF_RECORD_\(KSYMBOL\|BPF_EVENT\)/\1/p' | sort -u
}

t the_same_is_told_of_programs
told own.data > ours
told peer.data > theirs
grep -c burn ours | { read -r n && eq "$n" 2; }
eq "$(grep burn ours)" "$(grep burn theirs)"
# Each that perf tells of, but those that came with perf itself.
perf script -i own.data --show-bpf-events 2> /dev/null | sed -n 's/^.*PERF_RECORD_\(KSYMBOL\|BPF_EVENT\)/\1/p' | sort -u > read
eq "$(cat read)" "$(cat ours)"

t without_events_of_programs_there_are_names
sonde record -q -a --no-bpf-event -e cpu-clock -F 2000 -o few.data sleep 0.5
told few.data > few
eq "$(grep -c BPF_EVENT few)" 0
eq "$(grep burn few)" "$(grep burn ours)"
kill $burner
wait $burner 2> /dev/null

t what_comes_later_has_its_names
sonde record -q -a -e cpu-clock -F 2000 -o later.data bpfburn 1 > /dev/null
sonde report -i later.data --no-children -g none -s dso,sym > ours 2> err
names ours > later.names
eq "$(cat later.names)" "$(cat ours.names)"

t scripts_have_them
sonde script -i own.data -F ip,sym,dso 2> /dev/null | grep -F burn_by_name | tr -s ' \t' '  ' | sort > ours
perf script -i own.data -F ip,sym,dso 2> /dev/null | grep -F burn_by_name | tr -s ' \t' '  ' | sort > theirs
[ -s ours ] && ok || fail "no samples"
cmp ours theirs && ok || fail "they differ: $(diff ours theirs | head -n 5)"
