"""parallelism.py: of what `sonde script --show-switch-events -F comm,tid,cpu,time,event,period` prints: how many CPUs are busy with a task at each
sample; for each number its percents of the latencies and of the periods."""
import collections
import re
import sys

on, sums = {}, collections.Counter()
for line in sys.stdin:
    m = re.match(r"\s*.*?\s(\d+)\s+\[(\d+)\]\s+[\d.]+:\s+(.*)", line)
    if not m:
        continue
    tid, cpu, rest = int(m[1]), m[2], m[3]
    if " OUT" in rest:
        if on.get(cpu) == tid:
            on[cpu] = 0
    else:
        on[cpu] = tid
    if "PERF_RECORD_SWITCH" not in rest:
        sums[max(1, sum(1 for v in on.values() if v))] += int(rest.split()[0])
total = sum(sums.values())
latency = sum(v / k for k, v in sums.items())
for k in sorted(sums, key=lambda k: -sums[k] / k):
    print(f"{100 * sums[k] / k / latency:.2f}% {100 * sums[k] / total:.2f}% {k}")
