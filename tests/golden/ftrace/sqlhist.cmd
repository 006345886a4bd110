# By a copy of the kernel's folder: formats alone.
d=$(mktemp -d)
for e in sched/sched_process_fork sched/sched_switch irq/irq_handler_entry kmem/kmalloc raw_syscalls/sys_enter raw_syscalls/sys_exit; do
	mkdir -p $d/events/$e
	cp tests/data/formats/${e#*/} $d/events/$e/format
done
q() { $SONDE ftrace sqlhist -t $d "$@" 2>&1 | sed "s,$d,DIR,"; }
join='from sched_process_fork as start join sched_switch as end on start.child_pid = end.next_pid'
q 'SELECT CAST(call_site as SYM-OFFSET), bytes_req, CAST(bytes_alloc AS _COUNTER_) FROM kmalloc where bytes_req > 64 || (bytes_req == 8 && bytes_alloc == 8)'
q -B there select irq from irq_handler_entry
echo "select start.common_pid as p, (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) as lat $join" | $SONDE ftrace sqlhist -t $d -f -
q -n foo "select start.child_pid, end.next_comm, end.next_prio - start.parent_pid as d, TIMESTAMP_DELTA $join where start.parent_comm == \"bash\" && (end.next_prio < 100 || end.prev_prio > 3)"
q -n foo -m lat -T "select start.child_pid, TIMESTAMP_DELTA_USECS as lat $join"
$SONDE ftrace sqlhist -t $d -n foo -c lat -s -S next_comm,prev_comm "select TIMESTAMP_DELTA_USECS as lat $join"
q -n io 'select sys_enter.id, e.ret from sys_enter join raw_syscalls.sys_exit as e on sys_enter.common_pid = e.common_pid, e.id = sys_enter.id'
q "select start.parent_cmm $join"
q "select end.next_prio - start.parent_pid $join"
q "select next_prio $join"
q -m nosuch "select start.child_pid $join"
q -m irq 'select irq from irq_handler_entry'
q -s 'select irq from irq_handler_entry' | head -n 1
q 'select irq from irq_handler'
rm -r $d
