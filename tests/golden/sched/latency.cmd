# A guest's recording (arm64, Linux 6.12), one of perf's in which a switch is missing, one of trace-cmd's.
of() { echo "# $*"; $SONDE --sysroot tests/none sched latency "$@" 2>&1; }
of -i tests/data/sched/guest.data
of -i tests/data/sched/guest.data --pids --sort switch,pid -q | head -n 9
of -i tests/data/sched/guest.data --CPU 1 -x , | head -n 5
of --input tests/data/sched/guest.data -j | head -n 4
of --field-separator ';' -i tests/data/dat/events.dat -p | head -n 4
of -i tests/data/perf/tracepoints.data
# The verb's first letters, and what stands in front of it.
$SONDE --sysroot tests/none sched --force -v -i tests/data/sched/guest.data lat -p --verbose --force --quiet | sha256sum
$SONDE --sysroot tests/none sched latency -p -i tests/data/sched/guest.data -q | sha256sum
d=$(mktemp -d)
$SONDE sched latency --force -i tests/data/sched/guest.data --output $d/table -s runtime && head -n 6 $d/table
rm -r $d
# What it does not take.
of -s speed -i tests/data/sched/guest.data
of -C x -i tests/data/sched/guest.data
of -i 0
of -i tests/data/sched/guest.data -a
of -i tests/data/perf/clock.data
of --dump-raw-trace
cd tests/none 2>/dev/null || cd /; $SONDE sched latency 2>&1 </dev/null
