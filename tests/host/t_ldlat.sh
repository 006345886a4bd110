#!/bin/sh
# time: 60
# Latencies of loads in recordings: of SPE's records and of x86's samples, that were made with known ones, and beside perf's samples.
. "$T_HERE/lib.sh"

need sonde perf python3

# Of lines that begin with what is summed up, and end with cycles: how many loads, their cycles, the least and the most.
sums() {
	awk '/OP LOAD/ { k = $1; w = $NF; n[k]++; t[k] += w; if (!(k in lo) || w < lo[k]) lo[k] = w; if (w > hi[k]) hi[k] = w }
		END { for (k in n) print k, n[k], t[k], lo[k], hi[k] }' | sort
}

# Rows of JSON as such lines, those of the same key together.
ours() {
	python3 -c '
import json, sys
sums = {}
for r in json.load(sys.stdin): sums.setdefault(str(r[sys.argv[1]]).removeprefix("0x"), []).append(r)
for k, v in sums.items():
    print(k, sum(r["samples"] for r in v), sum(r["total"] for r in v), min(r["min"] for r in v), max(r["max"] for r in v))' "$1" | sort
}

t known_loads_are_known_rows
python3 "$T_HERE/../host/spe.py" known.data -n 60 -c 2 --loads l1:4,l2:12,l1:6,ram:300,store:9,l3:40
sonde prof ldlat-loads -i known.data -q > got 2> err
cat > want << 'E'
samples  total  min    avg  max  p50  p95  p99  cycles  data source
     20   6000  300  300.0  300  300  300  300  82.87%  RAM hit, snoop None, TLB Walker hit
     20    800   40   40.0   40   40   40   40  11.05%  L3 hit, snoop Hit, TLB Walker hit
     20    240   12   12.0   12   12   12   12   3.31%  L2 hit, snoop None, TLB Walker hit
     40    200    4    5.0    6    4    6    6   2.76%  L1 hit, snoop None, TLB Walker hit
20 samples are no loads
E
cmp -s want got && ok || fail "$(differing want got | head -n 4 | tr '\n' ';') $(cat err)"

t than_is_strictly_more
sonde prof ldlat-loads -i known.data --than 40 > got 2> err
[ "$(grep -c 'latency 300 cycles, RAM hit RIP' got)" = 20 ] || fail "$(grep -c 'latency 300' got) lines"
[ "$(grep -c 'latency' got)" = 20 ] || fail "$(grep -c latency got) lines"
sonde prof ldlat-loads -i known.data --than 40 -x, | cut -d, -f1,2 > got
printf 'samples,than\n20,20\n20,0\n20,0\n40,0\n' | cmp -s - got && ok || fail "$(cat got)"

t shorter_ones_are_left_out
sonde prof ldlat-loads -i known.data --ldlat 12 -x, 2> err | cut -d, -f1,2,3 > got
printf 'samples,total,min\n20,6000,300\n20,800,40\n20,240,12\n' | cmp -s - got && ok || fail "$(cat got)"

t rows_by_place_add_up
sonde prof ldlat-loads -i known.data --perins -x, 2> err > cpus
sonde prof ldlat-loads -i known.data --perins -p 1000 -x, 2> err > one
[ "$(awk -F, 'NR > 1 { n += $2 } END { print n }' cpus)" = 100 ] || fail "$(cat cpus)"
[ "$(awk -F, 'NR > 1 { n += $3; ok += $1 == 1000 && $2 == "worker0" } END { print n, ok }' one)" = "50 4" ] && ok || fail "$(cat one)"

# By CPU: perf 6.1 has other data sources for what is remote.
t sums_are_those_of_perfs_samples
python3 "$T_HERE/../host/spe.py" random.data -n 700 -c 3
perf script --itrace=M -i random.data -F cpu,data_src,weight 2> /dev/null | sed 's/^ *.0*\([0-9][0-9]*\)./\1/' | sums > want
sonde prof ldlat-loads -i random.data --perins -q -j 2> err | ours cpu > got
[ "$(wc -l < want)" = 3 ] && cmp -s want got && ok || fail "$(differing want got | head -n 4 | tr '\n' ';')"

# L1 hit; L3 hit with a snoop that found it changed; RAM; a store.
t samples_of_x86_are_read_alike
set -- 5:68100142 7:68100142 80:68800842 300:68101042 9:5080024 400:68101042
for form in '' --parts; do
	python3 "$T_HERE/../host/memloads.py" x86.data $form "$@"
	perf script -i x86.data -F data_src,weight 2> /dev/null | sums > want
	[ "$(wc -l < want)" = 3 ] || fail "perf has $(cat want)"
	sonde prof ldlat-loads -i x86.data -q -j 2> err | ours data_src > got
	cmp -s want got || fail "$form: $(differing want got | head -n 4 | tr '\n' ';')"
	sonde prof ldlat-loads -i x86.data -v 2> err | grep latency > got
	[ "$(wc -l < got)" = 5 ] || fail "$(cat got)"
	has got 'loader    700 .000. 0.000002: cpu/mem-loads,ldlat=3/P: pid 700 data 00000000007f0000 phys 0000000000008000 latency 5 cycles, L1 hit RIP 0000000000401000'
	has got 'latency 80 cycles, L3 hit RIP'
done
ok

# A machine whose cpu/mem-loads is the dummy: what is asked of the kernel.
t live_the_threshold_and_the_period_are_the_processors
pmu=root/sys/bus/event_source/devices/cpu
mkdir -p $pmu/format $pmu/events root/attrs root/sys/devices/system/cpu
cp /sys/devices/system/cpu/online root/sys/devices/system/cpu/
echo 1 > $pmu/type
echo config:0-7 > $pmu/format/event
echo config1:0-15 > $pmu/format/ldlat
echo event=0x09,ldlat=1 > $pmu/events/mem-loads
echo event=0x3c > $pmu/events/cpu-cycles
PERF_TEST_ATTR=/attrs sonde --sysroot root prof ldlat-loads --ldlat 30 -T 500 -- true > got 2> err || fail "$(cat err)"
cat root/attrs/event-1-9-* 2> /dev/null | awk -F= '{ v[$1] = $2 } $1 == "sample_stack_user" && v["sample_period"] == 500 { print v["config1"], v["precise_ip"], v["freq"] }' | sort -u > got
eq "$(cat got)" '30 3 0'
rm -r root/attrs && mkdir root/attrs
PERF_TEST_ATTR=/attrs sonde --sysroot root prof ldlat-loads -- true > got 2> err || fail "$(cat err)"
cat root/attrs/event-1-9-* 2> /dev/null | awk -F= '{ v[$1] = $2 } $1 == "sample_stack_user" && v["sample_period"] == 1000 { print v["config1"] }' | sort -u > got
eq "$(cat got)" 3

t live_what_needs_a_group_is_refused
touch $pmu/events/mem-loads-aux
sonde --sysroot root prof ldlat-loads -- true > got 2> err && fail 'it did not fail'
has err 'neither SPE .arm_spe_0. nor cpu/mem-loads without an event beside it' && ok
