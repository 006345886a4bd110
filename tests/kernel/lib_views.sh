# tests/kernel/lib_views.sh - sonde kmem, lock and kwork against perf's, row by row, on the same recordings. Sourced behind lib.sh by tests of
# the host and of the guests.
#
#   views_few=yes             of the sets of options every third: for a peer that is emulated, and tells of all in a guest
#   views_begin EVENT         leave the whole script where there is no newer perf, or nothing can be recorded
#   slabs_same FILE NAME      cases: the views of a recording have perf's rows
#   pages_same FILE NAME
#   waits_same FILE NAME
#   works_same FILE NAME
#   tasks_same FILE NAME
. "$T_HERE/lib_newer.sh"

views_few=
view_turn=0
left_out() {
	view_turn=$((view_turn + 1))
	[ -n "$views_few" ] && [ $((view_turn % 3)) != 1 ]
}

views_begin() {
	newer_begin
	t events_are_seen_here
	if ! sonde record -q -e "$1" -o try.data true 2> err; then
		skip "cannot record: $(head -n 1 err)"
		exit 0
	fi
	ok
}

# A peer under emulation dies now and then: what it says nothing of is asked again.
theirs_of() {
	for view_try in 1 2 3; do
		newer_perf "$@" 2> theirs.err > theirs.raw
		[ ! -s theirs.raw ] || break
	done
	cat theirs.raw
}

# same WHAT: ours and theirs.
same() {
	[ -s theirs ] && cmp -s ours theirs && ok || fail "$1: $(differing theirs ours | head -n 6 | tr '\n' ';')"
}

# flat: perf groups digits where the locale does.
flat() {
	tr -d , | tr -s ' -'
}

# --- kmem ---

# slabs PERF'S OPTIONS...
slabs() {
	left_out && return
	theirs_of kmem -i "$view_file" "$@" stat | flat > theirs
	sonde kmem stat "$@" -i "$view_file" 2> err | flat > ours
	same "$*"
}

slabs_same() {
	view_file=$1
	t "blocks_of_$2"
	slabs
	slabs --caller
	slabs --caller -s bytes,callsite -l 7
	slabs --caller -s pingpong,hit,callsite
	slabs --caller -l 3 --raw-ip
	slabs --alloc -l 50
	slabs --alloc -s hit,ptr
	slabs --alloc -s callsite,ptr -l 20 --caller -l 4
	# Half of its time.
	set -- $(perf script -i "$view_file" -F time 2> /dev/null | tr -d ':' | awk 'NR == 1 { a = $1 } { b = $1 } END { printf "%.6f %.6f", a, (a + b) / 2 }')
	slabs --time "$1,$2" --caller
	slabs --time ",$1"
}

# Types are named as in kernels before 4.4, which had them in another order; the call site is an address where perf looks for it in the
# kernel's file instead of in its memory.
perfs_pages() {
	sed 's/| RECLAIM |/| movable |/; s/| MOVABLE |/| RECLAIM |/; s/| movable |/| MOVABLE |/; s/| RESERVED |/| HIGHATOM |/' | without_places
}

without_places() {
	sed '/ | [0-9]* | [A-Z/]* | /s/ [^ ]*$//; /^Order/d'
}

pages() {
	left_out && return
	theirs_of kmem -i "$view_file" --page "$@" stat | flat | perfs_pages > theirs
	sonde kmem stat --page "$@" -i "$view_file" 2> err | flat | without_places > ours
	same "--page $*"
}

# callers TEXT: perf has one place for all where the first function of the chain is none that it knows to allocate: what
# all places together have of each order, type and flags is the same.
callers() {
	awk -F '|' '/^ [0-9]+ \|/ { kb[$3 $4 $5] += $1; n[$3 $4 $5] += $2 } END { for (k in kb) print k, kb[k], n[k] }' "$1" | sort
}

pages_same() {
	view_file=$1
	t "pages_of_$2"
	newer_perf kmem -i "$view_file" --page stat > theirs 2> theirs.err
	if grep -q 'failed to process' theirs.err; then
		skip-kernel "perf cannot read the flags of this kernel's pages: $(head -n 1 theirs.err)"
		return
	fi
	pages
	pages --live
	pages --alloc -s page,bytes,hit
	pages --alloc -s bytes,page,order -l 20
	pages --live --alloc
	for o in "" --live; do
		newer_perf kmem -i "$view_file" --page --caller $o stat 2> /dev/null | flat | perfs_pages > theirs.rows
		sonde kmem stat --page --caller $o -i "$view_file" 2> err | flat > ours.rows
		callers theirs.rows > theirs
		callers ours.rows > ours
		same "--page --caller $o"
	done
}

