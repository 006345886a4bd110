# Which events are shown, each way, and how many. As trace-cmd 3.3.1, but that stacks of events that are left out are left out, too, and -v may be repeated.
d=$(mktemp -d)
r() {
	f=tests/data/dat/$1.dat
	shift
	$SONDE ftrace report --nodate -i $f "$@" > $d/shown 2> $d/said
	echo "# $f $*: $(grep -c ': ' $d/shown)"
	sed -n '2p;$p' $d/shown
	cat $d/said
}
r events
r events -F 'sched_switch:next_prio<100' -F 'kmalloc:bytes_req > 500'
r events -F sched -v -F sched_switch
r events -v -F irq -v -F sched
r events -F 'sys_enter:id == 64' -F sys_exit
r events -F 'sched_wakeup:comm =~ "rcu.*"'
r events --pid 17
r events --pid 17,9 --pid 0
r events --pid x
r events --comm rcu_sched
r events --comm ls,rcu_sched --comm 'kworker/0:0'
r events --comm nosuch
r events --cpu 1
r events --cpu 0-1 -I
r events -I -S --cpu 0:1
r profile -F sched_switch:next_prio==0
r profile -w -F sched_switch
# How they were understood, and nothing else.
for o in -T --filter-test; do
	$SONDE ftrace report $o --comm nosuch -F 'irq:vec == 3' -F 'sched:prev_pid == 3 && COMM == "sh"' -i tests/data/dat/events.dat
done
$SONDE ftrace report -T tests/data/dat/functions.dat | wc -l
# Several recordings by their places.
$SONDE ftrace report tests/data/dat/functions.dat tests/data/dat/profile.dat | grep -n -m 2 'profile.dat: .*us  '
$SONDE ftrace report -i tests/data/dat/functions.dat tests/data/dat/profile.dat
rm -r $d
