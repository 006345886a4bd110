#!/bin/sh
# as: root
# time: 300
# kernels: 6.12
# also: 5.10
# Command lines of perf-prof's users as they type them, through a link of that name: each does what it says, and ends well.
. "$T_HERE/lib.sh"

need sonde workload

mkdir link
ln -s "$(command -v sonde)" link/perf-prof
PATH=$PWD/link:$PATH

# for_a_while COMMAND...: until Ctrl-C, while something happens.
for_a_while() {
	"$@" > out 2> err &
	ours=$!
	sleep 2
	workload switches 200 > /dev/null
	workload calls 5 > /dev/null
	sleep 1
	kill -INT $ours
	wait $ours
	eq $? 0
}

t states_as_a_flame_graph
for_a_while perf-prof task-state -S --than 100 --filter 'workload' -g --flame-graph cat
has cat.folded '^workload;.* [0-9]+$'
has cat.svg '<svg'

t packets_that_are_dropped
modprobe dummy 2> /dev/null
for_a_while perf-prof trace -e skb:kfree_skb -g --flame-graph kfree_skb -m 128
[ -e kfree_skb.folded ] && ok || fail "$(cat err)"
for_a_while perf-prof trace -e skb:kfree_skb -g --flame-graph kfree_skb -i 600000 -m 128

t the_kernel_as_a_flame_graph
for_a_while perf-prof profile -F 1000 -C 0,1 --exclude-user -g --flame-graph profile
has profile.svg '<svg'
for_a_while perf-prof profile -F 1000 -C 0,1 --exclude-user -g --flame-graph profile -i 600000
has profile.folded '^[0-9][0-9]:[0-9][0-9]:[0-9][0-9];'

t exits_as_a_heat_map
for_a_while perf-prof multi-trace -e irq:softirq_entry -e irq:softirq_exit -C 1 --heatmap mpdelay
ls mpdelay*.svg > /dev/null 2>&1 && ok || fail "$(ls)"

t an_event_tells_its_fields
perf-prof trace -e sched:sched_stat_runtime help > out 2> err
eq $? 0
has out 'sched:sched_stat_runtime'
has out '^ +runtime '
has out "^perf-prof trace -e 'sched:sched_stat_runtime/\./\[ATTR"

t a_filter
for_a_while perf-prof trace -e 'sched:sched_stat_runtime/runtime>1000000/'
awk '/sched_stat_runtime/ { sub(/.*runtime=/, ""); if ($1 + 0 <= 1000000) bad++ } END { exit bad != 0 }' out && ok || fail 'shorter ones'

t of_whom
for_a_while perf-prof trace -e sched:sched_stat_runtime -C 0-1
[ -s out ] && ok || fail 'nothing'
workload switches 100000 > /dev/null &
busy=$!
for_a_while perf-prof trace -e sched:sched_switch -p $busy,$$
has out ' workload +'$busy' '
for_a_while perf-prof trace -e sched:sched_switch -t $busy
eq "$(grep -c . out)" "$(grep -c " workload  *$busy " out)"
kill $busy
perf-prof task-state workload calls 3 > out 2> err
eq $? 0
has out 'S'
perf-prof task-state -- workload calls 3 > out 2> err
eq $? 0

t of_control_groups
echo +memory > /sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/prof /sys/fs/cgroup/prof1
for g in prof 'pro*' prof,prof1 'prof*'; do
	perf-prof trace -e sched:sched_switch --cgroups "$g" -o out -- sh -c \
		'echo $$ > /sys/fs/cgroup/prof/cgroup.procs; exec workload switches 100' > said 2> err
	eq $? 0
	n=$(grep -c ' workload ' out)
	[ "$n" -ge 100 ] && ok || fail "$g: $n: $(cat err)"
done
rmdir /sys/fs/cgroup/prof /sys/fs/cgroup/prof1

t markers
p=$(dirname "$T_HERE")/bin/probe/usdt
if [ -x "$p" ]; then
	perf-prof usdt add "marks:registers@$p" -v > out 2> err
	eq $? 0
	has out '^    Uprobe: p:marks/registers '
	perf-prof trace -e marks:registers -- "$p" > out 2> err
	has out 'marks:registers'
	perf-prof usdt del "$p" > out 2> err
	eq $? 0
else
	skip "usdt is not built: see tests/probe/build"
fi
