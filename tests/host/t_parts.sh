#!/bin/sh
# as: root
# time: 240
# sonde record in parts (--switch-output), of what is newest (--overwrite), under control (--control), with registers and control
# groups: what there is of each, told by our own reader, and by perf where there is one.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload

ev=cpu-clock:u
have_perf=$(command -v perf || true)

# samples FILE...: how many in all, by our own reader.
samples() {
	for file in "$@"; do
		sonde script -i "$file" -F comm 2> script.err
	done | grep -c .
}

# perf, where there is one, finds as many in each of the files, and warns of nothing but losses: a busy machine has some,
# and what comes while rings are copied is lost.
perf_agrees() {
	for file in "$@"; do
		[ -n "$have_perf" ] || break
		perf script -i "$file" -F comm > theirs 2> theirs.err < /dev/null
		eq "$(grep -c . theirs)" "$(samples "$file")"
		eq "$(grep -v '^$\|^Warning:$\|^Processed .* lost .* chunks!$\|^Check IO/CPU overload!$' theirs.err)" ''
	done
}

# stamps FILE: of its samples in their order, a microsecond each.
stamps() {
	sonde script -i "$1" -F time -G | tr -d ' .:'
}

# told FILE: the samples that record has counted.
told() {
	sed -n 's/.*(\([0-9,]*\) samples) \]$/\1/p' "$1" | tr -d ,
}

# lacks FILE PATTERN: no line of it matches.
lacks() {
	eq "$(grep "$2" "$1")" ''
}

