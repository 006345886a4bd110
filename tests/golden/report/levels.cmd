# A level for each key; what is too light; chains below the last level; what it goes without.
r="$SONDE --sysroot tests/none report --hierarchy"
p=tests/data/perf
for o in "-s comm,dso -g none" "-s pid,dso,sym -n --percent-limit 10 -g none" "-s comm -q -g caller,20" "-s dso,comm,cpu --show-total-period --percentage relative --dsos libc.so.6 -g none"; do
	echo "# $o"; $r $o -i $p/clock.data 2>&1
done
$r -s comm,sched_switch.prev_state,sched_switch.next_pid -i $p/tracepoints.data 2>&1 | head -n 24
$r -s comm,dso -g none -i $p/group.data 2>&1 | head -n 24
$r -s comm,dso -j -g none -i $p/clock.data 2>&1
$r -s comm,sched_switch.prev_state,sched_switch.next_pid -j -i $p/tracepoints.data 2>&1 | head -n 24
$r -s trace_fields -j -i $p/tracepoints.data 2> /dev/null | head -n 3
for o in "-x ," "-F comm"; do $r $o -i $p/clock.data; echo $?; done
