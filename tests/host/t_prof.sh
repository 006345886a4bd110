#!/bin/sh
# as: root
# time: 240
# Profilers of sonde prof on events of this machine: what they say is held against what is known of the programs that make them, and
# of a recording against what perf script tells of it.
. "$T_HERE/lib.sh"

need sonde workload awk

case $(uname -m) in
aarch64) nanosleep=115 ;;
*) nanosleep=230 ;;
esac

t expressions_by_themselves
eq "$(sonde prof expr '1 << 4 | 3')" '19 0x13'
eq "$(sonde prof expr '"abc" ~ "a*"')" '1 0x1'
sonde prof expr 'pid + 1' > out 2> err && fail 'there is no pid' || has err "no field 'pid'"
sonde prof expr > out 2> err && fail 'there is no expression' || has err 'one expression'

t children_are_followed_or_not
for o in --inherit --no-inherit; do
	sonde prof trace -e raw_syscalls:sys_enter $o -- sh -c 'ls / > /dev/null; :' 2> err > out
	eq "$(awk '{ print $3 }' out | sort -u | tr '\n' ' ')" "$([ $o = --inherit ] && echo 'ls sh ' || echo 'sh ')"
done

t wrong_command_lines
sonde prof multi-trce -e a:b > out 2> err
eq $? 2
has err "did you mean 'multi-trace'"
sonde prof multi-trace -e sched:sched_switch > out 2> err && fail 'one stage' || has err 'two -e'
sonde prof num-dist -e sched:sched_switch > out 2> err && fail 'no number' || has err 'num='
sonde prof top > out 2> err && fail 'no events' || has err 'needs events'
sonde prof top -e 'cpu-clock//kye=pid/' > out 2> err && fail 'no such attribute' || has err "did you mean 'key'"
sonde prof top -e 'cpu-clock/pid==1/' > out 2> err && fail 'a filter of no tracepoint' || has err 'no tracepoint'
sonde prof trace -e cpu-clock -j > out 2> err && fail 'no table' || has err 'no table'
sonde prof trace -e cpu-clock -i no.data > out 2> err && fail 'no such file' || has err 'no.data'

t clock_samples_with_stacks
sonde prof trace -e cpu-clock -g -N 20 --exclude-kernel -- workload shape 300 > out 2> err
[ "$(grep -c 'cpu-clock: ' out)" = 20 ] && ok || fail "$(grep -c 'cpu-clock: ' out) samples"
has out 'workload'
sonde prof trace -e cpu-clock -g --flame-graph flame --exclude-kernel -- workload shape 300 > out 2> err
[ ! -s out ] && ok || fail "lines beside a graph: $(head -n 1 out)"
has flame.folded '^workload;.* [0-9]+$'
has flame.svg '<svg'

t of_whom_and_how
sonde prof trace -e cpu-clock -N 5 --exclude-user --watermark 10 --order --inherit --ptrace -m 8 -q -- workload shape 200 > out 2> err
eq "$(wc -l < out)" 5
grep -qv 'kernel.kallsyms\]\|\[[a-z0-9_]*\])$' out && fail "user code: $(cat out)" || ok
for o in --exclude-guest --exclude-host; do
	sonde prof trace -e cpu-clock -N 1 $o -q -- workload shape 50 > out 2> err
	eq $? 0
done
sonde prof trace -e cpu-clock -N 1 --cgroups no-such-group > out 2> err && fail 'no such group' || has err 'no-such-group'

t tracepoints_here
if ! sonde prof trace -e sched:sched_switch -N 1 > out 2> err; then
	skip "no tracepoints: $(head -n 1 err)"
	exit 0
fi
has out 'sched:sched_switch: prev_comm='

t pairs_have_their_times
sonde prof multi-trace -e "raw_syscalls:sys_enter/id==$nanosleep/" -e raw_syscalls:sys_exit -k common_pid -j -- sleep 0.3 > out 2> err
eq $? 0
awk -F'"total_us":' '/"calls":1,/ { split($2, v, ","); print (v[1] > 299000 && v[1] < 900000) }' out > good
eq "$(cat good)" 1

# It would go on for ten seconds.
t a_reader_that_goes_away_ends_it
timeout 10 sonde prof trace -e sched:sched_switch 2> err | head -n 1 > out
[ -s out ] && [ ! -s err ] && ok || fail "$(cat out err)"
t_now
[ $((t_tenths - t_start)) -lt 80 ] && ok || fail "it went on for $((t_tenths - t_start)) tenths of a second"

