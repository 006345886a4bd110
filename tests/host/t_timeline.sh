#!/bin/sh
# sonde timeline: what a page holds, read by timeline.py, against what other commands say of the same recording.
. "$T_HERE/lib.sh"

need sonde python3

data=$T_HERE/../data

page() {
	python3 "$SCRIPTS/timeline.py" "$@"
}

# Lines of timehist as timeline.py's of runs: the end, CPU, thread, run time and delay, which are cut to microseconds.
stays() {
	sonde sched timehist -i "$1" 2> /dev/null | grep -v '<idle>' |
		sed -n 's/^ *\([0-9.]*\) \[0*\([0-9][0-9]*\)\] .*\[\([0-9]*\)[]/][^ ]* *\([0-9.]*\) *\([0-9.]*\) *\([0-9.]*\).*$/\1 \2 \3 \6 \5/p' |
		awk '$4 > 0' | sort
}

runs() {
	page "$1" runs | awk -F '\t' 'function ms(ns) { return sprintf("%d.%03d", ns / 1000000, ns % 1000000 / 1000) }
		$6 != "still" && $4 >= 1000 { print substr($1, 1, length($1) - 3), $2, $3, ms($4), ms($5) }' | sort
}

t stays_and_delays_are_those_of_timehist
sonde timeline -i "$data/sched/guest.data" -o page.html 2> err
eq $? 0
stays "$data/sched/guest.data" > want.txt
runs page.html > got.txt
cmp -s want.txt got.txt && [ "$(wc -l < got.txt)" -gt 30 ] && ok || fail "$(diff want.txt got.txt | head -n 5)"

t marks_have_the_texts_of_script
sonde timeline -i "$data/dat/profile.dat" -o page.html 2> err
sonde script -i "$data/dat/profile.dat" --ns -F tid,cpu,time,event,trace 2> /dev/null |
	sed -n 's/^ *\([0-9]*\) \[0*\([0-9][0-9]*\)\] *\([0-9.]*\): *\(raw_syscalls:[a-z_]*\): *\(.*\)$/\3\t\2\t\1\t\4\t\5/p' | sort > want.txt
page page.html marks | grep raw_syscalls | sort > got.txt
cmp -s want.txt got.txt && [ -s got.txt ] && ok || fail "$(diff want.txt got.txt | head -n 5)"

t calls_last_as_long_as_their_returns_say
page page.html calls > calls
sonde script -i "$data/dat/profile.dat" 2> /dev/null | sed -n 's/.*<-- \([^ ]*\) (\([0-9]*\)) (start: \([0-9a-f]*\)  end: \([0-9a-f]*\)).*/\1 \2 \3 \4/p' |
	python3 -c 'import sys
for line in sys.stdin:
    name, depth, start, end = line.split()
    start, end = int(start, 16), int(end, 16)
    print("%d.%09d\t%d\t%s\t%s" % (*divmod(start, 10**9), end - start, name, depth))' | sort > want.txt
sort calls > got.txt
cmp -s want.txt got.txt && [ "$(wc -l < got.txt)" -gt 300 ] && ok || fail "$(diff want.txt got.txt | head -n 5)"

# Beginnings and ends of one CPU, which do not nest within their kind. What has no end lasts as long as the recording.
t interrupts_last_from_entry_to_exit
sonde timeline -i "$data/dat/events.dat" -o page.html 2> err
sonde script -i "$data/dat/events.dat" --ns -F cpu,time,event,trace 2> /dev/null | python3 -c 'import re, sys
at = {}
for line in sys.stdin:
    m = re.match(r" *\[0*(\d+)\] *(\d+)\.(\d+): ", line)
    time = int(m[2] + m[3]) if m else time
    m = re.match(r" *\[0*(\d+)\] *(\d+)\.(\d+): *irq:(irq_handler|softirq)_(entry|exit): (.*)", line)
    if not m:
        continue
    key = m[1], m[4]
    if m[5] == "entry":
        name = re.sub(r".*action=(\w+).*|irq=(\d+) name=(.*)", lambda x: x[1] or x[2] + " " + x[3], m[6])
        at[key] = time, name
    elif key in at:
        start, name = at.pop(key)
        print("%d.%09d" % divmod(start, 10**9), time - start, m[1], m[4].replace("_handler", ""), name, sep="\t")
