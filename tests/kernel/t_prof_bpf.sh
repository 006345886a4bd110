#!/bin/sh
# as: root
# time: 400
# kernels: 6.12
# also: 5.10 6.1 6.1-rt 6.12-16k
# Programs in the kernel: each is taken by its verifier, and passes the samples that it is asked for, no others.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload chrt taskset setpriv nice

passed() {
	sed -n "s/.*filter passed \([0-9]*\) of \([0-9]*\) samples/\\$1/p" err
}

before=$(workload programs)

t filters_are_taken
for f in --irqs_disabled=0 --tif_need_resched=0 '--exclude_pid 1' '--nr_running_min 0' '--nr_running_max 1000' \
	'--sched_policy 0' '--prio 120' "--prio $(seq -s, 0 2 138)"; do
	sonde prof profile -F 99 $f -C 0 -- sleep 0.1 > out 2> err
	eq $? 0
	has err 'decided in the kernel: bpf, [0-9]+ instructions'
	has err 'the kernel.s filter passed [0-9]* of [0-9]* samples'
done
sonde prof hrtimer -F 99 -C 0 --irqs_disabled=0 --tif_need_resched=0 --exclude_pid 1 --nr_running_min 0 --nr_running_max 1000 \
	--sched_policy 0 --prio 0,2,4,10-139 'period > 0' -- sleep 0.3 > out 2> err
eq $? 0
has err 'decided in the kernel: bpf, [0-9]+ instructions'

t nothing_stays
eq "$(workload programs)" "$before"

# all: whatever was sampled was passed, and there was enough of it. none: nothing was.
all() {
	[ "$(passed 2)" -gt 10 ] && ok || fail "$(cat err)"
	eq "$(passed 1)" "$(passed 2)"
	eq "$(passed 1)" "$(grep -c 'profile:' out)"
}

none() {
	[ "$(passed 2)" -gt 10 ] && ok || fail "$(cat err)"
	[ "$(passed 1)" -le 5 ] && ok || fail "$(cat err)"
}

# What it was before it became what it is may be sampled, too: those that are meant are the program's own.
t by_policy
sonde prof profile -F 400 --sched_policy 3 -- chrt -b 0 workload shape 200 > out 2> err
[ "$(grep -c 'hot_[abc]' out)" -gt 5 ] && ok || fail "$(cat err)"
[ "$(passed 1)" -lt "$(passed 2)" ] && ok || fail "$(cat err)"
sonde prof profile -F 400 --sched_policy 0 -- chrt -b 0 workload shape 200 > out 2> err
eq "$(grep -c 'hot_[abc]' out)" 0
[ $(($(passed 2) - $(passed 1))) -gt 5 ] && ok || fail "$(cat err)"

t by_priority
sonde prof profile -F 400 --prio 0-124,126-139 -- nice -n 5 workload shape 200 > out 2> err
eq "$(grep -c 'hot_[abc]' out)" 0
[ $(($(passed 2) - $(passed 1))) -gt 5 ] && ok || fail "$(cat err)"
sonde prof profile -F 400 --prio 0,125 -- nice -n 5 workload shape 200 > out 2> err
[ "$(grep -c 'hot_[abc]' out)" -gt 5 ] && ok || fail "$(cat err)"
[ "$(passed 1)" -lt "$(passed 2)" ] && ok || fail "$(cat err)"

mkfifo go
# sampled itself|other: all but that process, of one that runs when it is watched.
sampled() {
	sh -c 'read -r go < go; exec workload shape 1500' &
	it=$!
	rm -f begun
	# Its own command begins when it counts.
	sonde prof profile -F 400 -p $it --exclude_pid $([ "$1" = itself ] && echo $it || echo 1) -- \
		sh -c ": > begun; . $T_HERE/lib_wait.sh; until is_over $it; do sleep 0.1; done" > out 2> err &
	wait_for test -e begun
	echo > go
	wait
}

t without_a_process
sampled other
all
sampled itself
none

t interrupts_of_samples
sonde prof profile -F 400 --irqs_disabled=0 -- workload shape 200 > out 2> err
all
sonde prof profile -F 400 --irqs_disabled -- workload shape 200 > out 2> err
none
has err 'interrupt waits while interrupts are off'

