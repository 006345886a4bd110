#!/bin/sh
# as: root
# time: 300
# kernels: 6.12
# also: 5.10
# sonde why: time of tasks whose causes are known. What perf says of a recording is what it says.
. "$T_HERE/lib.sh"

need sonde workload perf python3 taskset awk

cat > look.py << 'END'
import json, sys
v = json.load(open(sys.argv[1]))
part = {p["part"]: p for p in v["parts"]}
def ms(name):
    return part[name]["ms"]
def row(name, what="", by=""):
    return sum(r["ms"] for r in part[name]["rows"] if what in r.get("what", "") and by in r.get("by", ""))
def hot(name):
    return sum(f["samples"] for f in part["running"]["functions"] if f["name"] == name)
assert abs(sum(p["ms"] for p in v["parts"]) - v["wall_ms"]) < 0.001, "the causes do not add up"
try:
    ok = eval(sys.argv[2])
except Exception:
    ok = False
print("ok" if ok else "%s: %s" % (sys.argv[2], [(k, p["ms"], p["rows"][:3], p.get("functions", [])[:3]) for k, p in part.items() if p["ms"]] + [v.get("throttled")]))
END

# is EXPRESSION: of the page in out.
is() {
	eq "$(python3 look.py out "$1" 2>&1)" ok
}

t sleeps_and_who_ends_them
sonde why -q -j -- workload waits > out 2> err || fail "$(cat err)"
is '490 < row("sleeping", "nanosleep (do_nanosleep)", "(hrtimer_wakeup)") < v["wall_ms"] - 190'
is 'row("sleeping", "read (pipe_read)", "(pipe_write)") > 195'
is 'v["threads"] == 2 and ms("sleeping") > 0.7 * v["wall_ms"]'

t behind_whom
taskset 2 sh -c 'printf hog > /proc/self/comm; while :; do :; done' &
hog=$!
sonde why -q -j -- taskset 2 workload shape 600 > out 2> err || fail "$(cat err)"
# Both CPUs are one thread of the emulator: what looks at the page has it for itself.
kill -STOP $hog
is 'row("runnable", "hog[") > 0.8 * (ms("runnable") + ms("runnable_idle"))'
is '0.5 < row("runnable", "hog[") / ms("running") < 2'
# Where the machine is slow the kernel holds back most samples.
is 'part["running"]["samples"] < 100 or hot("hot_a") > hot("hot_c") and hot("hot_a") > 0.15 * part["running"]["samples"]'
kill -CONT $hog
sonde why -q -d 1 -m 64 --freq 99 -j hog > out 2> err || fail "$(cat err)"
is 'ms("running") + ms("interrupted") > 0.8 * v["wall_ms"] and abs(v["window_ms"] - 1000) < 500'
kill -KILL $hog
wait

t throttled_by_its_group
if echo +cpu > /sys/fs/cgroup/cgroup.subtree_control 2> /dev/null && mkdir /sys/fs/cgroup/why; then
	echo '20000 100000' > /sys/fs/cgroup/why/cpu.max
	# Its CPU is idle while it may not run: what watches it has the other one.
	taskset 1 sonde why -q -j -- taskset 2 sh -c 'echo $$ > /sys/fs/cgroup/why/cgroup.procs; exec workload shape 300' > out 2> err ||
		fail "$(cat err)"
	is 'ms("runnable_idle") > 0.3 * v["wall_ms"]'
	taskset 2 sh -c 'echo $$ > /sys/fs/cgroup/why/cgroup.procs; while :; do :; done' &
	hog=$!
	sleep 0.3
	taskset 1 sonde why -d 2 -q -j $hog > out 2> err || fail "$(cat err)"
	is 'v["throttled"]["group"] == "/why" and v["throttled"]["throttled"] >= 10'
	# The kernel counts a while when it is over: that of another window, too.
	is '0.4 < ms("runnable_idle") / v["throttled"]["ms"] < 1.4'
	sonde why -d 0.8 -q $hog > out 2> err
	has out 'control group /why was throttled'
	kill $hog
	wait
	rmdir /sys/fs/cgroup/why
else
	skip-kernel "no control group of CPUs"
fi

t faults_are_counted
sonde why -q -j -- workload faults 3000 > out 2> err || fail "$(cat err)"
is '3000 <= v["minor_faults"] < 6000 and v["major_faults"] < 500'

t a_recording_says_what_perf_says_of_it
events='sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new,sched:sched_migrate_task,irq:irq_handler_entry,irq:irq_handler_exit'
sonde record -q -a -g -m 1024 -e "$events,irq:softirq_entry,irq:softirq_exit" -e cpu-clock -F 499 -o r.data -- workload waits 2> err || fail "$(cat err)"
perf sched timehist -s -i r.data > listed 2> err
pid=$(perf script -i r.data -F comm,tid 2> /dev/null | awk '$1 == "workload" { print $2; exit }')
ran=$(awk -v id="[$pid" '{ at = index($1, id) } at && substr($1, at + length(id), 1) ~ /[]\/]/ { print $4; exit }' listed)
[ -n "$ran" ] || fail "$pid: $(cat err) $(head -c 1500 listed)"
sonde why -q -j -i r.data -t "$pid" > out 2> err || fail "$(cat err)"
is 'row("sleeping", "nanosleep") > 295 and v["threads"] == 1'
# perf has no time for the stay that the recording begins with.
is "0.95 * $ran <= ms('running') + ms('interrupted') < $ran + 60"
cp out first
sonde why -q -j -i r.data "$pid" > out 2> err
is "v['threads'] == 1 and ms('sleeping') == $(python3 -c 'import json; print([p["ms"] for p in json.load(open("first"))["parts"] if p["part"] == "sleeping"][0])')"
sonde why -q -j -i r.data workload > out 2> err
is 'v["threads"] >= 2 and row("sleeping", "pipe_read", "workload[") > 195'
sonde why -i r.data nothing > out 2> err && fail "a task that is not there" || has err 'nothing of it is in the recording'

t without_rights
if [ -x /usr/bin/setpriv ]; then
	old=$(cat /proc/sys/kernel/perf_event_paranoid)
	echo 2 > /proc/sys/kernel/perf_event_paranoid
	chmod 777 .
	/usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all env -u TMPDIR sonde why -q -j -- workload waits > out 2> err || fail "$(cat err)"
	echo "$old" > /proc/sys/kernel/perf_event_paranoid
	is 'v["polled"] and row("sleeping", "nanosleep") > 200 and row("sleeping", "pipe_read") > 100'
else
	skip-kernel "no setpriv"
fi
