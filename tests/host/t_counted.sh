#!/bin/sh
# as: root
# time: 200
# What programs in the kernel count of single tasks, of several stages and by stack is what records say: both watch the same task, from
# before it begins to behind its end.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload awk mkfifo

case $(uname -m) in
aarch64) getppid=173 ;;
*) getppid=110 ;;
esac

t programs_count_here
sonde prof top -e raw_syscalls:sys_enter -- workload syscalls 10 > out 2> err
if ! grep -q 'in the kernel' err; then
	skip "$(head -n 1 err)"
	exit 0
fi
ok
mkfifo go

# waits PID: it has all open, and waits for what comes.
waits() {
	grep -q poll "/proc/$1/wchan"
}

# both ARGS: two that watch $COMMAND, in out and out--no-bpf. PID is its number. On a busy machine nobody may read while it runs: the
# rings have room for all that it does.
both() {
	rm -f out* err*
	sh -c "read -r go < go; exec $COMMAND" > /dev/null 2>&1 &
	it=$!
	for how in '' --no-bpf; do
		eval "exec sonde prof $(echo "$*" | sed "s/PID/$it/g") $how -m 1024 -p $it -o out$how" > "said$how" 2> "err$how" &
		wait_for waits $!
	done
	echo > go
	wait
	has err 'in the kernel: bpf [0-9]+ insns'
	has err--no-bpf 'in user space: --no-bpf'
}

# same ARGS: their tables are the same. An interrupt may come while a program runs, with events of its own: that is told, and it is tried
# again. FROM: the first line that must be the same; FIELDS: those of CSV that must.
same() {
	for try in 1 2 3; do
		both "$@"
		for how in '' --no-bpf; do
			tail -n +$FROM "out$how" | cut -d, -f"$FIELDS" > "table$how"
		done
		grep -q 'they came while another program ran' out err || break
	done
	cmp -s table table--no-bpf && ok || fail "$(diff table table--no-bpf)"
}

FROM=2 FIELDS=1-

t of_a_process
COMMAND='workload calls 20'
same "top -e raw_syscalls:sys_enter//key=id/,raw_syscalls:sys_exit//key=ret/"
[ "$(wc -l < table)" -gt 5 ] && ok || fail "$(cat table)"

# Until perf takes its events from a task, which is not the end of its exit.
t from_its_exec_to_the_middle_of_its_exit
same "top -e kmem:kfree//key=call_site/alias=a/ -e kmem:kmalloc//key=bytes_req/alias=b/ -e kmem:mm_page_alloc//key=order/alias=c/ \
	-e sched:sched_process_exit//key=prio/alias=d/ -e sched:sched_switch//key=prev_pid/alias=e/"
[ "$(wc -l < table)" -gt 5 ] && ok || fail "$(cat table)"

# Their names are those of the end, and of the first hit.
t of_new_threads_and_children
FROM=1 FIELDS=1,2
COMMAND="sh -c 'workload threads 5 20; workload forks 10; workload syscalls 100 & wait'"
same "top -x, -e raw_syscalls:sys_enter"
[ "$(wc -l < table)" -gt 17 ] && ok || fail "$(cat table)"
FIELDS=1-
COMMAND="sh -c 'workload syscalls 100 & wait'"
same "num-dist -x, -e 'raw_syscalls:sys_enter/id==$getppid/num=id/'"
has table '^sys_enter,10[01],'

t of_a_command
# What a call returns may be a number of a process.
for how in '' --no-bpf; do
	sonde prof top -e 'raw_syscalls:sys_enter//key=id/,raw_syscalls:sys_exit//key=ret<100/' $how -- workload calls 20 > out$how 2> err
	tail -n +2 out$how > table$how
done
cmp -s table table--no-bpf && ok || fail "$(diff table table--no-bpf)"
sonde prof top -x, -e "raw_syscalls:sys_enter/id==$getppid/key=id/" -i 50 -- workload syscalls 20000 > out 2> err
eq "$(awk -F, '$1 == id { n += $2 } END { print n }' id=$getppid out)" 20000