# Two that share a CPU, and a CPU that is idle meanwhile.
t by_the_queues_length
two='taskset 2 workload shape 500 & taskset 2 workload shape 500; wait; sleep 0.5'
sonde prof profile -F 400 --nr_running_min 2 -C 1 -- sh -c "$two" > out 2> err
[ "$(grep -c workload out)" -gt 5 ] && ok || fail "$(cat err)"
[ "$(passed 1)" -lt "$(passed 2)" ] && ok || fail "$(cat err)"
# The idle task may be the one that is to make way for both.
[ "$(grep -c swapper out)" -le 3 ] && ok || fail "$(grep swapper out)"
sonde prof profile -F 400 --nr_running_max 0 -C 1 -- sh -c "$two" > out 2> err
[ "$(grep -c swapper out)" -gt 5 ] && ok || fail "$(cat err)"
eq "$(grep -vc swapper out)" 0

# Those that must leave it are some, those that need not are the most.
t by_need_resched
sonde prof profile -F 400 --tif_need_resched=0 -C 1 -- sh -c "$two" > out 2> err
[ "$(passed 1)" -gt $(($(passed 2) / 3)) ] && ok || fail "$(cat err)"
sonde prof profile -F 400 --tif_need_resched -C 1 -- sh -c "$two" > out 2> err
[ "$(passed 1)" -lt $(($(passed 2) * 2 / 3)) ] && ok || fail "$(cat err)"

t tracepoints_have_their_own
sonde prof trace -e sched:sched_switch --irqs_disabled -- workload switches 50 > out 2> err
[ "$(grep -c sched_switch out)" -ge 50 ] && ok || fail "$(cat out err)"
sonde prof trace -e sched:sched_switch --irqs_disabled=0 -- workload switches 50 > out 2> err
eq "$(grep -c sched_switch out)" 0
sonde prof trace -e raw_syscalls:sys_enter/id==173/ --irqs_disabled=0 -- workload syscalls 300 > out 2> err
eq "$(grep -c sys_enter out)" 300
sonde prof trace -e raw_syscalls:sys_enter/id==173/ --irqs_disabled -- workload syscalls 300 > out 2> err
eq "$(grep -c sys_enter out)" 0
sonde prof trace -e sched:sched_switch --prio 89 -- chrt -f 10 workload switches 50 > out 2> err
[ "$(grep -c 'prev_prio=89' out)" -ge 50 ] && ok || fail "$(cat out err)"
eq "$(grep -c 'prev_prio=120' out)" 0
sonde prof trace -e sched:sched_switch --prio 120 -- chrt -f 10 workload switches 50 > out 2> err
eq "$(grep -c 'prev_prio=89' out)" 0
sonde prof trace -e sched:sched_switch --exclude_pid 1 -- workload switches 20 > out 2> err
[ "$(grep -c sched_switch out)" -ge 20 ] && ok || fail "$(cat out err)"
eq "$(workload programs)" "$before"

t what_cannot_be_told_is_refused
sonde prof trace -e raw_syscalls:sys_enter --prio 120 > out 2> err && fail 'it was taken' || has err '--prio: no field of raw_syscalls:sys_enter'
has err 'drop the event for everybody'
sonde prof trace -e sched:sched_switch --sched_policy 1 > out 2> err && fail 'it was taken' || has err 'sched_policy: no field'
sonde prof trace -e sched:sched_switch --nr_running_min 1 > out 2> err && fail 'it was taken' || has err 'nr_running_min.*no field'
sonde prof profile --prio 140 > out 2> err && fail 'it was taken' || has err 'the last is 139'
sonde prof profile --irqs_disabled=2 > out 2> err && fail 'it was taken' || has err '0 or 1'

# A killed one leaves nothing either.
t nothing_stays_of_one_that_is_killed
sonde prof profile -F 99 --sched_policy 0 > out 2> err &
pid=$!
wait_for counting $pid
within 20 grep -q 'decided in the kernel' err
[ "$(workload programs)" -gt "$before" ] && ok || fail 'no program was there'
kill -9 $pid
wait $pid
within 20 [ "$(workload programs)" = "$before" ]
eq "$(workload programs)" "$before"

t without_rights
mkdir u && chmod 777 u . && cp "$(command -v sonde)" u/sonde
USER="/usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all env -u TMPDIR"
echo 2 > /proc/sys/kernel/perf_event_paranoid
$USER u/sonde prof trace -e cpu-clock:u --sched_policy 0 -- workload shape 10 > u/out 2> u/err && fail 'it ran' || has u/err 'CAP_BPF'
$USER u/sonde prof trace -e cpu-clock:u --exclude_pid 1 -- workload shape 100 > u/out 2> u/err
eq $? 0
has u/err 'decided here: the kernel takes no BPF programs|decided here: the kernel takes no BPF maps'
has u/out 'cpu-clock'

