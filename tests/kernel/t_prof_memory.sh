#!/bin/sh
# as: root
# time: 900
# kernels: 6.12 5.10
# prof kmemleak, kmemprof, task-state, oncpu, sched-migrate, page-faults: of a program whose blocks, sleeps and faults
# are known, while it runs and of a recording, beside perf-prof.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_beside.sh"

need sonde workload awk

W=$(command -v workload)

# Their own allocator, by probes that the profiler defines.
own() {
	sonde prof kmemleak --alloc "uprobe:take_block@\"$W\"//args=n=%x0:u64/size=n/stack/" \
		--alloc "uretprobe:take_block@\"$W\"//args=p=\$retval:u64/ptr=p/" \
		--free "uprobe:give_block@\"$W\"//args=p=%x0:u64/ptr=p/" "$@"
}

# leak FILE FUNCTION: "BYTES OBJECTS" of the leaks below it.
leak() {
	awk -v want="$2" '/^Leak of/ { bytes = $3; n = $6 }
		$2 ~ "^(" want ")([+]|$)" { b += bytes; o += n; bytes = n = 0 }
		END { print b + 0, o + 0 }' "$1"
}

# near A B LIMIT: numbers that differ by no more than that.
near() {
	awk -v a="$1" -v b="$2" -v limit="$3" 'BEGIN { exit !(a > 0 && a - b <= limit && b - a <= limit) }' && ok ||
		fail "$1 and $2"
}

t blocks_of_a_program
own -- workload blocks > live 2> err || fail "$(cat err)"
eq "$(leak live keeps_here)" "6400 100"
eq "$(leak live keeps_large_here)" "20000 20"
eq "$(leak live returns_here)" "0 0"
has live '^170 allocations of 41400 bytes, 50 frees, 120 objects of 26400 bytes are left$'

t blocks_of_a_program_recorded
# A recording has its events under their own names.
{ sonde probe -x "$W" 'blocks:ask=take_block n=%x0:u64' && sonde probe -x "$W" 'blocks:give=give_block p=%x0:u64' &&
	sonde probe -x "$W" 'blocks:got=take_block%return p=$retval:u64'; } > err 2>&1 || fail "$(cat err)"
sonde record -q -g -e blocks:ask,blocks:got,blocks:give -o blocks.data workload blocks 2> err || fail "$(cat err)"
NAMED="--alloc blocks:ask//size=n/stack/,blocks:got//ptr=p/ --free blocks:give//ptr=p/"
# shellcheck disable=SC2086
sonde prof kmemleak $NAMED -g -i blocks.data > recorded 2> err || fail "$(cat err)"
eq "$(leak recorded keeps_here)" "6400 100"
eq "$(leak recorded keeps_large_here)" "20000 20"
# shellcheck disable=SC2086
sonde prof kmemleak $NAMED -g -- workload blocks > live 2> err || fail "$(cat err)"
eq "$(grep -v '^ ' live)" "$(grep -v '^ ' recorded)"

t blocks_in_other_forms
# shellcheck disable=SC2086
sonde prof kmemleak $NAMED -g -j -i blocks.data > out 2> err
has out '"bytes":20000,"objects":20,"doubtful":0,.*"event":"ask",.*keeps_large_here'
# shellcheck disable=SC2086
sonde prof kmemleak --comm -x ';' $NAMED -g -i blocks.data > out 2> err
has out '^20000;20;0;[0-9.]*;ask;workload;.*keeps_large_here'
# shellcheck disable=SC2086
sonde prof kmemleak $NAMED -g --than 1000s -i blocks.data > out 2> err
has out ' 0 objects of 0 bytes are left$'
# shellcheck disable=SC2086
sonde prof kmemleak $NAMED -g --flame-graph leaks -i blocks.data > out 2> err
eq "$(awk '/;keeps_large_here/ { n += $NF } END { print n }' leaks.folded)" 20000
has leaks.svg 'bytes'

t allocations_by_place
by_place() {
	sonde prof kmemprof -e blocks:ask//size=n/stack/,blocks:got//ptr=p/ -e blocks:give -k p -g "$@" 2> err ||
		fail "$(cat err)"
}
sonde prof kmemprof -e blocks:ask -i blocks.data > out 2> err
has err 'kmemprof takes two -e'
by_place -i blocks.data > out
has out '^total alloc 41400 bytes on 170 objects$'
has out '^total free 15000 bytes on 50 objects$'
has out '^Allocate 15000 \(36.2%\) bytes on 50 \(29.4%\) objects, freed 15000 bytes on 50 objects:$'
by_place -i blocks.data --top 1 -j > out
eq "$(grep -c '"bytes"' out)" 1
has out '"bytes":20000,"objects":20,"freed_bytes":0,"freed_objects":0'
by_place --flame-graph places -i blocks.data > out
eq "$(awk '/;returns_here/ { n += $NF } END { print n }' places.folded)" 15000
sonde probe -d 'blocks:*' > out 2>&1