# --- lock ---

# waits VERB OPTIONS...: equal ones come in any order.
waits() {
	left_out && return
	newer_perf lock "$@" -i "$view_file" 2>&1 | sed '/=== output for debug/,$d; /^$/d' > theirs.all
	sonde lock "$@" -i "$view_file" 2> err | sed '/^$/d' > ours.all
	sort theirs.all > theirs
	sort ours.all > ours
	same "$*"
	# The keys are in their order nevertheless.
	[ "$(awk -v k="${view_key:-2}" '{ print $k }' ours.all)" = "$(awk -v k="${view_key:-2}" '{ print $k }' theirs.all)" ] && ok || fail "$*: another order"
}

# waits_of_tasks VERB OPTIONS...: names of tasks that perf does not know are no part of it.
waits_of_tasks() {
	left_out && return
	newer_perf lock "$@" -i "$view_file" 2>&1 | sed '/=== output for debug/,$d; /^$/d; s/ [^ ]*$//' | sort > theirs
	sonde lock "$@" -i "$view_file" 2> err | sed '/^$/d; s/ [^ ]*$//' | sort > ours
	same "$*"
}

waits_same() {
	view_file=$1
	t "waits_of_$2"
	waits contention
	waits contention -F contended,wait_min,avg_wait,wait_max,wait_total -k wait_max
	view_key=1
	waits contention -k contended
	view_key=
	waits contention -l
	waits contention -Y spinlock
	waits contention -Y mutex,rwsem,rwsem:R
	waits contention --stack-skip 2 --max-stack 5
	waits_of_tasks contention -t
	newer_perf lock contention -x , -i "$view_file" 2> theirs
	sonde lock contention -x , -i "$view_file" > ours 2> err
	sort -o theirs theirs && sort -o ours ours
	same "-x ,"
	t "locks_of_$2"
	waits report
	waits report -k wait_total -F wait_total,contended
	newer_perf lock info -m -i "$view_file" 2>&1 | sort > theirs
	sonde lock info -m -i "$view_file" 2> err | sort > ours
	same "info -m"
	newer_perf lock info -t -i "$view_file" 2>&1 | sed 's/:.*//' > theirs
	sonde lock info -t -i "$view_file" 2> err | sed 's/:.*//' > ours
	same "info -t"
}

# --- kwork ---

# works VERB OPTIONS...: perf's load average is a hundredth of it, and its percents of skipped events are of all records of the file.
works() {
	left_out && return
	newer_perf kwork "$@" -i "$view_file" 2> /dev/null | sed 's/INFO: [0-9.]*%/INFO:/; s/ ([0-9.]*% load average)//; /lost events/d' > theirs
	sonde kwork "$@" -i "$view_file" 2> err | sed 's/INFO: [0-9.]*%/INFO:/; s/ ([0-9.]*% load average)//; /lost events/d' > ours
	same "$*"
}

works_same() {
	view_file=$1
	t "works_of_$2"
	works report
	works report -S -s max,count
	works report -C 0 -k irq,softirq
	works report -k softirq -n TIMER
	works latency
	works latency -s count,max -k workqueue
	works timehist
	works timehist -C 1
	set -- $(perf script -i "$view_file" -F time 2> /dev/null | tr -d ':' | awk 'NR == 1 { a = $1 } { b = $1 } END { printf "%.6f %.6f", a, (a + b) / 2 }')
	works report --time "$1,$2"
	works timehist --time "$2,"
}

tasks_same() {
	view_file=$1
	t "tasks_of_$2"
	for o in "" "-s runtime" "-s tid" "-C 0"; do
		# A program has two names in its time: which of them is shown depends on who looked when.
		newer_perf kwork -k sched,irq,softirq top $o -i "$view_file" 2> /dev/null | sed 's/  perf-exec *$//; s/  sleep *$//' > theirs
		sonde kwork top $o -i "$view_file" 2> err | sed 's/  perf-exec *$//; s/  sleep *$//' > ours
		same "top $o"
	done
}