for (cpu, kind), (start, name) in at.items():
    print("%d.%09d" % divmod(start, 10**9), time - start, cpu, kind.replace("_handler", ""), name, sep="\t")' | sort > want.txt
page page.html irqs | sort > got.txt
cmp -s want.txt got.txt && [ "$(wc -l < got.txt)" -gt 100 ] && ok || fail "$(diff want.txt got.txt | head -n 5)"

t who_wakes_is_who_ran_there
sonde timeline -i "$data/sched/guest.data" -o page.html 2> err
sonde script -i "$data/sched/guest.data" --ns -F tid,cpu,time,event,trace 2> /dev/null |
	sed -n 's/^ *\([0-9]*\) \[0*\([0-9][0-9]*\)\] *\([0-9.]*\): *sched:sched_wak[a-z_]*: .*pid=\([0-9]*\) .*/\3 \2 \1 \4/p' | sort -u > wakes
page page.html runs | awk -F '\t' '$8 >= 0 { split($1, t, "."); s = t[2] - $4 - $5; sec = t[1]
	while (s < 0) { s += 1000000000; sec-- } printf "%d.%09d %d %d %d\n", sec, s, $8, $7, $3 }' | sort > got.txt
sort -u got.txt | comm -13 wakes - > strange
[ ! -s strange ] && [ "$(wc -l < got.txt)" -gt 20 ] && ok || fail "no such wake-up: $(head -n 3 strange)"

t merged_items_are_what_is_below_them
for file in sched/guest.data dat/profile.dat dat/events.dat; do
	sonde timeline -i "$data/$file" -o page.html 2> err
	page page.html levels > wrong
	[ ! -s wrong ] && ok || fail "$file: $(head -n 3 wrong)"
done

t each_event_is_counted
sonde timeline -i "$data/dat/events.dat" -o page.html 2> err
sonde script -i "$data/dat/events.dat" -F event 2> /dev/null | sed 's/[ :]*$//; s/^ *//' | sort | uniq -c | awk '{ print $2, $1 }' | sort > want.txt
page page.html about | awk -F '\t' '$1 == "event" { print $2, $3 }' | sort > got.txt
cmp -s want.txt got.txt && [ -s got.txt ] && ok || fail "$(diff want.txt got.txt | head -n 5)"

t numbers_of_an_event_are_a_row
sonde timeline --counter raw_syscalls:sys_exit/ret -i "$data/dat/profile.dat" -o page.html 2> err
page page.html numbers > got
has got 'raw_syscalls:sys_exit ret'
eq "$(wc -l < got)" "$(sonde script -i "$data/dat/profile.dat" -F event 2> /dev/null | grep -c sys_exit)"
sonde timeline --counter raw_syscalls:sys_exit/none -i "$data/dat/profile.dat" -o page.html 2> err
has err 'raw_syscalls:sys_exit/none'

# A member's value is what it has counted since the sample before: it stands between them.
t members_of_a_group_are_a_row
sonde timeline -i "$data/perf/group.data" -o page.html 2> err
sonde script -i "$data/perf/group.data" --ns -F event,period,time 2> /dev/null |
	sed -n 's/^ *[0-9]*\.\([0-9]*\): *\([0-9]*\) page-faults.*/\1 \2/p' | sed 1d > want.txt
page page.html numbers | awk -F '\t' '{ split($1, t, "."); printf "%09d %s\n", t[2] + $2, $4 }' > got.txt
cmp -s want.txt got.txt && [ -s got.txt ] && ok || fail "$(diff want.txt got.txt | head -n 5)"

