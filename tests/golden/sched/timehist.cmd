# A guest's recording (arm64, Linux 6.12) with call chains; one in which a switch is missing; one of trace-cmd's.
of() { echo "# $*"; $SONDE --sysroot tests/none sched timehist "$@" 2>&1; }
of -i tests/data/sched/guest.data --no-call-graph | head -n 30
of -i tests/data/sched/guest.data -wMnV --state --time 3.2, -P --show-prio | tail -n 25
of -i tests/data/sched/guest.data --max-stack 2 -g -C 1 | tail -n 10
of -s -i tests/data/sched/guest.data
of -s --state -i tests/data/sched/guest.data -p 193 -q
of -IS -i tests/data/sched/guest.data | tail -n 40
of --prio 0-98,100 -q -i tests/data/sched/guest.data -S | tail -n 12
of --prio 120 -q -i tests/data/sched/guest.data | wc -l
of -j -i tests/data/sched/guest.data -t 191 -q | head -n 4
of -s -x , -i tests/data/sched/guest.data -q | head -n 4
of -i tests/data/perf/tracepoints.data | tail -n 12
of -i tests/data/dat/events.dat | tail -n 6
# What it does not take.
of -s -n
of -S -j -i tests/data/sched/guest.data
of --prio 200 -i tests/data/sched/guest.data
of --prio 5-3 -i tests/data/sched/guest.data
of --time soon -i tests/data/sched/guest.data
of -i tests/data/perf/clock.data
of -k none --kallsyms none --symfs none -i none
