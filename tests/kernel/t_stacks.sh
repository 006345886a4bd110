#!/bin/sh
# as: root
# time: 240
# kernels: 6.12
# also: 5.10
# machine: pauth
# Call chains that are right: the caller of a function that keeps no frame record of its own.
. "$T_HERE/lib.sh"

need sonde workload perf

# share FILE LEAF CALLER: of the samples in LEAF, in per mille those whose next frame is CALLER (a pattern); perf script's text
share() {
	awk -v leaf="$2" -v caller="$3" '
		/^[^ \t]/ { depth = 0; next }
		NF == 0 { next }
		{ depth++ }
		depth == 1 { is_leaf = $2 == leaf; n += is_leaf }
		depth == 2 && is_leaf && $2 ~ caller { right++ }
		END { print n ? int(right * 1000 / n) : "none" }' "$1"
}

at_least() {
	case $1 in
	none) fail "no samples" ;;
	*) [ "$1" -ge "$2" ] && ok || fail "$1 of 1000, not $2" ;;
	esac
}

t the_caller_of_a_leaf_is_there
sonde record -q -e cpu-clock:u -F 997 -g -o leaves.data workload leaves 1500
sonde script -i leaves.data -F comm,ip,sym > ours
at_least "$(share ours bare_leaf '^bare_(left|right)$')" 990

# The shares of both callers, 3 to 1.
t callers_have_their_shares
sonde report -i leaves.data -g none -s sym --children > children 2> /dev/null
left=$(share ours bare_leaf '^bare_left$')
[ "$left" -gt 700 ] && [ "$left" -lt 800 ] && ok || fail "left has $left of 1000"
has children 'bare_left'

# perf 6.0 and later puts the caller back, too, where the program has unwinding rules: workload has none.
t perf_reads_it
perf script -i leaves.data -F comm,ip,sym > theirs 2> warnings
eq "$(grep -c 'bare_leaf' theirs)" "$(grep -c 'bare_leaf' ours)"
eq "$(grep -v -i 'kernel\|kallsyms\|restricted\|get_proc_name' warnings)" ""

t what_perf_has_recorded
perf record -q -e cpu-clock:u -F 997 -g -o theirs.data workload leaves 200 > out 2>&1
sonde script -i theirs.data -F comm,ip,sym > ours
perf script -i theirs.data -F comm,ip,sym > theirs 2> /dev/null
echo "of 1000 leaves have their caller: $(share ours bare_leaf '^bare_(left|right)$'), by perf $(share theirs bare_leaf '^bare_(left|right)$')"
case $(perf evlist -v -i theirs.data 2> /dev/null) in
*sample_regs_user*) at_least "$(share ours bare_leaf '^bare_(left|right)$')" 990 ;;
*) eq "$(share ours bare_leaf '^bare_(left|right)$')" 0 ;;	# it has not recorded the link register
esac

# A program without frame records, so they would lead nowhere; followed while it was recorded, and then by perf's copies.
t stacks_followed_while_recording
sonde record -e cpu-clock:u -F 397 --call-graph dwarf -o followed.data /host/bin/probe/deep 1.5 > out 2> err
eq $? 0
# whole FILE: of the samples in leaf below the ten of deep, in per mille those with all of the chain; a script's text
whole() {
	awk 'function end() { if (line ~ /^ leaf deep /) { n++; right += line ~ /^ leaf( deep)+ main .*_start$/ && deep == 10 }; line = ""; deep = 0 }
		/^[^ \t]/ || NF == 0 { end(); next }
		{ line = line " " $2; deep += $2 == "deep" }
		END { end(); if (n > 20) print int(right * 1000 / n); else print "none" }' "$1"
}
sonde script -i followed.data -F comm,ip,sym > ours
at_least "$(whole ours)" 990
perf script -i followed.data -F comm,ip,sym > theirs 2> /dev/null
at_least "$(whole theirs)" 990
sonde evlist -v -i followed.data > attr
grep -q 'REGS_USER\|STACK_USER' attr && fail "$(cat attr)" || ok
sonde record -q -e cpu-clock:u -F 397 --call-graph dwarf,keep -o kept.data /host/bin/probe/deep 1
sonde script -i kept.data -F comm,ip,sym > ours
at_least "$(whole ours)" 990
[ $(($(wc -c < followed.data) * 10)) -lt "$(wc -c < kept.data)" ] && ok || fail "$(wc -c followed.data kept.data)"
rm kept.data

