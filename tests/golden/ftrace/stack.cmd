# The kernel's stack tracer: its switch, its list, its text, and how much is said.
. tests/golden/ftrace/tree.sh
mkdir -p $d/proc/sys/kernel/random $d/run
s() { echo "# $*"; $SONDE --sysroot $d ftrace stack "$@" 2>&1; echo "exit $?"; written; }
s
s --verbose=none
printf '        Depth    Size   Location    (2 entries)\n        -----    ----   --------\n  0)      224      96   vfs_read+0x10\n' > $top/stack_trace
touch $top/stack_max_size $top/stack_trace_filter
echo 1 > $d/proc/sys/kernel/stack_tracer_enabled
mark
s
s --stop
cat $d/proc/sys/kernel/stack_tracer_enabled
s --reset
s --start --stop
s -l vfs_read
s -l vfs_read --verbose=none
s -l vfs_read --verbose=crit
