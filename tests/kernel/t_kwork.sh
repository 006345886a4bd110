#!/bin/sh
# as: root
# time: 300
# kernels: 6.12
# sonde kwork: counts and times are what the events themselves add up to. Rows beside perf's: tests/captures.
. "$T_HERE/lib.sh"

need sonde perf python3 awk

# runs FILE: how often soft interrupts ended that had begun, and their ns.
runs() {
	perf script -i "$1" -F cpu,time,event,trace --ns 2> /dev/null | tr -d '[]:,' | awk '
		{ key = $1 " " $4; split($2, t, "."); ns = t[1] * 1000000000 + t[2] }
		/softirq_entry/ { since[key] = ns }
		/softirq_exit/ && key in since { n++; total += ns - since[key]; delete since[key] }
		END { printf "%d %.3f\n", n, total / 1000000 }'
}

t works_are_what_events_add_up_to
sonde kwork record -q -o own.data -- sh -c 'for i in 1 2 3; do ls -lR /sys/devices > /dev/null; sleep 0.1; done' 2> err || fail "$(cat err)"
runs own.data > want
sonde kwork report -k softirq -j -i own.data 2> err |
	python3 -c 'import json, sys; v = json.load(sys.stdin); print(sum(r["count"] for r in v), "%.3f" % sum(r["runtime_ms"] for r in v))' > got
awk '{ exit !($1 > 5) }' want || fail "hardly any: $(cat want)"
eq "$(cat got)" "$(cat want)"
eq "$(sonde kwork timehist --kwork softirq -j -i own.data 2> /dev/null | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))')" "$(cut -d ' ' -f 1 want)"

t live_without_a_file
sonde kwork report -k softirq -S -- sleep 0.5 > out 2> err
has out '^  \(s\)[A-Z_]+:[0-9] +\| 000[01] \|'
has out '^  Total time span \(msec\) :'
sonde kwork top -- sleep 0.5 > out 2> err
has out '^%Cpu0 +\[\|* +[0-9.]+%\]'

t chains_are_where_it_began
sonde kwork record -q -k softirq -g -o chains.data -- sh -c 'ls -lR /sys/devices > /dev/null; sleep 0.2' 2> err
perf script -i chains.data -F event,ip,sym 2> /dev/null | awk '/softirq_entry/ { getline; print $2 }' | sort -u > places
sonde kwork timehist -g -i chains.data > out 2> err
awk 'NR == FNR { p[$1]; next } / <- / { sub(/.*[0-9] +/, ""); n++; bad += !($1 in p) } END { exit !(n > 3 && !bad) }' places out && ok ||
	fail "$(sed -n 4,6p out | tr '\n' ';') $(head -n 3 places | tr '\n' ' ')"