t parts_of_a_size_hold_all
sonde record -e $ev -F 20000 -m 256K --switch-output=100K -o p.data workload shape 1000 2> err
eq $? 0
set -- p.data.*
[ $# -gt 3 ] && ok || fail "$# parts"
[ ! -e p.data ] && ok || fail "the last one has no time in its name"
eq "$(samples "$@")" "$(told err)"
eq "$(grep -c '^\[ sonde record: Dump p.data.[0-9]\{16\} \]$' err)" $#
has err 'Captured and wrote .* MB p.data.<timestamp> '
perf_agrees "$@"
# Each is complete: whose part it is, is known in it. They follow each other, but for what came to one CPU's ring while
# another one's was emptied. The last may have begun at the very end, and be empty.
last=0
n=0
for part in "$@"; do
	n=$((n + 1))
	[ $n -lt $# ] || [ "$(samples "$part")" -gt 0 ] || continue
	eq "$(sonde script -i "$part" -F comm | sort -u | tr -d ' ')" workload
	first=$(stamps "$part" | head -n 1)
	[ "$first" -ge "$last" ] && ok || fail "$part begins at $first, before $last"
	last=$first
done

t only_the_newest_parts_are_kept
sonde record -q -e $ev -F 20000 -m 256K --switch-output=100K --switch-max-files=2 -o kept.data workload shape 1000 2> err
eq "$(ls kept.data.* | wc -l)" 2
older=$(stamps "$(ls kept.data.* | head -n 1)" | head -n 1)
newer=$(stamps "$(ls kept.data.* | tail -n 1)" 2> /dev/null | head -n 1)
[ "${newer:-$older}" -ge "$older" ] && [ "$older" -gt 0 ] && ok || fail "$newer is not behind $older"

t a_signal_begins_the_next_part
sonde record -e $ev -o s.data --switch-output workload shape 100000 2> err &
wait_for taken_over $!
for n in 1 2; do
	kill -USR2 $!
	wait_for has_lines err 'Dump s.data' $n
done
kill -INT $!
wait $!
eq "$(ls s.data.* | wc -l)" 3
eq "$(samples s.data.*)" "$(told err)"
perf_agrees s.data.*

t a_signal_for_nothing_ends_nothing
sonde record -e $ev -o whole.data workload shape 100000 2> err &
wait_for taken_over $!
kill -USR2 $!
kill -INT $!
wait $!
lacks err Dump
perf_agrees whole.data
eq "$(samples whole.data)" "$(told err)"

# Whose output is a pipe wants files all the same.
t parts_beside_a_pipe
sonde record -q -e $ev --switch-output workload shape 100 | cat > piped
eq "$(wc -c < piped)" 0
eq "$(ls perf.data.* | wc -l)" 1

t parts_of_a_time
sonde record -e $ev -o time.data --switch-output=1s workload shape 100000 2> err &
wait_for has_lines err 'Dump time.data' 2
kill -INT $!
wait $!
[ "$(ls time.data.* | wc -l)" -ge 3 ] && ok || fail "few parts"
perf_agrees time.data.*

t one_file_with_its_time
sonde record -q -e $ev --timestamp-filename -o one.data workload shape 100
eq "$(ls one.data.* | wc -l)" 1
eq "$(ls one.data.* | grep -c '\.[0-9]\{16\}$')" 1
[ ! -e one.data ] && ok || fail "it is there without a time, too"

t what_is_newest_is_kept_with_all_names
taskset 1 sonde record -e $ev -F 10000 -g -m 16K --overwrite -o newest.data workload shape 1500 2> err
eq $? 0
sonde report -i newest.data --no-children -g none > rows
lacks rows '\[unknown\]'
lacks rows ' :[0-9]'
has rows 'workload  *workload  *\[\.\]'
n=$(samples newest.data)
[ "$n" -gt 50 ] && [ "$n" -lt 350 ] && ok || fail "$n samples in rings of 16 KB"
eq "$(stamps newest.data | sort -nc 2>&1)" ''
perf_agrees newest.data
# The end, not the beginning, on the one CPU: so many samples at 100 us each, of 1.5 s.
span=$(($(stamps newest.data | tail -n 1) - $(stamps newest.data | head -n 1)))
whole=$(sonde script -i newest.data --show-task-events | grep 'COMM exec: workload' | sed 's/.* \([0-9]*\)\.\([0-9]*\): PERF.*/\1\2/')
[ $((span * 2)) -lt $(($(stamps newest.data | tail -n 1) - whole)) ] && ok || fail "$span us, exec at $whole"

# As a flight recorder: whoever sees the trouble asks for what came before it. Nothing is there twice.
t the_newest_again_and_again
mkfifo ctl acks
sonde record -e $ev -F 5000 -m 64K --overwrite --switch-output --control fifo:ctl,acks -o box.data workload shape 100000 2> err &
pid=$!
exec 7> ctl 8< acks
# say WORD: and it is answered.
say() {
	echo "$1" >&7
	read -r answer <&8
	eq "$answer" ack
}
say ping
sleep 0.5
say snapshot
wait_for has_lines err 'Dump box.data' 1
sleep 0.5
say snapshot
wait_for has_lines err 'Dump box.data' 2
say stop
wait $pid
exec 7>&- 8<&-
eq "$(ls box.data.* | wc -l)" 3
cat /dev/null > seen
for part in box.data.*; do
	[ "$(samples "$part")" -gt 0 ] || [ "$part" = "$(ls box.data.* | tail -n 1)" ] && ok || fail "$part is empty"
	stamps "$part" >> seen
done
eq "$(sort -n seen | uniq -d)" ''
eq "$(sort -nc seen 2>&1)" ''
perf_agrees box.data.*

t controlled_from_outside
mkfifo orders answers
sonde record -e $ev -F 1000 -D -1 --control fifo:orders,answers -o c.data workload shape 100000 2> err &
pid=$!
exec 7> orders 8< answers
say ping
say enable
on=$(uptime_s)
sleep 1
say disable
sleep 2
echo nonsense >&7
wait_for has err "'nonsense' is none of enable, disable, ping, stop, snapshot"
say snapshot
say stop
wait $pid
exec 7>&- 8<&-
has err 'events enabled'
has err 'events disabled'
has err "'snapshot' begins a new file with --switch-output only"
n=$(samples c.data)
[ "$n" -gt 10 ] && ok || fail "$n samples"
span=$(($(stamps c.data | tail -n 1) - $(stamps c.data | head -n 1)))
[ $span -lt $((($(uptime_s) - on) * 1000000 - 1500000)) ] && ok || fail "$span us of samples"
eq "$(sonde script -i c.data -F comm | sort -u | tr -d ' ')" workload

t registers_are_those_that_were_asked_for
sonde record -q -e $ev --user-regs=sp,ip --intr-regs=sp -o r.data workload shape 200 2> err ||
	sonde record -q -e $ev --user-regs=sp,pc --intr-regs=sp -o r.data workload shape 200
sonde script -i r.data -F ip,iregs,uregs > regs
[ "$(grep -c . regs)" -gt 10 ] && ok || fail "few samples"
# In user space both are where it hit, and the program counter is the sample's.
eq "$(awk '{ for (i = 2; i <= NF; i++) if ($i ~ /^(IP|PC|ip|pc):/) { sub(/.*:0x/, "", $i); pc = $i } if (pc != $1) print }' regs)" ''
if [ -n "$have_perf" ]; then
	perf script -i r.data -F ip,iregs,uregs 2> /dev/null | awk '{ $1 = $1 } 1' > theirs
	awk '{ $1 = $1 } 1' regs > ours
	eq "$(diff ours theirs | head -n 3)" ''
fi
sonde record -q -e $ev --call-graph dwarf --user-regs=sp -o rd.data workload shape 100
has_lines rd.data . 1
[ "$(sonde script -i rd.data -F uregs | grep -c 'SP:0x\|sp:0x')" -gt 10 ] && ok || fail "no registers beside unwinding"