t the_status_is_the_commands
sonde prof trace -e sched:sched_switch -q -- sh -c 'exit 7' > out 2> err
eq $? 7

sonde record -q -a -o all.data -e sched:sched_switch,sched:sched_wakeup,raw_syscalls:sys_enter,raw_syscalls:sys_exit -- sleep 0.5 2> err

t expressions_that_cannot_be
for p in top trace num-dist multi-trace syscalls nested-trace kmemprof; do
	for attr in key num exec ptr comm role; do
		sonde prof $p -i all.data -e "sched:sched_switch//$attr=nofield/" -e "sched:sched_switch//$attr=nofield/" > out 2> err
		status=$?
		[ $status -le 2 ] && ok || fail "$p, $attr: status $status"
	done
done
sonde prof top -i all.data -e sched:sched_switch//key=nofield/ > out 2> err
eq $? 1
has err "no field 'nofield'"

t a_recording_that_is_cut_is_no_success
sonde record -q -e cpu-clock -o - -- workload shape 300 2> err > pipe.data
head -c $(($(wc -c < pipe.data) - 21)) pipe.data > cut.data
sonde prof top -i cut.data -e cpu-clock > out 2> err
eq $? 1
has err 'breaks off|is cut'
has out 'CPU-CLOCK'

t of_a_recording_each_run_is_the_same
for n in 1 2; do
	sonde prof multi-trace -i all.data -e sched:sched_wakeup -e sched:sched_switch//key=next_pid/ -k pid > $n.text 2> err
	sonde prof top -i all.data -e raw_syscalls:sys_enter//key=id/ -x, > $n.csv 2>> err
done
cmp 1.text 2.text && ok || fail 'the rows differ'
cmp 1.csv 2.csv && ok || fail 'the rows differ'

# Each event as perf's lines have it: "NR 0 (7f12, ..." of an entry, "prev_pid=1" of a switch.
t top_counts_as_perf_does
if command -v perf > /dev/null; then
	perf script -i all.data -F event,trace 2> /dev/null > lines
	awk '$1 == "raw_syscalls:sys_enter:" { n[$3]++ } END { for (i in n) print i, n[i] }' lines | sort > theirs
	sonde prof top -i all.data -e raw_syscalls:sys_enter//key=id/ -x, 2> /dev/null | awk -F, 'NR > 1 { print $1, $2 }' | sort > ours
	[ -s theirs ] && cmp ours theirs && ok || fail "they differ: $(diff ours theirs | head -n 3)"
	awk '$1 == "sched:sched_switch:" && match($0, /prev_state=[A-Z]+/) && / next_prio=120/ { print }' lines > some
	awk '$1 == "sched:sched_switch:"' lines | sed -n 's/.*next_pid=\([0-9]*\) .*/\1/p' | sort | uniq -c | awk '{ print $2, $1 }' | sort > theirs
	sonde prof top -i all.data -e sched:sched_switch -k next_pid -x, 2> /dev/null | awk -F, 'NR > 1 { print $1, $2 }' | sort > ours
	cmp ours theirs && ok || fail "they differ: $(diff ours theirs | head -n 3)"
else
	skip 'no perf'
fi

# From each wakeup of a thread to its next switch in, by an awk that has never heard of keys.
t pairs_are_those_of_the_lines
if command -v perf > /dev/null; then
	perf script -i all.data --ns -F time,event,trace 2> /dev/null | awk '
		{ sub(":", "", $1); split($1, s, "."); time = s[1] * 1000000000 + s[2] }
		$2 == "sched:sched_wakeup:" && match($0, / pid=[0-9]+/) { pid = substr($0, RSTART + 5, RLENGTH - 5)
			if (match($0, /comm=.* pid=[0-9]+ prio/)) { sub(/.* pid=/, ""); pid = $0 + 0 }; at[pid] = time }
		$2 == "sched:sched_switch:" { sub(/.*==> .*next_pid=/, ""); sub(/.*next_pid=/, ""); pid = $0 + 0
			if (pid in at) { n++; sum += time - at[pid]; delete at[pid] } }
		END { printf "%d %.3f\n", n, sum / 1000 }' > theirs
	sonde prof multi-trace -i all.data -e sched:sched_wakeup -e sched:sched_switch//key=next_pid/ -k pid -x, 2> /dev/null |
		awk -F, 'NR == 2 { print $4, $5 }' > ours
	eq "$(cat ours)" "$(cat theirs)"
