# A guest's recording (arm64, Linux 6.12); one in which a switch is missing.
of() { echo "# $*"; $SONDE --sysroot tests/none sched map "$@" 2>&1; }
of -i tests/data/sched/guest.data | head -n 20
of -i tests/data/sched/guest.data --compact --cpus 1 | head -n 8
of -i tests/data/sched/guest.data --task-name sh | head -n 8
of -i tests/data/sched/guest.data --task-name rcu,work --fuzzy-name | head -n 8
of -i tests/data/sched/guest.data --color-cpus 0 --color-pids 15 | head -n 4
of -i tests/data/sched/guest.data -v | tail -n 3
of -i tests/data/perf/tracepoints.data | tail -n 4
# The verbs.
$SONDE sched 2>&1 | head -n 3
$SONDE sched mpa 2>&1
$SONDE sched replay -- true 2>&1
$SONDE --sysroot tests/none sched script -i tests/data/sched/guest.data -e sched:sched_switch -G | head -n 2
# What it does not take.
of --fuzzy-name -i tests/data/sched/guest.data
of --color-pids x -i tests/data/sched/guest.data
of --cpus x -i tests/data/sched/guest.data
