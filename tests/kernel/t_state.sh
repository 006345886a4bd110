#!/bin/sh
# time: 1200
# kernels: 5.10
# also: 6.12
# Everything in the tracing file system is as it was before, however a run ends; what belongs to others stays.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde

T=/sys/kernel/tracing
S="sonde ftrace"

# values: FILE:LINE of the files of stdin; a buffer's first use expands it and rounds its size.
values() {
	xargs grep -H '' 2> /dev/null | sed 's,^\(.*buffer_size_kb:\).*expanded: \([0-9]*\).*,\1\2,
		/buffer_size_kb:/s/:14[01][0-9]$/:1410/; /buffer_total_size_kb/d'
}

# knobs: the settings of the top buffer and the instances, without those of single events, whose folders are not entered. The size of
# one CPU's buffer can be set, too, on 5.10, which says that it cannot.
knobs() {
	find $T -type d -path '*/events/*' -prune -o -type f \( -perm -200 -o -name buffer_size_kb \) ! -name 'trace*pipe*' ! -name trace \
		! -name 'trace_marker*' ! -name 'snapshot*' ! -name free_buffer ! -name error_log ! -name 'function_profile*' \
		! -name inject ! -name saved_cmdlines_size -print | values | sort
	ls $T/instances
}

# state: with those of the events, ten thousand files, in which only what is not as at first is told: by one process that looks at
# names alone, GNU's: that of busybox takes all files.
state() {
	knobs
	/bin/grep -rsHv -e '^#' -e '^none$' -e '^0$' --include=enable --include=filter --include=trigger $T/events $T/instances/*/events | sort
}

# unchanged WHAT: state or knobs are as they were.
unchanged() {
	$1 > after
	cmp -s before_$1 after && ok || { diff before_$1 after | head -n 20; fail "not as before"; }
}

# guards: their ids
guards() {
	grep -l '^sonde-guard' /proc/[0-9]*/comm 2> /dev/null | cut -d/ -f3
}
all_gone() {
	within 100 no_sonde || fail "left: $(grep -s '^sonde' /proc/[0-9]*/comm)"
}

# What somebody else uses.
echo 'p:theirs/probe vfs_read' >> $T/kprobe_events
echo 'prev_pid == 7' > $T/events/sched/sched_switch/filter
echo 'traceoff:3 if prev_pid == 9999999' > $T/events/sched/sched_switch/trigger
printf 'vfs_readlink\nvfs_truncate\n' > $T/set_ftrace_filter
echo 'vfs_truncate:stacktrace:3' >> $T/set_ftrace_filter
echo vfs_rmdir > $T/set_ftrace_notrace
echo 17 > $T/set_event_pid
echo 1 > $T/events/theirs/probe/enable
echo 64 > $T/per_cpu/cpu0/buffer_size_kb
echo 512 > $T/per_cpu/cpu1/buffer_size_kb
mkdir $T/instances/theirs
echo 1 > $T/instances/theirs/events/irq/enable
echo 'vfs_read*' > $T/instances/theirs/set_ftrace_filter
state > before_state
knobs > before_knobs

t state_has_what_others_use
has before_state '/events/sched/sched_switch/filter:prev_pid == 7$'
has before_state '/events/sched/sched_switch/trigger:traceoff:'
has before_state '/events/theirs/probe/enable:1'
has before_state '/instances/theirs/events/irq/irq_handler_exit/enable:1$'
has before_state '/instances/theirs/set_ftrace_filter:vfs_readv$'
has before_state '/per_cpu/cpu1/buffer_size_kb:5[0-9]*$'

t instances_are_gone_after_a_record
$S record -e sched -p function -l 'vfs_*' -o a.dat true > told 2>&1
eq $? 0
unchanged state