# --- counting in the kernel ---

# both, both_watch COMMAND...: two that watch the same process, from before it begins to behind its end, one by programs and one by hits: the same
# comes out. ARGS is theirs, in which PID is the process; WHO of whom; HOW it is counted; FROM the first line of what must be the same.
WHO='-C 0-1' HOW='bpf [0-9]+ insns'
both_watch() {
	rm -f stop begun*
	sh -c "read -r go < go; exec $*" > /dev/null &
	it=$!
	for how in '' --no-bpf; do
		eval "exec sonde prof $(echo "$ARGS $WHO" | sed "s/PID/$it/g") $how -o out$how -- sh -c ': > begun$how; until [ -e stop ]; do sleep 0.1; done'" \
			2> "err$how" &
		wait_for test -e "begun$how"
	done
	echo > go
	wait_for is_over $it
	: > stop
	wait
	has err "in the kernel: $HOW"
	has err--no-bpf 'in user space: --no-bpf'
}

# An interrupt may come while a program runs, with events of its own for it: these are told, and it is tried again.
both() {
	for try in 1 2 3; do
		both_watch "$@"
		tail -n +$FROM out > table
		tail -n +$FROM out--no-bpf > table--no-bpf
		grep -q 'they came while another program ran' table || break
	done
	cmp -s table table--no-bpf && ok || fail "$(diff table table--no-bpf)"
}

# paired COMMAND...: the same of pairs: who they are and how many, and the sum of their times, within a quarter and 300 us for each: an emulated machine stops between the two.
paired() {
	both_watch "$@"
	for how in '' --no-bpf; do
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "calls") at = i; next }
			{ for (i = 1; i <= at; i++) printf "%s,", $i; printf "\n"; sum += $(at + 1); n += $at }
			END { print int(sum), n > "sums" }' "out$how" > "table$how"
		mv sums "sums$how.1"
	done
	cmp -s table table--no-bpf && ok || fail "$(diff out out--no-bpf)"
	paste -d" " sums.1 sums--no-bpf.1 > sums
	awk '{ off = $1 - $3; if (off < 0) off = -off; exit !(off <= $1 / 4 + 300 * $2) }' sums && ok || fail "$(cat sums)"
}

t the_same_is_counted
FROM=2
ARGS="top -e 'raw_syscalls:sys_enter/common_pid==PID/key=id/,raw_syscalls:sys_exit/common_pid==PID/key=ret/'"
both workload calls 20
[ "$(wc -l < table)" -gt 5 ] && ok || fail "$(cat table)"
# Three calls of openat that find nothing for each.
has table '^ +-2 +0 +6[0-9] '
ARGS="top -e 'raw_syscalls:sys_enter/common_pid==PID && id==173/top-by=id/top-add=id*id/'"
both workload syscalls 1000
has table " 173000 +29929000 "

t fields_are_what_records_have
ARGS="top -e 'sched:sched_switch/prev_pid==PID||next_pid==PID/key=prev_pid/alias=a/' \
	-e 'sched:sched_switch/prev_pid==PID/key=prev_prio/alias=b/' -e 'sched:sched_switch/prev_pid==PID/key=next_pid/alias=c/' \
	-e 'sched:sched_switch/prev_pid==PID/key=next_prio/alias=d/' -e 'sched:sched_waking/pid==PID/key=pid/alias=e/' \
	-e 'sched:sched_waking/pid==PID/key=prio/alias=f/' -e 'sched:sched_wakeup/pid==PID/key=prio/alias=g/' \
	-e 'sched:sched_wakeup/pid==PID/key=pid/alias=h/' -e 'sched:sched_migrate_task/pid==PID/key=dest_cpu/alias=i/' \
	-e 'sched:sched_stat_runtime/pid==PID/key=pid/alias=j/top-by=runtime/' -e 'sched:sched_process_exit/pid==PID/key=prio/alias=k/' \
	-e 'kmem:mm_page_alloc/common_pid==PID/key=order/alias=l/' -e 'kmem:mm_page_alloc/common_pid==PID/key=migratetype/alias=m/' \
	-e 'kmem:mm_page_free/common_pid==PID/key=order/alias=n/'"
