#!/bin/sh
# time: 300
# sonde kmem, lock and kwork beside perf's: rows of the same recordings, for each set of options.
. "$T_HERE/lib.sh"
. "$T_HERE/../captures/lib.sh"

need sonde awk

cd "$CAPTURE" || exit

# flat: perf groups digits where the locale does.
flat() {
	tr -d , | tr -s ' -'
}

without_places() {
	sed '/ | [0-9]* | [A-Z/]* | /s/ [^ ]*$//; /^Order/d'
}

# Types are named as in kernels before 4.4, which had them in another order; the call site is an address where perf looks for it in the
# kernel's file instead of in its memory.
perfs_pages() {
	sed 's/| RECLAIM |/| movable |/; s/| MOVABLE |/| RECLAIM |/; s/| movable |/| MOVABLE |/; s/| RESERVED |/| HIGHATOM |/'
}

# callers: perf has one place for all where the first function of the chain is none that it knows to allocate: what all places
# together have of each order, type and flags is the same.
callers() {
	awk -F '|' '/^ [0-9]+ \|/ { kb[$3 $4 $5] += $1; n[$3 $4 $5] += $2 } END { for (k in kb) print k, kb[k], n[k] }' | sort
}

# A load average is a hundredth of it, and percents of skipped events are of all records of the file.
plain_works() {
	sed 's/INFO: [0-9.]*%/INFO:/; s/ ([0-9.]*% load average)//; /lost events/d'
}

# A program has two names in its time: which of them is shown depends on who looked when.
plain_tasks() {
	sed 's/  perf-exec *$//; s/  sleep *$//'
}

# The keys are in their order, equal ones in any.
same_order() {
	at=2
	case $* in *'-k contended'*) at=1 ;; esac
	[ "$(awk -v k=$at '{ print $k }' ours)" = "$(awk -v k=$at '{ print $k }' theirs)" ] && ok || fail "$*: another order"
}

# compare FOLDER
compare() {
	kind=$(cat "$1/kind") file=$(cat "$1/file") said=$1/theirs
	set -- $(cat "$1/args")
	case $kind in
	slabs | pages) what="kmem stat" ;;
	waits) what="lock $1" && shift ;;
	works) what="kwork $1" && shift ;;
	tasks) what="kwork top" ;;
	esac
	[ $kind = tasks ] || set -- "$@" --kallsyms kallsyms
	[ $kind != pages ] || set -- --page "$@"
	sonde $what "$@" -i "$file" > said 2> notes || fail "$what $*: exit status $?: $(cat notes)"
	case "$kind $what $*" in
	slabs*)
		flat < "$said" > theirs
		flat < said > ours
		;;
	pages*--caller*)
		flat < "$said" | perfs_pages | callers > theirs
		flat < said | callers > ours
		;;
	pages*)
		flat < "$said" | perfs_pages | without_places > theirs
		flat < said | without_places > ours
		;;
	# Names of tasks that perf does not know are no part of it.
	*'info -t'*)
		sed 's/:.*//' "$said" > theirs
		sed 's/:.*//' said > ours
		;;
	*'contention -t'*)
		sed '/=== output for debug/,$d; /^$/d; s/ [^ ]*$//' "$said" > theirs
		sed '/^$/d; s/ [^ ]*$//' said > ours
		;;
	waits*)
		sed '/=== output for debug/,$d; /^$/d' "$said" > theirs
		sed '/^$/d' said > ours
		case $* in *'-x'* | *-m*) ;; *) same_order "$@" ;; esac
		;;
	works*)
		plain_works < "$said" > theirs
		plain_works < said > ours
		;;
	tasks*)
		plain_tasks < "$said" > theirs
		plain_tasks < said > ours
		same_order
		;;
	esac
	case $kind in
	waits | tasks) sort -o theirs theirs && sort -o ours ours ;;
	esac
	[ -s theirs ] && cmp -s ours theirs && ok || fail "$what $*: $(differing theirs ours | head -n 6 | tr '\n' ';')"
}

cases
