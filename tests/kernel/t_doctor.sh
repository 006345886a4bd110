#!/bin/sh
# as: root user
# `sonde doctor` against what the kernel says itself.
. "$T_HERE/lib.sh"

need sonde

DEV=/sys/bus/event_source/devices

# row NAME: "status value" of the report's first row of that name
row() {
	sed -n "s/^{\"topic\":\"[^\"]*\",\"name\":\"$1\",\"status\":\"\([a-z]*\)\",\"value\":\"\([^\"]*\)\".*/\1 \2/p" report | head -n 1
}

sonde doctor -j > report
code=$?

t leaves_with_success
eq $code 0
sonde doctor > text
eq $? 0

t fits_80_columns
awk 'length > 80' text > long
eq "$(wc -l < long)" 0

t kernel
eq "$(row kernel | cut -d, -f1)" "info $(uname -r)"
case $(row kernel) in
*PREEMPT_RT) [ "$(cat /sys/kernel/realtime)" = 1 ] && ok || fail "not a real-time kernel" ;;
*) [ ! -e /sys/kernel/realtime ] && ok || fail "a real-time kernel" ;;
esac

t page_size
eq "$(row 'page size')" "info $(($(getconf PAGESIZE) / 1024)) KiB"

t core_pmu
eq "$(row 'core PMU' | cut -d, -f1)" "yes armv8_pmuv3"

t events_of_the_pmu
eq "$(row events | sed 's/,.*//; s/^[a-z]* //')" "$(ls $DEV/armv8_pmuv3/events | wc -l)"

t paranoid
eq "$(row 'perf events' | sed 's/:.*//')" "yes perf_event_paranoid is $(cat /proc/sys/kernel/perf_event_paranoid)"

t user_access
v=$(cat /proc/sys/kernel/perf_user_access 2> /dev/null || echo none)
case $v in
1) eq "$(row 'user access' | cut -d' ' -f1)" yes ;;
*) eq "$(row 'user access' | cut -d' ' -f1)" no ;;
esac

t kernel_types
[ -e /sys/kernel/btf/vmlinux ] && want=yes || want=no
eq "$(row 'kernel types' | cut -d' ' -f1)" $want

t spe_is_not_emulated
eq "$(row SPE | cut -d' ' -f1)" no

if [ "$T_AS" = user ]; then
	t user_is_refused
	level=$(cat /proc/sys/kernel/perf_event_paranoid)
	# Debian knows a level 3: nothing without privilege.
	[ "$level" -gt 2 ] && want=no || want=yes
	eq "$(row 'own programs' | cut -d' ' -f1)" $want
	[ "$level" -gt 1 ] && want=no || want=yes
	eq "$(row 'kernel side' | cut -d' ' -f1)" $want
	[ "$level" -gt 0 ] && want=no || want=yes
	eq "$(row 'all CPUs' | cut -d' ' -f1)" $want
	eq "$(row tracefs)" "no mounted at /sys/kernel/tracing, closed to this user"
	eq "$(row kprobes | cut -d' ' -f1)" no

	t user_sees_no_kernel_addresses
	[ "$(cut -c1-16 /proc/kallsyms | sort -u)" = 0000000000000000 ] && want=no || want=yes
	eq "$(row 'kernel symbols' | cut -d' ' -f1)" $want
	exit 0
fi

t number_of_counters
# "hw perfevents: enabled with armv8_pmuv3 PMU driver, 7 counters available"
dmesg | sed -n 's/.*hw perfevents: enabled with .* PMU driver, \([0-9]*\) .*counters available.*/\1/p' > counters
eq "$(row counters | sed 's/;.*//')" "yes $(cat counters)"

t cycles_advance_and_interrupt
eq "$(row counting)" "yes cycles advance"
eq "$(row sampling)" "yes cycles raise overflow interrupts"

t tracers
eq "$(row tracers)" "info $(sed 's/ *$//' /sys/kernel/tracing/available_tracers)"

t histograms_and_synthetic_events
[ -e /sys/kernel/tracing/events/sched/sched_switch/hist ] && want=yes || want=no
eq "$(row histograms | cut -d' ' -f1)" $want
[ -e /sys/kernel/tracing/synthetic_events ] && want=yes || want=no
eq "$(row 'synthetic events' | cut -d' ' -f1)" $want

t probes
eq "$(row kprobes | cut -d' ' -f1)" yes
eq "$(row uprobes | cut -d' ' -f1)" yes

t probe_arguments_that_are_said_to_work_do
has=$(row 'probe arguments' | sed 's/; not .*//')
for pair in '$argN=p:sonde_t/a do_sys_openat2 a=$arg1' 'symstr=p:sonde_t/b do_sys_openat2 a=%x0:symstr' \
	'ustring=p:sonde_t/c do_sys_openat2 a=+0(%x1):ustring' '%return=p:sonde_t/d do_sys_openat2%return a=$retval'; do
	echo "${pair#*=}" > /sys/kernel/tracing/kprobe_events 2> /dev/null && works=yes || works=no
	echo > /sys/kernel/tracing/kprobe_events
	case $has in
	*"${pair%%=*}"*) eq "${pair%%=*} $works" "${pair%%=*} yes" ;;
	*) eq "${pair%%=*} $works" "${pair%%=*} no" ;;
	esac
done

t switched_off_ftrace_is_seen
old=$(cat /proc/sys/kernel/ftrace_enabled)
echo 0 > /proc/sys/kernel/ftrace_enabled
sonde doctor -j > report
echo "$old" > /proc/sys/kernel/ftrace_enabled
eq "$(row function | cut -d' ' -f1)" no