both workload calls 20
[ "$(wc -l < table)" -gt 5 ] && ok || fail "$(cat table)"
ARGS="top -e 'kmem:kmalloc/common_pid==PID/key=bytes_req/alias=a/' -e 'kmem:kmalloc/common_pid==PID/key=bytes_alloc/alias=b/' \
	-e 'kmem:kmalloc/common_pid==PID/key=call_site/alias=c/' -e 'kmem:kmalloc/common_pid==PID/key=ptr/alias=d/' \
	-e 'kmem:kfree/common_pid==PID/key=call_site/alias=e/' -e 'kmem:kfree/common_pid==PID/key=ptr/alias=f/' \
	-e 'net:net_dev_queue/common_pid==PID/key=len/alias=g/' -e 'net:net_dev_xmit/common_pid==PID/key=len/alias=h/' \
	-e 'net:net_dev_xmit/common_pid==PID/key=rc/alias=i/' -e 'net:netif_rx/common_pid==PID/key=len/alias=j/' \
	-e 'net:netif_receive_skb/common_pid==PID/key=len/alias=k/' -e 'irq:softirq_entry/common_pid==PID/key=vec/alias=l/' \
	-e 'irq:softirq_exit/common_pid==PID/key=vec/alias=m/' -e 'irq:softirq_raise/common_pid==PID/key=vec/alias=n/' \
	-e 'irq:irq_handler_entry/common_pid==PID/key=irq/alias=o/' -e 'irq:irq_handler_exit/common_pid==PID/key=ret+irq/alias=p/'"
both ping -c 2 127.0.0.1
[ "$(wc -l < table)" -gt 5 ] && ok || fail "$(cat table)"

t the_same_is_spread
FROM=1
ARGS="num-dist -e 'raw_syscalls:sys_exit/common_pid==PID/num=ret/,raw_syscalls:sys_enter/common_pid==PID/num=\"(u64)id * id * 1000 / 7\"/'"
both workload calls 20
has table '^sys_exit '
has table '^sys_enter '
grep -q 'numbers are below zero' table && ok || fail "$(cat table)"
ARGS="num-dist --perins -e 'sched:sched_stat_runtime/pid==PID/num=runtime/,kmem:kmalloc/common_pid==PID/num=bytes_alloc/'"
both workload calls 20
has table '^ +[01] +sched_stat_runtime '

t intervals_have_all_of_it
sonde prof num-dist -e 'raw_syscalls:sys_enter/id==173/num=id/' -C 0-1 -i 200 -x, -- workload syscalls 5000 > out 2> err
has err 'in the kernel'
[ "$(awk -F, '$1 == "sys_enter" { n += $2 } END { print n }' out)" -ge 5000 ] && ok || fail "$(cat out err)"
[ "$(awk -F, '$1 == "sys_enter" { n += $2 } END { print n }' out)" -le 5050 ] && ok || fail "$(cat out err)"

t what_programs_cannot_count_is_counted_here
sonde prof num-dist -e 'raw_syscalls:sys_enter/id==173/num=id/' -- workload syscalls 300 > out 2> err
has err 'in the kernel: bpf [0-9]+ insns'
has out '^sys_enter +300 +51900 +173 '
sonde prof num-dist -e 'sched:sched_switch//num=prev_state/' -C 0-1 -- sleep 0.1 > out 2> err
has err "in user space: from sched_switch's arguments no way to its prev_state is known"
sonde prof top -e 'sched:sched_switch//key=prev_pid/comm=prev_comm/' -C 0-1 -- sleep 0.1 > out 2> err
has err 'in user space: sched_switch: its hits are looked at one by one'
eq "$(workload programs)" "$before"

# Times are taken twice, by the program and by the record: counts are the same, sums nearly.
t pairs_are_the_same
FROM=1
ARGS="multi-trace -x, -k common_pid -e 'raw_syscalls:sys_enter/common_pid==PID/' -e 'raw_syscalls:sys_exit/common_pid==PID/'"
paired workload calls 20
[ "$(cut -d, -f4 table | tail -1)" -gt 100 ] && ok || fail "$(cat table)"
ARGS="multi-trace -x, --perins -k pid -e 'sched:sched_waking/pid==PID/,sched:sched_wakeup/pid==PID/' -e 'sched:sched_switch/next_pid==PID/key=next_pid/'"
paired workload calls 20

# Probes of our own: registers, and what they point to, by programs and by records.
t probes_are_counted_there_too
W=$(command -v workload)
for how in '' --no-bpf; do
	sonde prof num-dist -e "uprobe:write_here@\"$W\"//args=n=%x0:u64/num=n/alias=written/" $how -C 0-1 -- \
		sh -c 'for n in 7 200 3000; do workload writes $n; done' > out$how 2> err
	has out$how '^written +3 +3207 +7 .* 3000$'
