#!/bin/sh
# as: root
# time: 600
# sonde kmem, lock and kwork: what is recorded is what perf records, and live there is no file. Rows of
# pages are perf's; those of all else: tests/captures.
. "$T_HERE/lib.sh"

need sonde perf workload
t events_are_seen_here
if ! sonde record -q -e kmem:kmalloc -o try.data true 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
ok

events() {
	perf evlist -i "$1" 2> /dev/null | grep '^[a-z].*:' | grep -v dummy | sort
}

# recorded OURS... -- THEIRS...: both leave the same events.
recorded() {
	: > words
	while [ "$1" != -- ]; do
		echo "$1" >> words
		shift
	done
	shift
	sonde $(cat words) -q -o own.data -- true 2> err || fail "$(cat err)"
	perf "$@" -o peer.data -- true > /dev/null 2>&1
	events own.data > got
	events peer.data > want
	[ -s want ] && cmp -s got want && ok || fail "$*: $(differing want got | tr '\n' ';')"
}

t records_what_perf_records
recorded kmem record -- kmem record
recorded kmem record --page -- kmem --page record
recorded kmem --slab --page record -- kmem --slab --page record
recorded lock record -- lock record
recorded kwork record -- kwork record
sonde kmem record --slab --page -q -o own.data -- true 2> err
eq "$(events own.data | wc -l)" 6
sonde kwork record --kwork sched,irq -q -o own.data -- true 2> err
eq "$(events own.data | tr '\n' ' ')" "irq:irq_handler_entry irq:irq_handler_exit sched:sched_switch "

# flat: perf groups digits where the locale does.
flat() {
	tr -d , | tr -s ' -'
}

# Types are named as in kernels before 4.4, which had them in another order; the call site is an address where perf looks for it in the
# kernel's file instead of in its memory.
perfs_pages() {
	sed 's/| RECLAIM |/| movable |/; s/| MOVABLE |/| RECLAIM |/; s/| movable |/| MOVABLE |/; s/| RESERVED |/| HIGHATOM |/' | without_places
}

without_places() {
	sed '/ | [0-9]* | [A-Z/]* | /s/ [^ ]*$//; /^Order/d'
}

# same WHAT: ours and theirs.
same() {
	[ -s theirs ] && cmp -s ours theirs && ok || fail "$1: $(differing theirs ours | head -n 6 | tr '\n' ';')"
}

pages() {
	perf kmem -i pages.data --page "$@" stat 2> /dev/null | flat | perfs_pages > theirs
	sonde kmem stat --page "$@" -i pages.data 2> err | flat | without_places > ours
	same "--page $*"
}

# callers TEXT: perf has one place for all where the first function of the chain is none that it knows to allocate: what
# all places together have of each order, type and flags is the same.
callers() {
	awk -F '|' '/^ [0-9]+ \|/ { kb[$3 $4 $5] += $1; n[$3 $4 $5] += $2 } END { for (k in kb) print k, kb[k], n[k] }' "$1" | sort
}

t pages_of_perfs_recording
perf kmem --page record -o pages.data -- ls / > /dev/null 2>&1
pages
pages --live
pages --alloc -s page,bytes,hit
pages --alloc -s bytes,page,order -l 20
pages --live --alloc
for o in "" --live; do
	perf kmem -i pages.data --page --caller $o stat 2> /dev/null | flat | perfs_pages > theirs.rows
	sonde kmem stat --page --caller $o -i pages.data 2> err | flat > ours.rows
	callers theirs.rows > theirs
	callers ours.rows > ours
	same "--page --caller $o"
done

# The running kernel is asked for the names of a recording, one by one; those of its list are the same but for a few places that have
# several.
t names_asked_for_are_the_lists
sonde kmem record -q -o named.data -- ls / > /dev/null 2>&1
cat /proc/kallsyms > list
sonde kmem stat --caller -i named.data 2> err | flat | sort > asked.rows
sonde kmem stat --caller --kallsyms list -i named.data 2> err | flat | sort > listed.rows
[ "$(grep -c '+' listed.rows)" -ge 5 ] && ok || fail "$(cat err listed.rows)"
[ $(($(comm -3 asked.rows listed.rows | grep -c .) * 10)) -le "$(grep -c . listed.rows)" ] && ok || fail "$(comm -3 asked.rows listed.rows | head)"
rm list named.data

t live_without_a_file
cd "$(mktemp -d -p "$PWD")" || exit 1
sonde kmem stat --caller --mmap-pages 512 -- ls / > out 2> err
has out '^Total bytes requested: [0-9,]+$'
sonde kmem stat --page --live --caller -- ls / > out 2> err
has out '^Total allocation requests'
timeout -s INT 3 sonde kmem stat --interval 500 --all-cpus --output out 2> err
[ "$(grep -c SUMMARY out)" -ge 3 ] && ok || fail "$(grep -c SUMMARY out) tables"
sonde lock contention --all-cpus --mmap-pages 256 --cpu 0 -- perf bench sched messaging -g 2 -l 100 > out 2> err
has out '^ contended   total wait'
timeout -s INT 2 sonde lock contention --interval 500 --use-bpf --output out 2> err
[ "$(grep -c contended out)" -ge 2 ] && ok || fail "$(grep -c contended out) tables"
timeout -s INT 2 sonde lock contention --use-bpf --pid $$ --output out 2> err
has out '^ contended'
# With a process alone it is live, too, whatever lies here; a recording of that name is read when it is named.
echo 'no recording' > perf.data
timeout -s INT 2 sonde lock contention --pid $$ --output out 2> err
eq $? 124
has out '^ contended'
timeout -s INT 2 sonde lock contention --tid $$ -q --output out 2> err
eq "$?/$(cat err)" 124/
sonde lock contention --pid $$ -i perf.data > out 2> err && fail 'no recording' || has err 'perf.data'
rm perf.data
sonde lock contention --pid $$ -q -- sleep 0.1 > out 2> err
eq $? 0
sonde lock contention --tid $$ -q -- sleep 0.1 > out 2> err
eq $? 0
sonde kwork report --all-cpus --kwork softirq --output out -- ls -R /etc 2> err > /dev/null
has out '^  \(s\)[A-Z_]+:[0-9]'
timeout -s INT 3 sonde kwork top --interval 1000 --mmap-pages 256 > out 2> err
[ "$(grep -c '^Total' out)" -ge 2 ] && ok || fail "$(grep -c '^Total' out) tables"
timeout -s INT 3 sonde kwork latency --interval 1000 --all-cpus --quiet > out 2> err
has out 'Avg delay'
sonde kwork timehist --all-cpus --mmap-pages 256 --output out -- ls /etc 2> err > /dev/null
has out '^ Runtime start'
eq "$(ls | tr '\n' ' ')" "err out "
cd ..

t traces_of_the_kernels_own
perf lock record -a -o waits.data -- perf bench sched messaging -g 1 -l 50 > /dev/null 2>&1
sonde lock report --output out -i waits.data 2> err
has out '^ +Name +acquired'
sonde lock info --map --output out -i waits.data 2> err
has out '^ 0x[0-9a-f]+:'
