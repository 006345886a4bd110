#!/bin/sh
# as: root
# time: 200
# sonde timechart: the boxes of its pictures beside those of perf timechart, of the same recordings.
. "$T_HERE/lib.sh"

need sonde perf workload python3

data=$T_HERE/../data

# The times of the first and the last event, in ns.
ends_of() {
	perf script -i "$1" --ns -F time 2> /dev/null | tr -d ' :.' | sort -n | sed -n '1p;$p' | tr '\n' ' '
}

# beside FILE: both draw it, all rows.
beside() {
	perf script -i "$1" --ns --show-task-events -F comm,tid,time,event,trace 2> /dev/null > events
	perf timechart -n 1000 -i "$1" -o peer.svg > /dev/null 2> err
	sonde timechart -n 1000 -i "$1" -o own.svg 2> err || fail "$(cat err)"
	# Behind a loss nothing is known of what was told before it; perf draws on.
	if grep -q 'is drawn as one' own.svg || grep -q 'lost' err; then
		skip 'this machine does too much at a time for exact times of all'
		return
	fi
	python3 "$SCRIPTS/timechart.py" compare own.svg peer.svg $(ends_of "$1") events > differs && ok ||
		fail "$(tail -n 6 differs | tr '\n' ';')"
}

# as_many_as N: where they were compared.
as_many_as() {
	if grep -q 'is drawn as one' own.svg || grep -q 'lost' err; then
		return
	fi
	[ "$(same)" -ge "$1" ] && ok || fail "$(same) boxes"
}

same() {
	sed -n 's/.*same=\([0-9]*\).*/\1/p' differs
}

t switches_are_seen_here
if ! sonde timechart record -q -o own.data -- sh -c 'for i in 1 2 3 4 5; do sleep 0.02; ls /bin > /dev/null; done; workload waits' 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
ok

t boxes_are_perfs
beside own.data
as_many_as 60
mkdir peer
(cd peer && perf timechart record sh -c 'for i in 1 2 3; do sleep 0.02; ls /bin > /dev/null; done; workload waits' > /dev/null 2>&1)
beside peer/perf.data
as_many_as 40

