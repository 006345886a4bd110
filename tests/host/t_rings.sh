#!/bin/sh
# as: root
# time: 120
# The rings of open counters read while they are filled: the report of them and that of the perf.data that is written at the same time
# are the same bytes.
. "$T_HERE/lib.sh"

need sonde workload ringreport

# same SORT: by these keys. What is known of the machine only at the end may be a note of one and not of the other.
same() {
	ringreport live.data "$1" workload shape 300 > live 2> live.err
	eq $? 0
	sonde report -i live.data -s "$1" > recorded 2> recorded.err
	eq $? 0
	cmp live recorded && ok || fail "by $1: the reports differ"
	eq "$(cat live.err)" "$(cat recorded.err)"
	has live workload
}

t report_of_rings_is_that_of_the_recording
same comm,dso,sym
same comm,pid,cpu

t recording_made_meanwhile_is_whole
[ "$(sonde script -i live.data -F comm 2> script.err | grep -c workload)" -gt 100 ] && ok || fail "few samples"
eq "$(cat script.err)" ""
