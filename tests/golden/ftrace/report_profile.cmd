# What the tasks did: with interrupts of their own, of the CPUs (-G), tasks of one name as one (--by-comm), and pairs of events (-H). Counts and times
# are those of trace-cmd 3.3.1, which throws the idle tasks of all CPUs together.
r() { echo "# $*"; $SONDE ftrace report --profile -i tests/data/dat/events.dat --nodate "$@" 2>&1; }
r | grep -A 7 "^# \|^task: [rs]"
r -G | grep -A 5 -i "^#\|^cpu\|^task: rcu"
r -G | grep -o "irq_handler_entry:.* ("
r --by-comm | grep "^[#a-z]"
r -H sched_waking,pid/sched_switch,next_pid | grep '^#\|sched_waking'
r -H sched_waking,pid/sched_switch,next_pid,g | grep -A 9 '^#\|Global'
r -H sched_wakeup,pid,pid/sched:sched_switch,prev_pid | grep '^#\|sched_wakeup:'
r -H nosuch,pid/sched_switch,next_pid
r -H sched_waking,pid/sched_switch,nosuch