# Programs and libraries as they are built for people.
t stacks_of_a_shell_followed_while_recording
sonde record -q -e cpu-clock:u -F 397 --call-graph dwarf -o shell.data bash -c 'for i in {1..12000}; do a=$((i * i)); b=${a#1}; done'
sonde script -i shell.data -F comm,ip,sym > ours
n=$(grep -c '^bash' ours)
starts=$(awk '/^[^ \t]/ { n += has; has = 0 } $2 == "_start" { has = 1 } END { print n + has }' ours)
[ "$n" -gt 50 ] && [ $((starts * 100)) -ge $((n * 97)) ] && ok || fail "$starts of $n stacks reach the start"

# perf's own form: registers and a copy of the stack. Some 150 of them, for perf takes its time to unwind each. On a processor with SVE
# perf asks for its vector length, too, which the kernel refuses for clocks.
theirs() {
	perf record -q -e cpu-clock:u -F 397 --call-graph dwarf,4096 "$@" -o dwarf.data \
		bash -c 'for i in {1..4000}; do a=$((i * i)); b=${a#1}; done' > out 2>&1
}
t stacks_that_perf_has_copied
general=$(for n in 0 1 2; do for k in 0 1 2 3 4 5 6 7 8 9; do echo "x$((n * 10 + k)),"; done; done | tr -d '\n')lr,sp,pc
theirs || theirs "--user-regs=$general"
sonde script -i dwarf.data -F comm,ip,sym > ours
perf script -i dwarf.data --no-inline -F comm,ip,sym > theirs 2> /dev/null
# frames FILE: all frames; outermost FILE: stacks that reach the program's start (perf 5.10 has that twice)
frames() {
	grep -c '^[ 	]' "$1"
}
outermost() {
	awk '/^[^ \t]/ { n += has; has = 0 } $2 ~ /^(_start|__libc_start_)/ { has = 1 } END { print n + has }' "$1"
}
echo "frames $(frames ours), by perf $(frames theirs); at the start $(outermost ours), by perf $(outermost theirs)"
[ "$(frames ours)" -gt 100 ] && ok || fail "few frames: $(cat out)"
[ $(($(outermost ours) * 100)) -ge $(($(outermost theirs) * 99)) ] && ok || fail "fewer stacks are whole than perf's"

# Two frames each, by one register; perf reads them as any other chain.
t the_link_register_tells_the_caller
for how in "--call-graph lr -e cpu-clock:u" "-e cpu-clock/call-graph=lr/"; do
	# shellcheck disable=SC2086
	sonde record -q $how -F 997 -o lr.data workload leaves 1000
	sonde script -i lr.data -F comm,ip,sym > ours
	at_least "$(share ours bare_leaf '^bare_(left|right)$')" 990
	left=$(share ours bare_leaf '^bare_left$')
	[ "$left" -gt 690 ] && [ "$left" -lt 810 ] && ok || fail "left has $left of 1000"
	eq "$(awk '/^[^ \t]/ { n = 0 } NF && /^[ \t]/ { n++ } n > 2' ours | head -n 1)" ""
	perf script -i lr.data -F comm,ip,sym > theirs 2> warnings
	eq "$(share theirs bare_leaf '^bare_(left|right)$')" "$(share ours bare_leaf '^bare_(left|right)$')"
done
sonde record -q --call-graph lr -e cpu-clock -o kept.data --overwrite workload leaves 300
sonde script -i kept.data -F comm,ip,sym > ours
at_least "$(share ours bare_leaf '^bare_(left|right)$')" 990