else
	skip 'no perf'
fi

t filters_are_the_same_here_and_in_the_kernel
sonde prof top -i all.data -e 'raw_syscalls:sys_enter/id > 1 && id < 60/key=id/' -x, 2> /dev/null > here
sonde prof top -i all.data -e raw_syscalls:sys_enter//key=id/ -x, 2> /dev/null | awk -F, 'NR == 1 || ($1 > 1 && $1 < 60)' > all
cmp here all && ok || fail 'a filter left out others'
sonde prof trace -i all.data -e 'sched:sched_switch/prev_comm ~ "s*" || next_pid == 0/' 2> /dev/null > out
[ -s out ] && ! grep -v 'prev_comm=s\|next_pid=0' out > wrong && ok || fail "$(head -n 1 wrong)"
sonde prof trace -e 'sched:sched_switch/next_comm ~ "sleep"/' -q -C 0,1 -m 64 -- sh -c 'for i in 1 2 3; do sleep 0.02; done' > out 2> err
[ -s out ] && ! grep -v 'next_comm=sleep' out > wrong && ok || fail "$(head -n 1 wrong)"

t profilers_are_events_of_others
sonde prof multi-trace -e sched:sched_switch//key=next_pid/,'profile/-F 500 -g/untraced/' -e sched:sched_switch//key=prev_pid/ --than 1us --detail \
	-C "$(cat /sys/devices/system/cpu/online)" -- workload shape 200 > out 2> err
has out '  .*: profile: '
sonde prof trace -e 'page-faults/--exclude-kernel/' -N 5 -- workload faults 100 > out 2> err
eq "$(grep -c ': page-faults: ' out)" 5
sonde prof top -i all.data -e 'sched:sched_switch//key=next_pid/trigger/' -N 3 > out 2> err
eq "$(grep -c ' events$' out)" 4

# So many as there were: those that were seen, and those that are told to be lost.
t no_event_is_unaccounted_for
seen() {
	sonde prof top -m "$2" -e raw_syscalls:sys_enter -k 0 -x, -- workload syscalls "$1" > out 2> err
	awk -F, 'NR == 2 { print $2 }' out
	sed -n 's/,//g; s/.*: \([0-9]*\) events were lost.*/\1/p' err
}
others=$(($(seen 1000 64) - 1000))
eq "$(seen 100000 1 | awk '{ n += $1 } END { print n }')" $((100000 + others))

t only_some_of_a_recording
# A kernel tells of no switch on a CPU whose idle task its RCU does not watch.
cpu=$(sonde prof top -i all.data -e sched:sched_switch -k _cpu -x, --rows 1 2> /dev/null | awk -F, 'NR == 2 { print $1 }')
sonde prof top -i all.data -C "$cpu" -e sched:sched_switch -k _cpu -x, > out 2> err
eq "$(awk -F, 'NR > 1 { print $1 }' out)" "$cpu"
pid=$(sonde prof top -i all.data -e sched:sched_switch -k _pid -x, --rows 1 2> /dev/null | awk -F, 'NR == 2 { print $1 }')
sonde prof top -i all.data -p "$pid" -e sched:sched_switch -k _pid -x, > out 2> err
eq "$(awk -F, 'NR > 1 { print $1 }' out)" "$pid"
sonde prof top -i all.data -t "$pid" -e sched:sched_switch//comm=comm/ -k _tid --only-comm > out 2> err
has out 'SCHED_SWITCH +COMM'
sonde prof top -i all.data -e sched:sched_swich > out 2> err && fail 'no such event' || has err 'did you mean'

t numbers_of_a_field
sonde prof num-dist -i all.data -e 'raw_syscalls:sys_enter//num=id/alias=calls/' --perins -x, > out 2> err
has out '^instance,event,calls,total,min,avg,p50,p95,p99,max$'
eq "$(awk -F, 'NR > 1 { n += $3 } END { print n }' out)" "$(sonde prof trace -i all.data -e raw_syscalls:sys_enter 2> /dev/null | wc -l)"
sonde prof num-dist -i all.data -e 'raw_syscalls:sys_enter//num="id"/' --than 200 > out 2> err
! grep 'sys_enter: NR' out | grep -v 'NR \(2[0-9][1-9]\|2[1-9]0\|[3-9][0-9][0-9]\) ' > wrong && ok || fail "$(head -n 1 wrong)"

