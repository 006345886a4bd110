#!/bin/sh
# as: root
# time: 240
# kernels: 6.12
# Traces of Arm's SPE, recorded: of a module that has the PMU's name and writes known packets (tests/vm/fakespe), since nothing that is
# emulated has such a core. Beside perf's recordings of the same PMU.
. "$T_HERE/lib.sh"

need sonde perf workload

module=$(dirname "$(command -v workload)")/fakespe.ko
t the_module_is_there
if [ ! -e "$module" ]; then
	skip-kernel 'it was not built: tests/vm/fakespe/build says why'
	exit
fi
insmod "$module" && ok || exit 1
trap 't_end $?; rmmod fakespe' EXIT

LOADS=arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=0,min_latency=30/
ALL=arm_spe_0//

# records FILE: what is in it beside samples and what runs: numbers of AUX records and bytes of them, of the traces and their bytes, the PMU.
records() {
	perf report -D -i "$1" 2> err.txt > dump.txt || fail "perf report -D: $(cat err.txt)"
	awk '/PERF_RECORD_AUX offset/ { n += 1; for (i = 1; i <= NF; i++) if ($i == "size:") bytes += hex($(i + 1)) }
		/PERF_RECORD_AUXTRACE size/ { traces += 1; for (i = 1; i <= NF; i++) if ($i == "size:") traced += hex($(i + 1)) }
		/PERF_RECORD_ITRACE_START/ { starts++ } /PERF_RECORD_TIME_CONV/ { clocks++ }
		/PERF_RECORD_AUXTRACE_INFO/ { getline pmu; sub(/^ */, "", pmu) }
		function hex(s,   i, v) { s = substr(s, 3); for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
		END { print bytes + 0, traced + 0, (n > 0), (traces > 0), starts + 0, clocks + 0, pmu }' dump.txt
}

t known_packets_are_known_samples
sonde record -o ours.data -a -e $LOADS sleep 1 2> err.txt || fail "$(cat err.txt)"
has err.txt 'are the trace: report and script make samples'
sonde script -i ours.data --itrace=M -F event,weight,addr,phys_addr > got.txt 2> err.txt
[ "$(wc -l < got.txt)" = 1000 ] || fail "$(wc -l < got.txt) samples; $(cat err.txt)"
eq "$(awk '{ n[$1 " " $2 " " $NF]++ } END { for (k in n) print n[k], k }' got.txt | sort | tr '\n' ';')" \
	"$(sonde script -i ours.data --itrace=M -F event,weight,addr,phys_addr | awk '{ n[$1 " " $2 " " $NF]++ } END { for (k in n) print n[k], k }' | sort | tr '\n' ';')"
[ "$(grep -c ' 300' got.txt)" -ge 500 ] && ok || fail "$(head -n 3 got.txt)"

t rows_of_latencies_are_known
sonde prof ldlat-loads -i ours.data -q -x, > got.txt 2> err.txt
eq "$(cut -d, -f1-5,8 got.txt | tr '\n' ' ')" "samples,total,min,avg,max,p99 500,150000,300,300.0,300,300 500,20000,40,40.0,40,40 "

t perf_reads_the_same
for fields in comm,pid,tid,cpu,time,event,ip comm,tid,time,event,ip,addr,phys_addr; do
	perf script -i ours.data --itrace=M --ns -F $fields 2> /dev/null | sed 's/  */ /g; s/^ //; s/ $//' | sort > want.txt
	sonde script -i ours.data --itrace=M --ns -F $fields 2> /dev/null | sed 's/  */ /g; s/^ //; s/ $//' | sort > got.txt
	[ "$(wc -l < want.txt)" = 1000 ] || fail "perf has $(wc -l < want.txt) samples"
	cmp -s want.txt got.txt || fail "$fields: $(diff want.txt got.txt | head -n 4 | tr '\n' ';')"
done
ok

# Few of them: perf is slow at each.
t records_are_those_of_perfs_recording
echo 100 > /sys/module/fakespe/parameters/records
sonde record -q -o few.data -a -e $LOADS sleep 1 2> err.txt || fail "$(cat err.txt)"
perf record -q -o perfs.data -a -e $LOADS sleep 1 > /dev/null 2> err.txt || fail "$(cat err.txt)"
echo 1000 > /sys/module/fakespe/parameters/records
eq "$(records few.data)" "$(records perfs.data)"
has dump.txt 'PERF_RECORD_AUXTRACE_INFO type: 4'

t attributes_are_perfs
attributes() {
	awk '/^perf_event_attr:|^arm_spe|^dummy/ { n++ } /^ +[a-z{]/ && n && n < 3 { $1 = $1; print n, $0 }' |
		grep -E ' (type|config|exclude|inherit|sample|\{ bp|\{ sample|context|mmap|comm|task|disabled|read)' |
		sed 's/ *(.*)//; s/DATA_SRC|IDENTIFIER/IDENTIFIER|DATA_SRC/; /^2 disabled/d' | sort
}
perf record -vv -o x.data -a -e $LOADS true 2>&1 | sed '/^sys_perf_event_open/,/^perf_event_attr/{/^sys_perf/d}' | attributes > want.txt
sonde record -vv -o y.data -a -e $LOADS true 2>&1 | attributes > got.txt
[ "$(wc -l < want.txt)" -gt 20 ] && cmp -s want.txt got.txt && ok || fail "$(diff want.txt got.txt | head -n 8 | tr '\n' ';')"

t a_recording_of_perfs_gives_the_same_rows
sonde prof ldlat-loads -i perfs.data -q -x, 2> err.txt | cut -d, -f1-5,8 | tr '\n' ' ' > got.txt
eq "$(cat got.txt)" "samples,total,min,avg,max,p99 50,15000,300,300.0,300,300 50,2000,40,40.0,40,40 "

# Each CPU writes 1000, of which 750 are loads, and then no more; a quarter of them is stores.
t latencies_are_seen_while_they_come
sonde prof ldlat-loads -q -x, -- sleep 2 > got.txt 2> err.txt || fail "$(cat err.txt)"
head -n 1 got.txt | grep -q '^samples,total' || fail "$(cat got.txt err.txt)"
sonde prof ldlat-loads -C 0,1 --perins -q -x, -- sleep 2 2> err.txt | cut -d, -f1-6 > got.txt
cat > want.txt <<- 'E'
	cpu,samples,total,min,avg,max
	0,250,75000,300,300.0,300
	0,250,10000,40,40.0,40
	0,250,1000,4,4.0,4
	1,250,75000,300,300.0,300
	1,250,10000,40,40.0,40
	1,250,1000,4,4.0,4
E
cmp -s want.txt got.txt && ok || fail "$(diff want.txt got.txt | tr '\n' ';') $(cat err.txt)"

t of_a_command_with_what_took_long
sonde prof ldlat-loads --than 40 --ldlat 30 -- dd if=/dev/zero of=/dev/null bs=1M count=300 > got.txt 2> err.txt
[ "$(grep -c ' dd .*: mem-loads: pid [0-9]* data [0-9a-f]* phys 0000000080001000 latency 300 cycles, ' got.txt)" -ge 200 ] || fail "$(head -n 3 got.txt; cat err.txt)"
awk '$1 == $2 && $4 == 300 { long = $1 } $2 == 0 && $4 == 40 { short = $1 } END { exit !(long && short) }' got.txt && ok || fail "$(tail -n 4 got.txt)"

t in_intervals
sonde prof ldlat-loads -C 0 -i 500 -- sleep 2 > got.txt 2> err.txt
[ "$(awk '$3 == "300" && /%/ { n += $1 } END { print n }' got.txt)" = 250 ] || fail "$(cat got.txt err.txt)"
[ "$(grep -c '^samples' got.txt)" -le 2 ] && ok || fail "$(cat got.txt)"

t what_was_cut_live_is_told
echo 200000 > /sys/module/fakespe/parameters/records
sonde prof ldlat-loads -C 0 -- sleep 2 > got.txt 2> err.txt
grep -q 'buffer was full' err.txt || [ "$(awk '$3 == "300" && /%/ { print $1 }' got.txt)" -gt 5000 ] && ok || fail "$(cat got.txt err.txt)"
echo 1000 > /sys/module/fakespe/parameters/records

# Kernels may write no thread's number into it: then switches tell, in a recording.
t without_numbers_of_threads_switches_tell
echo 0 > /sys/module/fakespe/parameters/contexts
sonde record -o bare.data -a -e $LOADS -- dd if=/dev/zero of=/dev/null bs=1M count=300 2> err.txt
perf script -i bare.data --itrace=M --ns -F comm,tid,time 2> /dev/null | sed 's/  */ /g; s/^ //; s/ $//' | sort > want.txt
sonde script -i bare.data --itrace=M --ns -F comm,tid,time 2> err.txt | sed 's/  */ /g; s/^ //; s/ $//' | sort > got.txt
[ "$(wc -l < got.txt)" = "$(wc -l < want.txt)" ] || fail "$(wc -l < got.txt) samples, perf has $(wc -l < want.txt)"
[ "$(diff want.txt got.txt | grep -c '^>')" -le $(($(wc -l < want.txt) / 20)) ] || fail "$(diff want.txt got.txt | head -n 10 | tr '\n' ';')"
sonde prof ldlat-loads -q -x, -C 0 -- sleep 1 > got.txt 2> err.txt
[ "$(awk -F, 'NR > 1 { n += $1 } END { print n }' got.txt)" = 750 ] || fail "$(cat got.txt)"
sonde prof ldlat-loads -C 0 -- sleep 1 > got.txt 2> err.txt
has err.txt '[0-9]+ SPE records do not tell whose they are'
sonde prof ldlat-loads -v -- dd if=/dev/zero of=/dev/null bs=1M count=300 > got.txt 2> err.txt
grep -q ' dd .*: mem-loads: ' got.txt && ok || fail "$(head -n 3 got.txt; cat err.txt)"
echo 1 > /sys/module/fakespe/parameters/contexts

t its_index_is_there
sonde report -i ours.data --header-only 2> /dev/null | grep -q 'missing features:.* AUXTRACE' && fail "$(sonde report -i ours.data --header-only)"
perf report -i ours.data --header-only 2> /dev/null | grep -q 'contains AUX area data' && ok || fail "$(perf report -i ours.data --header-only 2>&1 | tail -n 20)"

# 16 KiB each: 64 KiB come, so it goes round, and stops where it is full.
t small_areas_go_round
sonde record -o small.data -a -m ,16K -e $LOADS sleep 1 2> err.txt || fail "$(cat err.txt)"
sonde script -i small.data --itrace=M -F ip 2> /dev/null | wc -l | grep -qx 1000 || fail "$(sonde script -i small.data --itrace=M -F ip | wc -l) samples"
[ "$(perf script -i small.data --itrace=M -F ip 2> /dev/null | wc -l)" = 1000 ] && ok || fail "perf: $(perf script -i small.data --itrace=M -F ip 2>&1 | wc -l)"

t what_is_cut_is_told
echo 20000 > /sys/module/fakespe/parameters/records
sonde record -o cut.data -C 0 -m ,8K -e $ALL sleep 1 2> err.txt || fail "$(cat err.txt)"
has err.txt '[0-9]+ stretches of the trace are cut: the AUX area was full'
sonde script -i cut.data --itrace=M -F ip > /dev/null 2> err.txt
has err.txt '[0-9]+ stretches of SPE records are cut: their buffer was full while recording'

t a_command_is_traced_and_its_names_known
echo 20000 > /sys/module/fakespe/parameters/records
sonde record -o cmd.data -e $ALL -- dd if=/dev/zero of=/dev/null bs=1M count=300 2> err.txt
sonde script -i cmd.data --itrace=M -F comm,ip,sym > got.txt 2> err.txt
[ "$(awk '$1 == "dd" && $NF == "__arch_clear_user"' got.txt | wc -l)" -gt 400 ] || fail "$(sort got.txt | uniq -c | sort -rn | head -n 5)"
perf script -i cmd.data --itrace=M -F ip 2> /dev/null | wc -l > want.txt
[ "$(wc -l < got.txt)" = "$(cat want.txt)" ] && ok || fail "$(wc -l < got.txt) samples, perf has $(cat want.txt)"
echo 1000 > /sys/module/fakespe/parameters/records

t compressed_recordings_have_it_too
sonde record -z -o z.data -a -e $LOADS sleep 1 2> err.txt || fail "$(cat err.txt)"
[ "$(sonde script -i z.data --itrace=M -F ip 2> /dev/null | wc -l)" = 1000 ] || fail "$(sonde script -i z.data --itrace=M -F ip 2>&1 | wc -l)"
[ "$(perf script -i z.data --itrace=M -F ip 2> /dev/null | wc -l)" = 1000 ] && ok || fail "perf: $(perf script -i z.data --itrace=M -F ip 2>&1 | wc -l)"

t other_events_are_recorded_beside_it
sonde record -o both.data -a -F 100 -e cpu-clock -e $LOADS sleep 1 2> err.txt && fail 'a frequency was taken'
has err.txt 'it cannot take so many samples a second'
sonde record -o both.data -a -c 1000000 -e cpu-clock -e $LOADS sleep 1 2> err.txt || fail "$(cat err.txt)"
sonde script -i both.data --itrace=M -F event 2> /dev/null | sort | uniq -c > got.txt
has got.txt '1000 *memory:'
has got.txt '[0-9]+ *cpu-clock:'
ok

t what_cannot_be_is_refused
refused() {
	why=$1
	shift
	sonde record "$@" -e $ALL true > out.txt 2> err.txt && fail "$*: it did not fail"
	has err.txt "$why"
}
refused 'its trace goes into a file.*no pipe' -o -
refused 'it goes without --switch-output' --switch-output=1M
refused 'it goes without --overwrite' --overwrite
refused 'it goes without -k' -k mono
refused 'one recording has one event with a trace of its own' -e $LOADS
ok
