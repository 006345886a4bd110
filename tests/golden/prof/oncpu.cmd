# By CPU, and by thread where some are chosen; an interval cuts what runs.
on() { echo "# $*"; $SONDE --sysroot tests/none prof oncpu -i tests/data/dat/profile.dat "$@" 2>&1; }
on
on --only-comm --detail
on -t 222,223
on -p 224 --detail
on --prio 0-99 -j
on -C 1 -x,
on -i 100
on --prio high
on --filter x
on -e sched:sched_switch
on -k pid
on --cgroups /
$SONDE --sysroot tests/none prof oncpu -i tests/data/perf/tracepoints.data
