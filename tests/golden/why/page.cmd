# A guest's recording (arm64, Linux 6.12) without samples, one with interrupts, one of trace-cmd's.
of() { echo "# $*"; $SONDE --sysroot tests/none why "$@" 2>&1; }
of -i tests/data/sched/guest.data 193
of -i tests/data/sched/guest.data -q --rows 1 sh
of -i tests/data/sched/guest.data --tid 193,195 --json
of --input tests/data/sched/guest.data --pid 195 --time ,20
of -i tests/data/views/kwork.data sh
of -i tests/data/dat/events.dat trace-cmd -n 3
of -i tests/data/dat/events.dat 193 -n 1 -q
of -i tests/data/prof/guest.data workload
d=$(mktemp -d)
$SONDE why --output $d/page --kallsyms tests/none --vmlinux tests/none --symfs tests/none -i tests/data/sched/guest.data ls && head -n 3 $d/page
rm -r $d
# What it does not take.
of
of -i tests/data/sched/guest.data
of -i tests/data/sched/guest.data -d 3 ls
of -i tests/data/sched/guest.data nobody
of -i tests/data/sched/guest.data ls more
of -i tests/data/sched/guest.data -- ls
of -p 1 -t 2
of -p 1 2
of -t x -i tests/data/sched/guest.data
of --time 1,2 3
of --duration 3 -- true
of -d 0 1
of -d two 1
of -d 2d 1
of -i tests/data/perf/clock.data 1