# 40 messages of 1000 bytes stay in queues, in blocks of 2048.
t blocks_of_the_kernel
K=kmem:kmalloc/bytes_alloc==2048
sonde prof kmemleak --alloc $K/stack/ --free kmem:kfree -m 256 -- workload blocks > live 2> err || fail "$(cat err)"
eq "$(leak live 'load_msg|alloc_msg')" "81920 40"
sonde record -q -m 256 -e kmem:kmalloc --filter bytes_alloc==2048 -e kmem:kfree -g -o kernel.data workload blocks \
	2> err || fail "$(cat err)"
sonde prof kmemleak --alloc kmem:kmalloc --free kmem:kfree -i kernel.data > recorded 2> err || fail "$(cat err)"
eq "$(leak recorded 'load_msg|alloc_msg')" "81920 40"

# What is not seen being freed is a leak; the blocks of messages that were received are none.
t blocks_that_the_kernel_frees
sonde prof kmemleak --alloc kmem:kmalloc/bytes_alloc==1024/stack/ --free kmem:kfree -m 256 -- workload blocks \
	> live 2> err || fail "$(cat err)"
eq "$(leak live 'load_msg|alloc_msg')" "0 0"
has live '^[0-9]+ frees are of blocks that nobody was seen to allocate$'

# What a ring of one page cannot hold: blocks from before that may have been freed. Which ones are seen is chance: those of
# messages, which stay, are many.
t losses_make_blocks_doubtful
for try in 1 2 3 4 5; do
	sonde prof kmemleak --alloc kmem:kmalloc --free kmem:kfree -g -m 1 -- sh -c 'workload blocks; ls -lR /etc > /dev/null' > live 2> err ||
		fail "$(cat err)"
	grep -q 'of them before events were lost' live && break
done
grep -q 'events were lost\|lost [0-9]* ' err && ok || fail "nothing was lost: $(cat err)"
has live '^    \([0-9]+ of them before events were lost\)$'
has live '^[0-9]+ of them are from before events were lost'
sonde prof task-state -g -m 1 -- workload switches 4000 > live 2> err || fail "$(cat err)"
has live '^[0-9]+ stays are left out: events are missing within them$'

t beside_perf_prof
if command -v perf-prof > /dev/null; then
	beside kmemleak --alloc $K/ptr=ptr/size=bytes_alloc/stack/ --free kmem:kfree//ptr=ptr/ -m 256 -g -- \
		workload blocks
	eq "$(leak theirs '(load|alloc)_msg')" "81920 40"
	eq "$(leak ours '(load|alloc)_msg')" "81920 40"
	beside kmemprof -e $K/size=bytes_alloc/stack/ -e kmem:kfree -k ptr -m 256 --order -- workload blocks
	for f in theirs ours; do
		has $f '^Allocate [0-9]+ .* bytes on [0-9]+ '
		eq "$(awk '/^Allocate/ { n = $2 } / (load|alloc)_msg/ { sum += n; n = 0 } END { print sum }' $f)" 81920
	done
	beside task-state --filter workload --perins -m 64 -- workload waits
	for state in S R; do
		near "$(awk -v s=$state '$3 == s { n += $5 } END { print n }' theirs)" \
			"$(awk -v s=$state '$3 == s { n += $5 } END { print n }' ours)" 20000
	done
	# It prints at ends of intervals alone.
	beside oncpu -m 64 -i 500 -- workload threads 1 1000
	for f in theirs ours; do
		sed 's/) /)\n/g' $f | sed -n 's/.*work[a-z]*-*0*:[0-9]*(\([0-9.]*\)ms.*/\1/p' |
			awk '{ n += $1 } END { print n }' > $f.ms
	done
	near "$(cat theirs.ms)" "$(cat ours.ms)" 50
else
	skip-kernel "no perf-prof"
fi

# Of `workload waits`: one sleeps 3 times for 100 ms and waits for 200 ms, the other waits for 300 ms and sleeps for
# 200.
# waits FILE: the thread that was in S for longest was so for these 500 ms, and for what a busy machine adds to them.
waits() {
	near "$(awk '$3 == "S" && $5 > most { most = $5 } END { print most }' "$1")" 750000 260000
}

t states_of_a_program
sonde prof task-state --perins -- workload waits > live 2> err || fail "$(cat err)"
waits live
eq "$(awk '$3 == "S" && $2 == "workload"' live | wc -l)" 2
has live ' workload +R +[1-9]'
has live ' workload +RD +[1-9]'
# Until its exec it has the name of who started it.
grep -v ' workload \| sonde \|^thread\|in a state' live > others && fail "others: $(cat others)" || ok
sonde prof task-state -S -g --than 90ms -- workload waits > live 2> err || fail "$(cat err)"
eq "$(grep -c '^workload [0-9]* S [0-9.]* ms$' live)" 6
eq "$(grep -c ' sleeps_here ' live)" 3
eq "$(grep -c ' waits_here ' live)" 1
sonde prof task-state --no-interruptible -- workload waits > live 2> err || fail "$(cat err)"
grep -q '^S ' live && fail "S is there: $(cat live)" || ok
sonde prof task-state -S -g --flame-graph waits -- workload waits > live 2> err || fail "$(cat err)"
# A busy machine wakes those late that sleep.
awk '/;sleeps_here;/ { n += $NF } END { exit !(n >= 298000000 && n < 2000000000) }' waits.folded && ok || fail "$(grep sleeps_here waits.folded)"
has waits.svg ' ns'

