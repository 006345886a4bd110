#!/bin/sh
# time: 300
# sonde sched beside perf's: every view of the same recording has its rows.
. "$T_HERE/lib.sh"
. "$T_HERE/../captures/lib.sh"

need sonde awk python3

cd "$CAPTURE" || exit

# without_names: rows of tasks whose name perf does not know, and sonde does of the event itself; ratios that perf takes of wake-ups.
without_names() {
	grep -vE '^ +:-?[0-9]+:|context switch bugs|lost events'
}

# Of `latency`: names that perf does not know are in no row of either.
same_table() {
	[ "$(grep -c 'max start' "$said")" -gt 2 ] || fail "perf has no rows"
	sed -n 's/^ *:\(-*[0-9]*\):.*/\1/p' "$said" > nameless
	without_names < "$said" > want
	without_names < ours > got
	if [ -s nameless ]; then
		# Their rows hang on names in other rows: each task for itself then, and no sum.
		case " $* " in *' -p '*) ;; *) return ;; esac
		grep -v TOTAL want > want.rows
		grep -v TOTAL got | grep -vE ":($(paste -s -d '|' nameless)) " > got.rows
		mv want.rows want
		mv got.rows got
	fi
	cmp -s got want && ok || fail "latency $*: $(differing want got | head -n 6 | tr '\n' ';')"
}

same_stays() {
	case $1 in -I) none=--none ;; *) none= ;; esac
	python3 "$T_HERE/sched.py" ours "$said" script $none > differs && ok || fail "timehist $*: $(tail -n 6 differs | tr '\n' ';')"
}

# Where perf knows no name none is compared.
same_map() {
	sed 's/=> :.*/=>/' "$said" > theirs
	awk 'NR == FNR { if (/=>$/) cut[FNR] = 1; next } cut[FNR] { sub(/=> .*/, "=>") } { print }' theirs ours > ours.cut
	cmp -s ours.cut theirs && ok || fail "map $*: $(differing theirs ours.cut | head -n 6 | tr '\n' ';')"
}

# compare FOLDER
compare() {
	what=$(cat "$1/what") said=$1/theirs
	set -- $(cat "$1/args")
	case $what in timehist) set -- "$@" --kallsyms kallsyms ;; esac
	sonde sched "$what" "$@" -i peer.data > ours 2> notes || fail "$what $*: exit status $?: $(cat notes)"
	case $what in
	latency) same_table "$@" ;;
	timehist) same_stays "$@" ;;
	map) same_map "$@" ;;
	esac
}

cases

t script
sonde sched script -i peer.data -e sched:sched_switch 2> /dev/null > ours
sonde script -i peer.data -e sched:sched_switch 2> /dev/null > want
[ -s ours ] && cmp -s ours want && ok || fail "other lines than those of script"
