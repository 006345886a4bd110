# A recording does not tell who shares caches: each migration is told with --detail.
of() { echo "# $*"; $SONDE --sysroot tests/none prof sched-migrate -i tests/data/dat/events.dat "$@" 2>&1; }
of --detail
of --filter 'dest_cpu==1'
of -t 17 -x,
of -j
of -e sched:sched_migrate_task
