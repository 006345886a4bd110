# Histograms: the order of rows, whose events are counted, and options that would change nothing.
. tests/golden/ftrace/tree.sh
machine
ev=$top/events/sched/sched_switch
cat > $ev/hist <<'END'
# event histogram
#
# trigger info: hist:keys=next_pid:vals=hitcount,prev_prio:sort=hitcount:size=2048 [active]
#

{ next_pid:         30 } hitcount:          1  prev_prio:        700
{ next_pid:          7 } hitcount:         20  prev_prio:        120
{ next_pid:        200 } hitcount:          3  prev_prio:        360

Totals:
    Hits: 24
    Entries: 3
    Dropped: 0
END
h() { echo "# $*" | sed "s,$d,,g"; $SONDE --sysroot $d ftrace hist "$@" 2>&1 | grep -v "^  Usage"; }
show="--show sched:sched_switch -x,"
h $show
h $show --ascending
h $show --sort next_pid
h $show --sort next_pid --ascending
h $show --sort prev_prio -n 2
h $show --sort prev_pid
h --show sched_switch --sort next_pid

# While a command runs.
rm -r $top/instances
echo '	  hist:keys=<field1[,field2,...]>' > $top/README
echo 'sched:sched_switch' > $top/available_events
for f in set_event set_event_pid set_ftrace_pid events/enable events/sched/enable events/sched/sched_switch/enable \
	events/sched/sched_switch/filter events/sched/sched_switch/trigger trace_options trace options/event-fork options/function-fork; do
	echo > $top/$f
done
echo 1 > $top/tracing_on
echo 1408 > $top/buffer_size_kb
cat > $d/show <<'END'
echo "	of tasks $(tr '\n' ' ' < $1/set_event_pid | sed "s/$$/that of the command/")"
echo "	with their children $(cat $1/options/event-fork)"
echo "	$(cat $1/events/sched/sched_switch/trigger)"
END
c() {
	: > $ev/trigger
	echo 0 > $top/options/event-fork
	h -e sched:sched_switch -k next_pid -n 1 "$@" sh $d/show $top
}
c
c -F
c -F -c
c --pid 1000
c -p 1000,1001 -p 7
c -p 1000 -c
c -p x
c -c

e='-e sched_switch'
for o in "$e" --val=x -f=x -k=x --log2 --buckets=2 --size=128 --to-key=x --from-if=x --ns --plain --name=x --print -F -c --pid=1 --interval-print=1 --timeout=1; do
	h --show sched_switch $o
done
for o in -k=x --val=x -f=x --log2 --size=128 --ns --print -F --pid=1 --timeout=1 --sort=x --ascending -j -x,; do
	h $o r.dat
done
for o in --to-key=x --from-if=x --ns --plain --name=x -i=x -P; do
	h $e $o true
done
for o in -F -c --pid=1 --interval-print=1 --timeout=1 --sort=x --ascending -n1 -j -x, -P; do
	h $e --print $o
done
h $e --print true
h $e -F
h -j -x, $e
h --sql 'select next_pid from sched_switch' --ns
h a.dat b.dat
h -i a.dat b.dat
