#!/bin/sh
# as: root
# time: 600
# sonde kmem, lock and kwork: what is recorded is what perf records, rows are perf's, live there is no file, and it is cheaper.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_views.sh"

need workload
views_few=yes
views_begin kmem:kmalloc

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

perf kmem --slab record -o slabs.data -- ls / > /dev/null 2>&1
slabs_same slabs.data perfs_recording
perf kmem --page record -o pages.data -- ls / > /dev/null 2>&1
pages_same pages.data perfs_recording
perf lock record -a -o waits.data -- perf bench sched messaging -g 1 -l 50 > /dev/null 2>&1
waits_same waits.data perfs_recording
perf kwork record -o works.data -- sleep 0.2 > /dev/null 2>&1
works_same works.data perfs_recording
perf record -a -c 1 -e irq:irq_handler_entry -e irq:irq_handler_exit -e irq:softirq_raise -e irq:softirq_entry -e irq:softirq_exit -e sched:sched_switch -o tasks.data -- sleep 0.2 > /dev/null 2>&1
tasks_same tasks.data perfs_recording

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
sonde lock report --output out -i waits.data 2> err
has out '^ +Name +acquired'
sonde lock info --map --output out -i waits.data 2> err
has out '^ 0x[0-9a-f]+:'
