#!/bin/sh
# guest_hit.sh - in a guest: what a hit of a probe costs the task that runs into it, by sonde, perf and bpftrace. Ratios
# sonde/peer of the load's own CPU time, less what it takes without a probe.
. "$(dirname "$0")/guest_lib.sh"
CALLS=${CALLS:-100000}
RUNS=${RUNS:-3}
K=__arm64_sys_getppid
U=$(command -v workload)

# Its own times in ms, whoever runs it.
cat > load << END
TIMEFORMAT='%3U %3S'
{ time $U syscalls $CALLS; } 2> $PWD/load.times
END
load="/usr/bin/bash $PWD/load"

# hit NAME COMMAND...: a run of the load under that command.
hit() {
	name=$1
	shift
	rm -f load.times
	"$@" > "$name.out" 2>&1 || { echo "failed: $*"; tail -n 3 "$name.out"; } >&2
	tail -n 1 load.times | awk '{ print $1 + $2 }' >> "times.$name"
}

bpf() {
	LD_LIBRARY_PATH=/host/bpftrace/usr/lib/aarch64-linux-gnu:/host/bpftrace/lib/aarch64-linux-gnu \
		/host/bpftrace/usr/bin/bpftrace -c "$load" -e "$1 { @ = count(); }"
}

# compare NAME OURS THEIRS
compare() {
	[ -s "times.$3" ] || return 0
	awk -v p="$(median < times.plain)" -v a="$(median < "times.$2")" -v b="$(median < "times.$3")" -v n="$CALLS" -v w="$1" 'BEGIN {
		printf "%-36s %10.4g %10.4g %-8s %8.4f\n", w, (a - p) / n * 1e6, (b - p) / n * 1e6, "us", (a - p) / (b - p) }'
}

sonde probe -q -x "$U" hit:user=syscall
for i in $(seq "$RUNS"); do
	hit plain $load
	# Two probes at one address, even if one of them is off, go through a list on each hit.
	hit kernel.count.sonde sonde stat -e "kprobe:$K" $load
	hit kernel.record.sonde sonde record -q -m 16M -o r.sonde -e "kprobe:$K" $load
	perf probe -q $K
	hit kernel.count.perf perf stat -e probe:$K $load
	hit kernel.record.perf perf record -q -m 16M -o r.perf -e probe:$K $load
	perf probe -q -d $K
	hit user.count.sonde sonde stat -e "uprobe:syscall@\"$U\"" $load
	hit user.count.perf perf stat -e hit:user $load
	hit user.record.sonde sonde record -q -m 16M -o u.sonde -e "uprobe:syscall@\"$U\"" $load
	hit user.record.perf perf record -q -m 16M -o u.perf -e hit:user $load
	[ ! -d /host/bpftrace ] || hit kernel.count.bpftrace bpf "kprobe:$K"
done
echo "                                          sonde       peer unit        ratio"
for where in kernel user; do
	compare "$where: count, perf stat" $where.count.sonde $where.count.perf
	[ $where = user ] || compare "$where: count, bpftrace" $where.count.sonde $where.count.bpftrace
	compare "$where: record, perf record" $where.record.sonde $where.record.perf
done
echo "  recorded of $CALLS: kernel $(sonde script -i r.sonde | wc -l) and $(perf script -i r.perf 2> /dev/null | wc -l)," \
	"user $(sonde script -i u.sonde | wc -l) and $(perf script -i u.perf 2> /dev/null | wc -l)"
for f in *.count.*.out; do
	echo "  $f: $(grep -o '[0-9][0-9,]* .*\(getppid\|syscall\|hit:user\).*\|@: [0-9]*' "$f" | head -n 1)"
done
sonde probe -q -d hit:user