t two_at_a_time_are_not_mixed
workload syscalls 50000 &
sonde prof top -x, -e "raw_syscalls:sys_enter/id==$getppid/key=id/" -- workload syscalls 300 > out 2> err
has out "^$getppid,300,"
wait

t of_two_tasks_is_counted_here
sonde prof top -e sched:sched_waking -- true > out 2> err
has err 'in user space: sched_waking is of two tasks'

# The first of its children that ends takes nothing away.
t probes_of_tasks
if ! sonde prof trace -e "uprobe:write_here@\"$(command -v workload)\"" -N 1 -- workload writes 3 > out 2> err; then
	skip "no probes: $(head -n 1 err)"
else
	case $(uname -m) in
	aarch64) arg=%x0 ;;
	*) arg=%di ;;
	esac
	for how in '' --no-bpf; do
		sonde prof num-dist -e "uprobe:write_here@\"$(command -v workload)\"//args=n=$arg:u64/num=n/alias=written/" $how -- \
			sh -c 'for n in 7 200 3000 7 200 3000; do workload writes $n; done' > out$how 2> err$how
	done
	has err 'in the kernel'
	has out '^written +6 +6414 +7 .* 3000$'
	cmp -s out out--no-bpf && ok || fail "$(diff out out--no-bpf)"
fi

# Times are taken twice: counts are the same.
t pairs_of_several_stages
FROM=1 FIELDS=1-4
COMMAND='workload switches 30'
same "multi-trace -x, -k common_pid -e raw_syscalls:sys_enter -e sched:sched_switch -e raw_syscalls:sys_exit"
has table 'sys_enter,=>,sched_switch,[0-9][0-9]'
has table 'sched_switch,=>,sys_exit,[0-9][0-9]'
same "multi-trace -x, -k common_pid --cycle -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit"
has table 'sys_enter,=>,sys_exit,[0-9]'
has table 'sys_exit,=>,sys_enter,[0-9]'
COMMAND='workload syscalls 500'
same "multi-trace --perins -x, -k id --cycle -e raw_syscalls:sys_enter/id==$getppid/"

t graphs_of_stacks
COMMAND='workload syscalls 1000'
# drawn ARGS: their graphs are the same, of lines with LINES. Where two watch one event the kernel has a function of its own between it
# and them, and an interrupt may come while perf has one in hand.
drawn() {
	both "$@"
	for how in '' --no-bpf; do
		sed 's/;__traceiter_[a-z_]*//' GRAPH$how.folded | grep "$LINES" | grep -v 'execve\|perf_trace_' | sort > folded$how
	done
	cmp -s folded folded--no-bpf && ok || fail "$(diff folded folded--no-bpf | head -n 20)" "$(cat err--no-bpf)"
}
LINES=.
drawn "trace -g --flame-graph GRAPH\$how -e 'raw_syscalls:sys_enter/id==$getppid/'"
has folded '^workload;.* 1000$'
COMMAND='workload forks 5' LINES='^workload'
drawn "trace -g --flame-graph GRAPH\$how -e 'kmem:kmalloc,kmem:kfree'"
# How many there are is the kernel's affair; each child has blocks of its own.
has folded 'kmalloc.* [0-9]+$'
has folded 'kfree.* [0-9]+$'
# Programs that come and go: each stack has the names of what its process ran then.
cat > many.sh << 'END'
for i in 1 2 3 4 5; do workload syscalls 50; cat /dev/null; true; done
END
COMMAND='sh many.sh'
LINES=.
drawn "trace -g --flame-graph GRAPH\$how -e raw_syscalls:sys_exit"
has folded '^workload;.*main;.* 250$'
[ "$(grep -c '^cat;' folded)" -gt 3 ] && ok || fail "$(cat folded)"
sonde prof trace -g --flame-graph GRAPH -i 100 -e "raw_syscalls:sys_enter/id==$getppid/" -- workload syscalls 10 > out 2> err
has err 'in user space: stacks of an interval'
