# By kind of wait, by thread, by name and process; -e as perf-prof's scripts give it.
of() { echo "# $*"; $SONDE --sysroot tests/none prof rundelay -i tests/data/dat/events.dat "$@" 2>&1; }
of
of --perins -x,
of --filter 'sh*,rcu_*' --perins
of -t 193 -j
of -e 'sched:sched_wakeup*,sched:sched_switch' -e sched:sched_switch,sched:sched_migrate_task//untraced/ --than 500us --detail=samekey
of --filter 'a"b'
of -k pid
of --cgroups any
of -e sched:sched_waking -e sched:sched_switch
of -e sched:sched_switch//untraced/ -e sched:sched_switch
