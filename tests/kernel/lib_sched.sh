# tests/kernel/lib_sched.sh - sonde sched against perf sched, row by row, on the same recordings. Sourced behind lib.sh by tests of the host
# and of the guests.
#
#   sched_begin               leave the whole script where there is none, or nothing can be recorded
#   sched_same FILE NAME      cases: every view of the recording has perf's rows
#
# Of newer_perf (lib_newer.sh), whose `sched latency` counts sched_waking.
. "$T_HERE/lib_newer.sh"

sched_begin() {
	newer_begin
	t switches_are_seen_here
	if ! sonde sched record -q -o try.data true 2> err; then
		skip "cannot record: $(head -n 1 err)"
		exit 0
	fi
	ok
}

# without_names: rows of tasks whose name perf does not know, and sonde does of the event itself; ratios that perf takes of wake-ups.
without_names() {
	grep -vE '^ +:-?[0-9]+:|context switch bugs|lost events'
}

# same_table OPTIONS...: of `sched latency`; names that perf does not know are in no row of either.
same_table() {
	newer_perf sched latency "$@" -i "$sched_file" 2> /dev/null > theirs
	sonde sched latency "$@" -i "$sched_file" 2> /dev/null > ours
	[ "$(grep -c 'max start' theirs)" -gt 2 ] || fail "perf has no rows"
	sed -n 's/^ *:\(-*[0-9]*\):.*/\1/p' theirs > nameless
	without_names < theirs > want
	if [ -s nameless ]; then
		# Their rows hang on names in other rows: each task for itself then, and no sum.
		grep -v TOTAL want > want.rows
		without_names < ours | grep -v TOTAL | grep -vE ":($(paste -s -d '|' nameless)) " > got.rows
	else
		cp want want.rows
		without_names < ours > got.rows
	fi
	cmp -s got.rows want.rows && ok || fail "$*: $(differing want.rows got.rows | head -n 6 | tr '\n' ';')"
}

# same_stays PERF OPTIONS...: of `sched timehist`.
same_stays() {
	sched_perf=$1
	shift
	$sched_perf sched timehist "$@" -i "$sched_file" 2> /dev/null > theirs
	sonde sched timehist "$@" -i "$sched_file" 2> /dev/null > ours
	case $1 in -I) sched_none=--none ;; *) sched_none= ;; esac
	python3 "$T_HERE/sched.py" ours theirs script $sched_none > differs && ok || fail "$*: $(tail -n 6 differs | tr '\n' ';')"
}

sched_same() {
	sched_file=$1
	perf script -i "$sched_file" -F cpu,time,event,trace 2> /dev/null > script
	# Who ran most often, and its process.
	sched_task=$(perf script -i "$sched_file" -F pid,tid,event,trace 2> /dev/null |
		sed -n 's/^ *\([1-9][0-9]*\/[1-9][0-9]*\) .*sched_switch.*/\1/p' | sort | uniq -c | sort -n | awk 'END { print $2 }')
	t "latency_of_$2"
	same_table -p
	same_table -p -s runtime
	same_table -p -s switch,pid
	[ -s nameless ] || same_table
	t "timehist_of_$2"
	same_stays newer_perf
	same_stays newer_perf -w
	same_stays newer_perf -M -V -n --state
	same_stays newer_perf -I
	same_stays newer_perf -C 0
	same_stays newer_perf -p "${sched_task%/*}"
	same_stays newer_perf -t "${sched_task#*/}"
	t "map_of_$2"
	for o in "" --compact; do
		newer_perf sched map $o -i "$sched_file" 2> /dev/null | sed 's/=> :.*/=>/' > theirs
		sonde sched map $o -i "$sched_file" 2> /dev/null > ours
		# Where perf knows no name none is compared.
		awk 'NR == FNR { if (/=>$/) cut[FNR] = 1; next } cut[FNR] { sub(/=> .*/, "=>") } { print }' theirs ours > ours.cut
		cmp -s ours.cut theirs && ok || fail "map $o: $(differing theirs ours.cut | head -n 6 | tr '\n' ';')"
	done
	t "script_of_$2"
	sonde sched script -i "$sched_file" -e sched:sched_switch 2> /dev/null > ours
	sonde script -i "$sched_file" -e sched:sched_switch 2> /dev/null > want
	[ -s ours ] && cmp -s ours want && ok || fail "other lines than those of script"
}
