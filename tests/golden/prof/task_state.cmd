# A recording of trace-cmd's, one of perf's without wake-ups and with losses.
of() { echo "# $*"; $SONDE --sysroot tests/none prof task-state "$@" 2>&1; }
of -i tests/data/dat/profile.dat
of -i tests/data/dat/profile.dat --perins --filter 'kso*,sh' -S
of -i tests/data/dat/profile.dat --no-interruptible -D -x,
of -i tests/data/dat/profile.dat --no-interruptible -j
of -i tests/data/dat/profile.dat -p 223 -D --than 5ms | cut -c 1-110 | grep -v "^ .*kernel.kallsyms\|9p"
of -i tests/data/perf/tracepoints.data --perins
of -i tests/data/perf/tracepoints.data --interruptible --uninterruptible -t 11846
of -i tests/data/dat/profile.dat --filter 'a"b'
of -i tests/data/dat/profile.dat --than soon
of -i tests/data/dat/profile.dat -e sched:sched_switch
d=$(mktemp -d)
$SONDE prof task-state -S -i tests/data/dat/profile.dat --flame-graph $d/states >/dev/null 2>&1; cut -c 1-100 $d/states.folded; grep -c ' ns' $d/states.svg
# Each interval has its own times in the text; the picture has all.
$SONDE prof task-state -S --input tests/data/dat/profile.dat -i 100 --flame-graph $d/states >/dev/null 2>&1
awk -F'[; ]' '{ print $1, $2, $NF }' $d/states.folded
rm -r $d