t top_buffer_is_as_before_after_a_record
$S record --top -e sched:sched_switch -f 'prev_pid > 0' -R 'stacktrace:1' -p function_graph -g vfs_read -l 'vfs_*' -l 'vfs_open:traceoff:1' \
	-n vfs_write --max-graph-depth 2 -O nooverwrite -C mono -M 1 -b 128 -T -P 1 -c -o a.dat true > told 2>&1
eq $? 0
unchanged state

t start_and_reset_ours
$S start -e irq -e sched:sched_switch -f 'prev_pid > 0' -R 'stacktrace:1' -p function -l 'vfs_*' -l 'vfs_open:traceoff:1' -n vfs_write \
	-O nooverwrite -C mono -M 1 -b 128 -T -B second -e all -b 256 > told 2>&1
eq $? 0
eq "$(cat $T/instances/second/events/enable)" 1
$S stop
$S set -e timer -O overwrite
# Another run in between leaves it on.
$S record -e irq -o b.dat true > told 2>&1
eq "$(cat $T/current_tracer)" function
sonde reset --ours > told
has told '^current_tracer: nop$'
has told '^instances/second: removed$'
unchanged state

t filters_of_before_do_not_go_on
none=$T/events/sched/sched_switch/filter
$S start -q -e sched:sched_switch -f 'prev_pid == 999999'
$S record -q --top -e sched:sched_switch -o f.dat sleep 1 > told 2>&1
eq $? 0
[ "$($S report -i f.dat | grep -c sched_switch)" -gt 0 ] && ok || fail "the filter of start was the record's, too"
eq "$(cat $none)" 'prev_pid == 999999'
$S set -e sched:sched_switch
eq "$(cat $none)" 'prev_pid == 999999'
$S start -q -e sched:sched_switch
eq "$(cat $none)" none
sonde reset --ours > told
unchanged state

t failed_start_leaves_nothing
for o in '-e sched:sched_switch -f nosuch==1' '-p function -l nosuch_at_all' '-e irq -O nosuch' '-B third -e irq -C nosuch'; do
	$S start -e timer -b 999 $o > told 2>&1 && fail "started with $o"
done
unchanged state

# recording OPTION...: the process main, with the command load, which runs once everything is set.
recording() {
	$S record "$@" sleep 1000 > told 2>&1 &
	main=$!
	within 100 has_child $main sleep || fail "it does not record: $(cat told)"
	load=$(child_of $main sleep)
}

functions_are_traced() {
	eq "$(cat $T/tracing_on)$(cat $T/current_tracer)" 1function
}

# ended HOW: a run that was going on when something ended it
ended() {
	recording --top -e sched -p function -l 'vfs_*' -C mono -b 200 -o c.dat
	functions_are_traced
	if [ "$1" = both ]; then
		kill -9 $(guards) $main
	else
		kill -"$1" $main
	fi
	wait $main 2> /dev/null
	all_gone
	[ "$1" != both ] || sonde reset --ours > told
	kill -9 $load 2> /dev/null
}

for how in INT TERM HUP KILL both; do
	t "record_ended_by_$how"
	ended $how
	unchanged knobs
done
unchanged state

t a_dead_run_is_swept_by_the_next
recording -e sched -o c.dat
kill -9 $(guards) $main $load
wait $main 2> /dev/null
# Of the dying it leaves everything alone.
all_gone
ls $T/instances | grep -q '^sonde-' && ok || fail "it had no buffer of its own"
$S record -e irq -o d.dat true > told 2>&1
unchanged state