t what_stands_between_a_pair
sonde prof multi-trace -i all.data -e sched:sched_wakeup -e sched:sched_switch//key=next_pid/,raw_syscalls:sys_enter//untraced/ -k pid --than 1us \
	--detail=samecpu,hide\<1ns > out 2> err
has out '^sched_wakeup => sched_switch took'
has out '^\* \+ .*sched:sched_wakeup'
sonde prof multi-trace -i all.data -e sched:sched_wakeup -e sched:sched_switch//key=next_pid/ -k pid --only-than 10us --detail=-1s,+1ms > out 2> err
has out '^  - '
sonde prof multi-trace -i all.data -e sched:sched_wakeup -e sched:sched_switch//key=next_pid/ -k pid --lower 1s > out 2> err
has out 'took'
sonde prof multi-trace -i all.data -e sched:sched_wakeup -e sched:sched_switch --detail > out 2> err && fail '--detail needs --than' || has err '--than'
sonde prof multi-trace -i all.data -e sched:sched_wakeup -e sched:sched_switch//key=next_pid/ -k pid --than 1us -j > out 2> err
has out '"than":[1-9]'
[ "$(head -c 1 out)" = '[' ] && ok || fail "text in front of rows: $(head -n 1 out)"
sonde prof multi-trace -i all.data -e sched:sched_wakeup -e sched:sched_switch --lower 1s -j > out 2> err && fail 'pairs as JSON' || has err '--lower'

t a_heat_map_has_them_all
sonde prof multi-trace -i all.data -e sched:sched_wakeup -e sched:sched_switch//key=next_pid/ -k pid --heatmap heat -x, > out 2> err
has heat-sched_wakeup-sched_switch.svg '<svg '
eq "$(sed -n 's/,//g; s/.*<title>[^:]*: \([0-9]*\) of .*/\1/p' heat-sched_wakeup-sched_switch.svg | awk '{ n += $1 } END { print n }')" \
	"$(awk -F, 'NR == 2 { print $4 }' out)"
sonde prof num-dist -i all.data -e raw_syscalls:sys_enter//num=id/ --heatmap heat > out 2> err
has heat-sys_enter.svg '</svg>'

t a_cycle_is_all_time
sonde prof multi-trace -i all.data -e 'sched:sched_switch//role="(next_pid?1:0)|(prev_pid?2:0)"/' --cycle --perins -x, > out 2> err
has out '^key,start,to,end,calls'
[ "$(wc -l < out)" -ge 2 ] && ok || fail "$(cat out)"

t intervals_of_a_recording
sonde prof top -i all.data -i 100 -e sched:sched_switch//top-by=prev_prio/top-add=next_prio/ > out 2> err
[ "$(grep -c 'events$' out)" -ge 4 ] && ok || fail "$(grep -c 'events$' out) intervals"
has out 'PREV_PRIO +NEXT_PRIO'

t help_shows_fields_and_words
sonde prof sched:sched_wakeup sched:sched_switch help > out 2> err
eq "$?" 0
has out '^sched:sched_switch'
has out "^sonde prof trace -e 'sched:sched_wakeup"
sonde prof sched:no_such help > out 2> err && fail "no such event" || has err 'sched:no_such'
sonde prof help > out 2> err
eq "$?" 0
has out 'multi-trace'
sonde prof > out 2> err && fail "of nothing" || has err 'which profiler'
sonde prof trace -e sched:sched_wakeup help > out 2> err
has out 'sched:sched_wakeup'
has out 'prio +int'
has out 'printf'
has out 'top-by=EXPR'

t output_goes_to_a_file
sonde prof trace --input all.data -N 5 -e sched:sched_switch -o lines.text > out 2> err
[ ! -s out ] && [ "$(wc -l < lines.text)" = 5 ] && ok || fail "$(wc -l < lines.text) lines"

t printed_by_an_expression
sonde prof top -i all.data -N 50 -q -e 'sched:sched_switch//key=(_cpu<<32)|next_prio/printkey=printf("%d/%d", key>>32, (int)key)/exec=printf("+")/' \
	> out 2> err
has out '^\++'
has out ' [01]/120 '