# A program that calls itself otherwise again and again, and one that becomes others, have a part for each name.
t each_name_has_its_part
sonde timechart record -q -T -o names.data -- sh -c 'python3 -c "
import time
for turn in range(30):
    for name in b\"one\", b\"two\", b\"three\", b\"four\":
        open(\"/proc/self/comm\", \"wb\").write(name)
        end = time.perf_counter() + 0.0003
        while time.perf_counter() < end:
            pass
    time.sleep(0.001)
"; exec nice env nice env true' 2> err
sonde timechart -n 1000 -i names.data -o own.svg 2> err
if grep -q 'is drawn as one' own.svg || grep -q 'lost' err; then
	skip 'this machine does too much at a time for exact times of all'
else
	perf script -i names.data --ns --show-task-events -F comm,tid,time,event,trace 2> /dev/null > events
	python3 "$SCRIPTS/timechart.py" names own.svg $(ends_of names.data) events > differs && ok || fail "$(tail -n 6 differs | tr '\n' ';')"
	[ "$(sed -n 's/.*between=//p' differs)" -gt 10 ] && ok || fail "$(tail -n 1 differs)"
fi

t records_what_perf_records
perf evlist -i peer/perf.data 2> /dev/null | grep '^[^#].*:' | grep -v dummy | sort > want
perf evlist -i own.data 2> /dev/null | grep '^[^#].*:' | grep -v -e dummy -e sched_wakeup_new | sort > got
[ -s want ] && cmp -s got want && ok || fail "$(differing want got | tr '\n' ';')"
for only in -P:power: -T:sched: -I:syscalls:; do
	sonde timechart record -q "${only%%:*}" -o only.data true 2> err || fail "$only: $(cat err)"
	perf evlist -i only.data 2> /dev/null | grep '^[^#].*:' | grep -v dummy > got
	[ -s got ] && ! grep -v "^${only#*:}" got && ok || fail "$only: $(head -n 3 got)"
done
sonde timechart record -P -I true 2> err && fail 'two kinds' || has err 'take one'

t calls_are_perfs
(cd peer && perf timechart record -I sh -c 'sleep 0.05; head -c 300000 /dev/zero | gzip -9 > /dev/null; cat /none' > /dev/null 2>&1)
beside peer/perf.data
as_many_as 10
sonde timechart record -q -I -o io.data -- sh -c 'sleep 0.05; head -c 300000 /dev/zero | gzip -9 > /dev/null' 2> err
beside io.data
as_many_as 5
cp own.svg usual.svg
sonde timechart -n 1000 --io-skip-eagain -i peer/perf.data -o part.svg 2> err
[ "$(grep -c 'EAGAIN' part.svg)" = 0 ] && [ -s part.svg ] && ok || fail 'EAGAIN'
sonde timechart -n 1000 --io-min-time 1ns --io-merge-dist 0 -i io.data -o fine.svg 2> err
[ "$(grep -c 'class="disk"' fine.svg)" -ge "$(grep -c 'class="disk"' usual.svg)" ] && ok || fail "fewer boxes"
python3 "$SCRIPTS/timechart.py" boxes fine.svg $(ends_of io.data) > got
awk -F '\t' '$4 - $3 < 900000 { n++ } END { exit !n }' got && ok || fail 'none is short'

# This machine may have one frequency: states of idle CPUs under the other event's name. perf has one line more for each CPU,
# and one behind the last.
t frequencies_are_lines
sonde timechart record -q -P -o idle.data -- sleep 0.5 2> err
python3 - idle.data freq.data << 'END'
import re, sys
data = open(sys.argv[1], "rb").read()
number = {n: re.search(b"name: " + n + rb"\nID: (\d+)\n", data) for n in (b"cpu_idle", b"cpu_frequency")}
a, b = number[b"cpu_idle"], number[b"cpu_frequency"]
assert len(a[1]) == len(b[1])
data = bytearray(data)
data[a.start(1):a.end(1)], data[b.start(1):b.end(1)] = b[1], a[1]
short, long = b"power:cpu_idle\0\0\0\0\0", b"power:cpu_frequency"
data = bytes(data).replace(long, b"x" * 19).replace(short, long).replace(b"x" * 19, short)
open(sys.argv[2], "wb").write(data)
END
if [ "$(perf script -i freq.data 2> /dev/null | grep -c 'cpu_frequency: *state=[0-9] ')" = 0 ]; then
	skip 'no CPU was idle'
else
	perf timechart -i freq.data -o peer.svg > /dev/null 2> err
	sonde timechart -i freq.data -o own.svg 2> err || fail "$(cat err)"
	theirs=$(grep -c 'class="pstate"' peer.svg) ours=$(grep -c 'class="pstate"' own.svg)
	[ "$ours" -gt 0 ] && [ "$ours" = $((theirs - $(grep -c 'class="cpu"' peer.svg) - 1)) ] && ok || fail "$ours lines, perf $theirs"
	has own.svg 'class="pstate".*<title>[0-9]+ MHz</title>'
fi

t live_without_a_recording
sonde timechart -q -p workload -o live.svg -- workload waits 2> err
eq $? 0
has live.svg 'workload:[0-9]+ running'
grep -q '^<text class="r".*workload:[0-9]* (' live.svg && ok || fail 'no row'
sonde timechart -q -I -o live.svg -- cat /bin/sh 2> err > /dev/null
has live.svg 'write fd=1: '
[ ! -e perf.data ] && ok || fail 'a file'

t parts_of_it
sonde timechart -P -i own.data -o part.svg 2> err
[ "$(grep -c 'class="process"' part.svg)" = 1 ] && ok || fail 'rows of tasks'
sonde timechart -T -i own.data -o part.svg 2> err
eq "$(sed 1,30d part.svg | grep -c 'class="c[0-9]"')" 0
sonde timechart -p workload -i own.data -o part.svg 2> err
grep '^<text class="r"' part.svg | grep -v CPU > rows
[ -s rows ] && ! grep -v workload rows && ok || fail "$(cat rows)"
tid=$(sed -n 's/.*workload:\([0-9]*\) .*/\1/p' rows | head -n 1)
sonde timechart -p "$tid" -i own.data -o part.svg 2> err
grep '^<text class="r"' part.svg | grep -v CPU > rows
[ -s rows ] && ! grep -v ":$tid " rows && ok || fail "$(cat rows)"
sonde timechart --highlight workload -i own.data -o part.svg 2> err
has part.svg 'sample_hi".*workload:'
sonde timechart --highlight 50ms -w 3000 -t -f -i own.data -o part.svg 2> err
has part.svg '^<svg .* width="3250"'
sonde timechart -n 0 -i own.data -o part.svg 2> err
eq "$(grep -c 'wakes up' part.svg)" 0

t chains_say_where_a_task_left
sonde timechart record -q -g -o chains.data -- sleep 0.1 2> err
sonde timechart -i chains.data --symfs / --kallsyms none --vmlinux none -o chains.svg 2> err
has err 'none'
sonde timechart -i chains.data --symfs / -o chains.svg 2> err
has chains.svg 'left the CPU in .*schedule'
sonde timechart -q -g -o chains.svg -- sleep 0.1 2> err
has chains.svg 'left the CPU in .*schedule'

t what_is_refused
sonde timechart -P -T -i own.data 2> err && fail 'nothing' || has err 'leave nothing'
sonde timechart -I -P -- true 2> err && fail 'calls of CPUs' || has err 'neither -P'
sonde timechart -w 5 -i own.data 2> err && fail 'narrow' || has err 'width: 100'
sonde timechart -n 20000 -i own.data 2> err && fail 'rows' || has err 'at most'
sonde timechart --io-min-time x -i own.data 2> err && fail 'a time' || has err 'no time'
echo kept > kept.svg
sonde timechart -i "$data/perf/clock.data" -o kept.svg 2> err && fail 'of samples' || has err 'no events'
eq "$(cat kept.svg)" kept
sonde timechart -i none.data -o kept.svg 2> err && fail 'of nothing' || has err 'none.data'
eq "$(cat kept.svg)" kept

t names_are_never_markup
python3 - "$data/dat/v6.dat" hostile.data << 'END'
import sys
data = open(sys.argv[1], "rb").read()
data = data.replace(b"trace-cmd\0", b"</svg>&<\"\0").replace(b"rcu_sched\0", b"\"'<b>\x1b\x01\xff\xe2\x80"[:9] + b"\0")
open(sys.argv[2], "wb").write(data)
END
sonde timechart -i hostile.data -n 100 -o hostile.svg 2> err || fail "$(cat err)"
python3 -c 'import sys, xml.etree.ElementTree as t; assert "</svg>" in "".join(t.parse("hostile.svg").getroot().itertext())' 2> err &&
	ok || fail "$(tail -n 1 err)"

# Tens of thousands of switches in a second: the picture stays one that can be shown, and needs less than perf's.
t many_are_drawn_as_one
peak() { python3 - "$@" <<- 'END'
	import resource, subprocess, sys
	subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
	print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
	END
}
sonde timechart record -q -T -o many.data -- perf bench sched messaging -g 10 -l 400 > /dev/null 2>&1
theirs=$(peak perf timechart -i many.data -o peer.svg) ours=$(peak sonde timechart -i many.data -o many.svg)
[ "$ours" -lt "$theirs" ] && ok || fail "$ours KB, perf $theirs KB"
[ "$(wc -c < many.svg)" -lt "$(wc -c < peer.svg)" ] && ok || fail "$(wc -c many.svg peer.svg)"
