#!/bin/sh
# as: root
# time: 240
# record --call-graph dwarf: stacks of programs without frame pointers, followed while they are recorded. What the recording has are plain
# chains, the same that a report makes of the kept copies.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde rechain gcc

ev=cpu-clock:u

gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o spin "$T_HERE/../probe/deep.c" || exit 1

# chains FILE: a line for each sample, its functions from the innermost out, equal ones in a row once with their number.
chains() {
	sonde script -i "$1" -F comm,ip,sym 2> script.err | awk '
		function put() { if (last != "") line = line " " last (n > 1 ? "*" n : ""); last = ""; n = 0 }
		/^[^ \t]/ || NF == 0 { put(); if (line != "") print line; line = ""; next }
		$2 == last { n++; next }
		{ put(); last = $2; n = 1 }
		END { put(); if (line != "") print line }'
}

# share FILE FIRST PATTERN: of the chains that begin with FIRST (a pattern), in per mille those that match.
share() {
	awk -v first="^ $2( |$)" -v want="$3" '$0 ~ first { n++; right += $0 ~ want } END { if (n > 20) print int(right * 1000 / n); else print "few: " n + 0 }' "$1"
}

most() {
	case $1 in
	few*) fail "$2: $1" ;;
	*) [ "$1" -ge 980 ] && ok || fail "$2: $1 of 1000" ;;
	esac
}

start='main __libc_start_call_main __libc_start_main.* _start$|main .*_start$'

t chains_are_known
sonde record -q -e $ev -F 997 --call-graph dwarf -o plain ./spin 1
eq $? 0
chains plain > text
most "$(share text 'leaf deep.10' "^ leaf deep.10 ($start)")" deep
most "$(share text 'leaf compare' "^ leaf compare .*sort.* sorts ($start)")" sorts

t frame_pointers_would_not_tell_them
sonde record -q -e $ev -F 997 --call-graph fp -o fp ./spin 0.3
chains fp > text
eq "$(grep -c "^ leaf deep.10 main" text)" 0

t recording_has_plain_chains
sonde evlist -v -i plain > attr
has attr CALLCHAIN
grep -q 'REGS_USER\|STACK_USER\|exclude_callchain_user' attr && fail "$(cat attr)" || ok

# Each frame's address, as ours, as far as it is the same in the file and in memory; and perf's own names.
places() {
	sed -n 's/^[ \t]*[0-9a-f]*\([0-9a-f]\{3\}\)$/\1/p; s/:.*//p' "$1"
}

t perf_reads_it
if command -v perf > /dev/null && perf script -i plain -F comm,time,ip > theirs 2> perf.err; then
	sonde script -i plain -F comm,time,ip > ours
	places ours > ours.places
	places theirs > theirs.places
	[ "$(wc -l < ours.places)" -gt 1000 ] && cmp ours.places theirs.places && ok || fail "they differ"
	perf script -i plain -F comm,ip,sym 2> perf.err | grep -c ' compare' > n
	[ "$(cat n)" -gt 20 ] && ok || fail "few names"
else
	skip "there is no perf"
fi

# kept FILE...: of the same bytes both ways; how many samples are told.
kept() {
	rechain "$1" > same 2>&1
	eq $? 0
	has same '^[0-9]+ samples, [0-9]+ frames$'
	[ "$(sed 's/ .*//' same)" -gt "$2" ] && ok || fail "few: $(cat same)"
}

t kept_copies_become_the_same_chains
sonde record -q -e cpu-clock -F 997 --call-graph dwarf,4096,keep -a -o keep sh -c './spin 0.5; for i in 1 2 3 4 5 6 7 8; do ls -lR /usr/include; done > ls.out'
kept keep 100
sonde evlist -v -i keep > attr
has attr 'REGS_USER|STACK_USER'
has attr 'sample_stack_user: 4096'
chains keep > text
most "$(share text 'leaf deep.10' "^ leaf deep.10 ($start)")" kept

t with_all_else_that_samples_hold
sonde record -q -e $ev -F 997 --call-graph dwarf,keep -d -W -R --phys-data -o keep ./spin 0.3
kept keep 50
sonde record -q -e '{cpu-clock:u,page-faults:u}:S' -F 997 --call-graph dwarf -d -R -o plain ./spin 0.3
chains plain > text
most "$(share text 'leaf deep.10' "^ leaf deep.10 ($start)")" group

t file_is_small
sonde record -q -e $ev -F 997 --call-graph dwarf,keep -o keep ./spin 0.5
sonde record -q -e $ev -F 997 --call-graph dwarf -o plain ./spin 0.5
[ $(($(wc -c < plain) * 10)) -lt "$(wc -c < keep)" ] && ok || fail "$(wc -c plain keep)"

t through_a_pipe_and_compressed
sonde record -q -e $ev -F 997 --call-graph dwarf -o - ./spin 0.5 > plain
chains plain > text
most "$(share text 'leaf deep.10' "^ leaf deep.10 ($start)")" pipe
sonde record -q -z -e $ev -F 997 --call-graph dwarf -o plain ./spin 0.5
chains plain > text
most "$(share text 'leaf deep.10' "^ leaf deep.10 ($start)")" compressed

t as_many_frames_as_are_wanted
sonde record -q -e $ev -F 997 --call-graph dwarf --max-stack 5 -o plain ./spin 0.3
chains plain > text
most "$(share text 'leaf deep.4' "^ leaf deep.4$")" five

t events_may_differ
sonde record -q -e "cpu-clock/call-graph=dwarf,stack-size=4096,freq=997,name=deep/u,cpu-clock/call-graph=no,freq=997,name=flat/u" -o plain ./spin 0.5
sonde script -i plain -F event,ip,sym > text
has text '^ *deep: *$'
eq "$(awk '/flat:/ && NF > 1 { n++ } END { print (n > 20) }' text)" 1
chains plain > text
[ "$(grep -c '^ leaf deep.10 main' text)" -gt 20 ] && ok || fail "no chains"
sonde record -o unwritten -e 'cpu-clock/call-graph=lbr/' true 2> err
eq $? 1
has err 'call-graph= takes fp, dwarf or no'

# Each of them is another process with its own maps, and some live no longer when their samples are read.
t short_programs
sonde record -q -e $ev -F 4000 --call-graph dwarf -o plain sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do ./spin 0.04; done'
chains plain > text
most "$(share text 'leaf deep.10' "^ leaf deep.10 ($start)")" short

t running_program_whose_file_is_gone
cp spin gone
./gone 60 &
pid=$!
until [ "$(readlink /proc/$pid/exe)" = "$PWD/gone" ]; do sleep 0.05; done
rm gone
# Of a busy machine it gets a small part: so many samples as there are in half a second of its own time.
sonde record -q -e $ev -F 997 --call-graph dwarf -p $pid -o plain sh -c ". $T_HERE/lib_wait.sh; runs_on /proc/$pid/stat 50"
sonde script -i plain -F comm,ip > text 2> err
kill $pid
# No names are left for a reader, but the frames are there: leaf, ten of deep, main, three of the start.
awk '/^[^ \t]/ || NF == 0 { d[n]++; n = 0; next } { n++ } END { for (i in d) if (i + 0 >= 14) right += d[i]; print (right > 20) }' text > n
eq "$(cat n)" 1

t what_ends_early_is_told
sonde record -e $ev -F 997 --call-graph dwarf,64 -o plain ./spin 0.3 2> err
has err 'stacks end early: what was copied of them when they were recorded ends there'
sonde record -q -e $ev -F 997 --call-graph dwarf,64 -o plain ./spin 0.1 2> err
eq "$(cat err)" ""