# A list of 25 functions takes the kernel long enough for a kill to hit in the middle. First a guard that puts it back,
# then a run that does; the next run starts at once, while the killed one is on its way out. Where this script stalls, or
# the kernel is quick, the list is back before the kill: then there is another one.
t half_a_list_is_nobodys
grep '^vfs_[a-z]*$' $T/available_filter_functions | sort -u | head -n 25 > $T/set_ftrace_filter
grep -v ' [*]*:' $T/set_ftrace_filter > want
# being_put_back: the journal says so; put_back: it is gone.
being_put_back() {
	grep -qs 'set_ftrace_filter?' /run/sonde/undo-*
}
put_back() {
	[ -z "$(ls /run/sonde)" ]
}
for how in guard run; do
	for try in 1 2 3 4 5 6 7 8 9; do
		recording --top -p function -l vfs_read -o g.dat
		functions_are_traced
		eq "$(guards | wc -l)" 1
		[ $how = run ] && kill -INT $main || kill -9 $main
		end=$(($(uptime_s) + 100))
		until being_put_back || put_back || [ "$(uptime_s)" -gt $end ]; do :; done
		being_put_back && hit=1 || hit=0
		kill -9 $(guards) $main 2> /dev/null
		sonde reset --ours > told
		grep -v ' [*]*:' $T/set_ftrace_filter > now
		cmp -s want now && ok || fail "$how: $(wc -l < now) lines of $(wc -l < want) are back: $(cat told)"
		kill -9 $load 2> /dev/null
		wait $main 2> /dev/null
		all_gone
		[ $hit = 0 ] || break
	done
	[ $hit = 1 ] && ok || fail "$how: $try times it was all back before it could be killed"
done
printf 'vfs_readlink\nvfs_truncate\n' > $T/set_ftrace_filter

t hundred_kills
# The hundred on one kernel, for they take minutes; fewer on the others.
kills=20
case $(uname -r) in 6.12*16k*) ;; 6.12*) kills=100 ;; esac
awk -v n=$kills 'BEGIN { srand(); for (i = 0; i < n; i++) printf "%.2f\n", rand() * 0.7 }' > pauses
n=0
while read -r pause; do
	n=$((n + 1))
	case $((n % 3)) in
	0) $S record -e sched -p function -l 'vfs_*' -o e.dat sleep 1 ;;
	1) $S record --top -e irq -C mono -b 100 -p function -l 'vfs_*' -o e.dat sleep 1 ;;
	2) $S start -e irq -f 'irq > 0' -C mono -l 'vfs_*' -p function ;;
	esac > told 2>&1 &
	main=$!
	sleep "$pause"
	[ $((n % 5)) != 0 ] || kill -9 $(guards) 2> /dev/null
	kill -9 $main 2> /dev/null
	wait $main 2> /dev/null
	[ $((n % 10)) != 0 ] || { all_gone; sonde reset --ours > told 2>&1; unchanged knobs; }
done < pauses
all_gone
sonde reset --ours > told 2>&1
unchanged state
eq "$(ls /run/sonde 2> /dev/null)" ""

t what_others_change_meanwhile_stays
$S start -p function -l 'vfs_*' -e irq > told
echo global > $T/trace_clock
echo nop > $T/current_tracer
echo 0 > $T/events/irq/softirq_raise/enable
sonde reset --ours > told
eq "$(sed 's/.*\[\(.*\)\].*/\1/' $T/trace_clock)" global
eq "$(cat $T/events/irq/enable)" 0
eq "$(grep -c '^vfs_readlink$' $T/set_ftrace_filter)" 1
echo local > $T/trace_clock
# The commands of the killed run on, but not for long.
no_sleep() {
	! cut -d' ' -f2,6 /proc/[0-9]*/stat 2> /dev/null | grep -qx "(sleep) $session"
}
session=$(cut -d' ' -f6 /proc/$$/stat)
within 100 no_sleep || fail "a sleep goes on"

within 100 rmdir $T/instances/theirs 2> /dev/null || fail "the buffer theirs stays"
echo 0 > $T/events/theirs/probe/enable
echo > $T/kprobe_events
echo 0 > $T/events/sched/sched_switch/filter
echo '!traceoff' > $T/events/sched/sched_switch/trigger
echo '!vfs_truncate:stacktrace:3' >> $T/set_ftrace_filter
echo > $T/set_ftrace_filter
echo > $T/set_ftrace_notrace
echo > $T/set_event_pid
echo 1408 > $T/buffer_size_kb