t states_of_a_recording
sonde record -q -a -g -e sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new,sched:sched_process_fork \
	-o sched.data workload waits 2> err || fail "$(cat err)"
pid=$(sonde script -i sched.data -F comm,pid,event 2> err | awk '/^ *workload .*sched_process_fork/ { print $2; exit }')
sonde prof task-state --perins -p "${pid:-1}" -i sched.data > recorded 2> err || fail "$(cat err)"
waits recorded
eq "$(awk '$3 == "S" && $2 == "workload"' recorded | wc -l)" 2
sonde prof task-state --perins --filter 'work*,none' -i sched.data > recorded 2> err || fail "$(cat err)"
waits recorded
sonde prof task-state -SD -j -i sched.data > recorded 2> err || fail "$(cat err)"
has recorded '"state":"S","calls":[1-9]'
eq "$(grep -c '"state"' recorded)" "$(grep -c '"state":"[SD]"' recorded)"

t on_cpus
sonde prof oncpu -- workload threads 2 300 > live 2> err || fail "$(cat err)"
eq "$(awk '$2 ~ /^worker-/ { n += $3 >= 290 && $3 < 400 } END { print n }' live)" 2
sonde prof oncpu --only-comm --detail -- workload threads 2 100 > live 2> err || fail "$(cat err)"
has live 'worker-1 +[0-9]+ms/[0-9]+ .*\([0-9.]+ms/[0-9]+/[0-9.]+ms\)'
sonde prof oncpu -C 0,1 -i 100 --prio 120 -j -- workload threads 1 200 > live 2> err || fail "$(cat err)"
has live '"comm":"worker-0","ms":[0-9.]+,"runs":[0-9]'
sonde prof oncpu -i sched.data > recorded 2> err || fail "$(cat err)"
has recorded '^000 +[0-9]+ .*:[0-9]+\([0-9.]+ms\)'
sonde prof oncpu --filter x -i sched.data > out 2> err && fail "--filter is taken" || has err 'choose threads'

# A thread that is bound to one CPU after the other moves.
t migrations
cat > moves << 'END'
for c in 1 2 1 2 1 2; do taskset -p $c $$ > /dev/null; done
END
moved() {
	awk '/^ *0 +1 / || /^ *1 +0 / { n += $3 } END { exit !(n >= 3) }' "$1" && ok || fail "$(cat "$1")"
}
sonde prof sched-migrate -- sh moves > live 2> err || fail "$(cat err)"
moved live
# Where the kernel does not tell who shares caches, nor do we.
if [ -e /sys/devices/system/cpu/cpu0/cache/index2 ]; then
	has live '^sched-migrate total [0-9]+, same LLC [0-9]+ hit [0-9]+%, same L2 [0-9]+ hit'
else
	has live '^which CPUs share caches is not known$'
fi
sonde record -q -a -g -e sched:sched_migrate_task -o moves.data sh moves 2> err || fail "$(cat err)"
sonde prof sched-migrate --detail -i moves.data > recorded 2> err || fail "$(cat err)"
moved recorded
has recorded 'sched_migrate_task: .*dest_cpu=[01]'
has recorded '^    [0-9a-f]{16} .* \(\[kernel.kallsyms\]\)$'
sonde prof sched-migrate --flame-graph moves -i moves.data > recorded 2> err || fail "$(cat err)"
has moves.folded ' [0-9]+$'
sonde prof sched-migrate --filter 'dest_cpu==0' -i moves.data > recorded 2> err || fail "$(cat err)"
has recorded 'which CPUs share caches is not known'
sonde prof sched-migrate -x, -i moves.data > recorded 2> err || fail "$(cat err)"
has recorded '^thread,comm,from,to,migrations,shared$'

t page_faults
sonde prof page-faults -- workload faults 1000 > live 2> err || fail "$(cat err)"
awk '/ workload +\[anon\]$/ { n = $1 } END { exit !(n >= 1000 && n < 1100) }' live && ok || fail "$(cat live)"
sonde record -q -d -g -e page-faults -c 1 -o faults.data workload faults 1000 2> err || fail "$(cat err)"
sonde prof page-faults -g --top 1 -i faults.data > recorded 2> err || fail "$(cat err)"
has recorded '^1000 page-faults of workload on \[anon\] from:$'
has recorded ' touch_pages '
sonde prof page-faults -e cycles -i faults.data > out 2> err && fail "cycles are taken" || has err 'is no page fault'