done
cmp -s out out--no-bpf && ok || fail "$(diff out out--no-bpf)"
FROM=1
ARGS="num-dist -e 'kprobe:ksys_read/common_pid==PID/args=fd=%x0:s32 n=%x2:u64/num=n/alias=bytes/'"
both workload calls 20
has table '^bytes +4[0-9] '
FROM=2
ARGS="top -e 'kretprobe:ksys_read/common_pid==PID/args=r=\$retval:s64/key=r/top-add=r/alias=back/' \
	-e 'kprobe:ksys_read/common_pid==PID/args=n=%x2:u64/key=n/alias=reads/'"
both workload calls 20
has table '^ *1 +4[0-9] +4[0-9] '
eq "$(workload programs)" "$before"

# From their exec to the middle of their exit, with what they start.
WHO='-p PID'
t of_single_tasks
FROM=2
ARGS="top -e raw_syscalls:sys_enter//key=common_pid/alias=a/ -e raw_syscalls:sys_exit//key=ret/alias=b/ -e kmem:kfree//key=call_site/alias=c/ \
	-e sched:sched_process_exit//key=prio/alias=d/"
both "sh -c 'workload threads 2 5; workload forks 5; workload calls 20'"
[ "$(wc -l < table)" -gt 15 ] && ok || fail "$(cat table)"
sonde prof top -e sched:sched_waking -- true > out 2> err
has err 'in user space: sched_waking is of two tasks'

t stages_are_the_same
FROM=1
ARGS="multi-trace -x, -k common_pid -e raw_syscalls:sys_enter -e sched:sched_switch -e raw_syscalls:sys_exit"
paired workload switches 30
has table 'sys_enter,=>,sched_switch,[0-9][0-9]'
has table 'sched_switch,=>,sys_exit,[0-9][0-9]'

# With the callers that frame records miss.
# Where two watch one event the kernel has a function of its own between it and them, and perf may have the first address twice.
t stacks_are_the_same
# Programs have the link register from Linux 5.15 on.
HOW='bpf [0-9]+ insns|in user space: .*invalid func'
ARGS='trace -g --flame-graph graph$how -e raw_syscalls:sys_enter/id==173/'
both_watch workload syscalls 300
for how in '' --no-bpf; do
	sed 's/;__traceiter_[a-z_]* / /; s/\(;[a-z_]*\)\1 /\1 /' graph$how.folded | sort > folded$how
done
cmp -s folded folded--no-bpf && ok || fail "$(diff folded folded--no-bpf)"
has folded '^workload;.*call_kernel.* 300$'
eq "$(workload programs)" "$before"

# The first of its children that ends takes nothing away.
t probes_of_tasks
for how in '' --no-bpf; do
	sonde prof num-dist -e "uprobe:write_here@\"$W\"//args=n=%x0:u64/num=n/alias=written/" $how -- \
		sh -c 'for n in 7 200 3000 7 200 3000; do workload writes $n; done' > out$how 2> err$how
done
has err 'in the kernel: bpf'
has out '^written +6 +6414 +7 .* 3000$'
cmp -s out out--no-bpf && ok || fail "$(diff out out--no-bpf)"

# Fields that are no arguments.
t histograms_count_there_too
T=/sys/kernel/tracing
if ! grep -q hist:keys $T/README; then
	skip-kernel 'no histograms (CONFIG_HIST_TRIGGERS)'
else
	WHO='-C 0-1' HOW='hist trigger' FROM=2
	ARGS="top -e kmem:kmalloc/common_pid==PID/key=gfp_flags/top-by=bytes_alloc/top-add=bytes_req/ \
		-e sched:sched_switch/prev_pid==PID/key=prev_state/alias=states/"
	both workload calls 20
	[ "$(wc -l < table)" -gt 3 ] && ok || fail "$(cat table)"
	eq "$(ls $T/instances)" ''
	sonde prof top -x, -C 0-1 -e 'sched:sched_switch/prev_comm=="workload"/key=prev_state/' -i 500 -- sh -c 'workload switches 50; sleep 0.7' > out 2> err
	has err 'in the kernel: hist trigger'
	[ "$(awk -F, '$1 == 1 { n += $2 } END { print n + 0 }' out)" -ge 50 ] && ok || fail "$(cat out)"
	sonde prof top -e 'sched:sched_switch//key=prev_state/' > out 2> err &
	pid=$!
	within 20 grep -q 'hist trigger' err
	[ -n "$(ls $T/instances)" ] && ok || fail 'no instance'
	kill -9 $pid
	wait $pid
	within 20 [ -z "$(ls $T/instances)" ]
	eq "$(ls $T/instances)" ''
fi