t two_recordings_on_one_clock
cp "$data/dat/profile.dat" a.dat
cp "$data/dat/profile.dat" b.dat
sonde timeline -i a.dat -i b.dat --sync b.dat=-1.5ms -o page.html 2> err
eq $? 0
page page.html about | grep '^host' > got
has got 'b.dat	-1500000'
page page.html calls | awk -F '\t' '{ print $2, $3 }' | sort | uniq -c | awk '$1 % 2 { print }' > odd
[ ! -s odd ] && ok || fail "not each call twice: $(head -n 2 odd)"
sonde timeline -i a.dat -i "$data/dat/events.dat" --sync sched_switch -o page.html 2> err
eq $? 0
page page.html runs | sort | head -n 1 > first
page page.html about | grep '^host.*events.dat' | cut -f 3 > offset
[ "$(cat offset)" != 0 ] && ok || fail "nothing was moved"
for refused in --sync=b.dat=x --sync=c.dat=1ms --sync=sched:no_such; do
	sonde timeline -i a.dat -i b.dat $refused -o none.html 2> err
	[ $? -ne 0 ] && [ ! -e none.html ] && ok || fail "$refused: $(cat err)"
done
sonde timeline -i a.dat -i b.dat --sync b.dat=9000000s -o page.html 2> err
has err 'more than 52 days'

t what_is_refused
sonde timeline -i a.dat 2> err
[ $? -ne 0 ] && ok || fail 'no page was asked for'
has err 'Name the page with -o'
sonde timeline -i a.dat --counter nothing -o page.html 2> err
has err 'no event and field'
sonde timeline -i "$data/perf/clock.txt" -o none.html 2> err
[ $? -ne 0 ] && [ ! -e none.html ] && ok || fail "$(cat err)"

t names_are_never_html
python3 - "$data/dat/v6.dat" hostile.data << 'EOF'
import sys
data = open(sys.argv[1], "rb").read()
assert data.count(b"trace-cmd\0") > 3 and data.count(b"rcu_sched\0") > 3
data = data.replace(b"trace-cmd\0", b"</script>\0").replace(b"rcu_sched\0", b"\"'<b>\x1b\x01\xff\xe2\x80"[:9] + b"\0")
open(sys.argv[2], "wb").write(data)
EOF
sonde timeline -i hostile.data -o page.html 2> err
eq $? 0
page page.html tasks > got
has got '</script>'
eq "$(grep -c '</script>' page.html)" 2
python3 -c 'import sys, os
sys.path.insert(0, os.environ["SCRIPTS"])
from timeline import Page
page = Page("page.html")
assert not [c for c in page.html if ord(c) < 32 and c not in "\n\t"]' 2> err && ok || fail "$(tail -n 1 err)"
sonde timeline -i a.dat --title '</title><script>alert(1)</script>' -o page.html 2> err
grep -q '<script>alert' page.html && fail 'the title is HTML' || ok

t a_page_goes_to_a_pipe
sonde timeline -i a.dat -o - 2> err > page.html
page page.html about > got
has got 'event'

t parts_of_a_recording
sonde timeline -C 1 -i "$data/dat/profile.dat" -o page.html 2> err
eq "$(page page.html runs | cut -f 2 | sort -u)" 1
sonde timeline --time 80.2,80.3 -i "$data/dat/profile.dat" -o page.html 2> err
eq "$(page page.html marks | awk '$1 < 80.2 || $1 > 80.3' | wc -l)" 0
page page.html marks > got
has got '^80\.2'
sonde timeline -f --max-stack 2 --no-inline --symfs / --kallsyms "$data/dat/none" --vmlinux none -i "$data/dat/profile.dat" -o page.html 2> err
has err 'no symbols in .*none'
has err '^sonde: none cannot be read'
sonde timeline -f --max-stack 2 --no-inline --symfs / -i "$data/perf/clock.data" -o page.html 2> err
python3 -c 'import sys, os
sys.path.insert(0, os.environ["SCRIPTS"])
from timeline import Page
stacks = Page("page.html").stacks
deep = lambda s: 1 + deep(stacks[s][0]) if s else 0
print(max(deep(i) for i in range(len(stacks))))' > got
eq "$(cat got)" 2

# What cannot be read takes no page away.
t a_page_stays
echo kept > page.html
sonde timeline -i none.data -o page.html > out 2> err && fail "of nothing" || has err 'none.data'
eq "$(cat page.html)" kept
echo text > text.data
sonde timeline -i text.data -o page.html > out 2> err && fail "of text" || has err 'not a perf.data'
eq "$(cat page.html)" kept
