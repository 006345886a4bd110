#!/bin/sh
# as: root user
# The test bed itself: without these facts no other kernel test means anything.
. "$T_HERE/lib.sh"

need perf

t uid
case $T_AS in
root) eq "$(id -u)" 0 ;;
user) [ "$(id -u)" != 0 ] && ok || fail "the unprivileged run is root" ;;
esac

t working_folder_is_writable
echo x > file
eq "$(cat file)" x

t exit_status_is_passed_on
sh -c 'exit 7'
eq $? 7

if [ "$T_AS" = user ]; then
	t tracefs_is_closed
	cat /sys/kernel/tracing/kprobe_events && fail "readable" || ok

	t perf_counts_own_cycles
	perf stat -x, -e cycles:u -o stat true
	has stat '^[1-9][0-9]*,,cycles:u,'

	t perf_counts_not_the_system
	perf stat -a -e cycles true && fail "allowed" || ok
	exit 0
fi

t kernel_release
case $SONDE_VM in
*-rt) want="^${SONDE_VM%-rt}\..*-rt-arm64$" ;;
*-16k) want="^${SONDE_VM%-16k}\..*-arm64-16k$" ;;
*) want="^$SONDE_VM\.[0-9+a-z.-]*[0-9]-arm64$" ;;
esac
uname -r > release
has release "$want"

t page_size
case $SONDE_VM in
*-16k) eq "$(getconf PAGESIZE)" 16384 ;;
*) eq "$(getconf PAGESIZE)" 4096 ;;
esac

t cpuinfo_is_arm64
has /proc/cpuinfo '^CPU implementer[[:space:]]*: 0x'

t tracefs
has /sys/kernel/tracing/available_tracers function_graph

t modules_load
modprobe veth
has /proc/modules '^veth '

t pmu
has /sys/bus/event_source/devices/armv8_pmuv3/type '^[0-9]+$'

t perf_counts_cycles
perf stat -x, -e cycles -o stat true
eq $? 0
has stat '^[1-9][0-9]*,,cycles,'

t function_tracer_sees_a_call
cd /sys/kernel/tracing || exit
echo do_sys_openat2 > set_ftrace_filter 2> /dev/null || echo '*sys_openat*' > set_ftrace_filter
echo function > current_tracer
cat /proc/version > /dev/null
grep -q openat trace && ok || fail "no openat in the trace"
echo nop > current_tracer
echo > set_ftrace_filter
cd - > /dev/null || exit
