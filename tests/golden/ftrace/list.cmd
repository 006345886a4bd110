# What there is to list.
. tests/golden/ftrace/tree.sh
echo 'function_graph function nop' > $top/available_tracers
printf 'irq:softirq_entry\nsched:sched_switch\n' > $top/available_events
mkdir -p $top/events/irq $top/events/none
touch $top/events/irq/enable $top/events/sched/enable
l() { echo "# $*"; $SONDE --sysroot $d ftrace list "$@" 2>&1; }
l -t
l -p
l -s
l -c
l -P
l -O | head -n 12
l -s -c -p
l -F
l -l -t
l -R
l -e --full
