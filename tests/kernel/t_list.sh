#!/bin/sh
# as: root user
# time: 240
# kernels: 6.12
# also: 5.10
# `sonde list` against tracefs, sysfs and perf's own list.
. "$T_HERE/lib.sh"

need sonde perf

TRACING=/sys/kernel/tracing

if [ "$T_AS" = user ]; then
	t unreadable_tracefs_is_told_and_the_rest_listed
	sonde list > out 2> err
	eq $? 0
	has out '^  cpu-clock$'
	has out '^  armv8_pmuv3/cpu_cycles/'
	has err 'no permission to read /sys/kernel/tracing'
	exit 0
fi

t every_tracepoint_is_listed_once
sonde list tracepoint | sed -n 's/^  \([^ ]*:[^ ]*\)$/\1/p' | sort > got
sort $TRACING/available_events > want
diff want got && ok || fail "not the kernel's available_events"

t names_that_perf_supports_too
# perf shows the first spelling of some, the second of others; what it does not list, this kernel refuses.
perf list --raw-dump hw | tr ' ' '\n' | grep . | sort > want
sonde list --raw-dump hw | tr ' ' '\n' | grep . | sort > got
sed 's/^cpu-cycles$/cycles/; s/^branch-instructions$/branches/; s/^idle-/stalled-/' want | sort -u > want.first
eq "$(cat got)" "$(cat want.first)"

t what_is_marked_cannot_be_opened
sonde list -j hw | sed -n 's/^{"EventName":"\([a-z-]*\)",.*"Present":"no".*/\1/p' > absent
[ -s absent ] && ok || fail "the emulated PMU has everything?"
while read -r name; do
	rm -f stat
	perf stat -x, -e "$name" -o stat true
	grep -q "not supported.*,$name," stat && ok || fail "$name: $(tail -n 1 stat)"
done < absent

t pmu_events
sonde list pmu > out
for f in /sys/bus/event_source/devices/armv8_pmuv3/events/*; do
	has out "^  armv8_pmuv3/${f##*/}/"
done

t probe_with_its_definition
echo 'p:sonde_list/here do_sys_openat2 dfd=%x0' > $TRACING/kprobe_events
sonde list -v sonde_list:here > out
sed -n 's/.*field:u64 dfd;.offset:\([0-9]*\);.*/\1/p' $TRACING/events/sonde_list/here/format > offset
echo > $TRACING/kprobe_events
has out '^Dynamic probes$'
has out '^        do_sys_openat2 dfd=%x0$'
# The common fields are longer on real-time kernels.
has out "^        dfd .* u64 .* offset $(cat offset) size 8"

t fields_of_a_tracepoint
sonde list -v sched:sched_switch > out
eq "$(grep -c ' offset [0-9]* size [0-9]*' out)" \
	"$(sed -n '/^$/,/^$/p' $TRACING/events/sched/sched_switch/format | grep -c 'field:')"

t json_is_parsed_by_someone_else
if command -v python3 > /dev/null; then
	sonde list -j > out.json
	python3 -c 'import json; print(sum(1 for e in json.load(open("out.json")) if e.get("EventType") == "Tracepoint event"))' > n
	eq "$(cat n)" "$(wc -l < $TRACING/available_events)"
else
	skip-kernel "no python3"
fi
