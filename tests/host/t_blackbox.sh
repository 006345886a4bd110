#!/bin/sh
# as: root
# time: 120
# sonde blackbox: a file for each signal, event and order, with what came before it, and no more files than were asked for.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde perf workload

mkdir box
t starts_here
sonde blackbox -q -o box -- true 2> err
status=$?
if [ $status != 0 ]; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
eq "$(ls box | grep -c '^blackbox\.data\.[0-9]\{16\}$')" 1
rm box/*

dumps() {
	[ "$(ls box | grep -c 'data\.[0-9]')" -ge "$1" ]
}

writing() {
	[ "$(ls box | grep -c 'data\.run-')" -ge "$1" ]
}

# begin OPTIONS...: it runs as $box, and counts
begin() {
	rm -f box/*
	sonde blackbox -o box "$@" 2> err &
	box=$!
	within 20 writing 1
	sleep 0.5
}

finish() {
	kill "$box"
	wait "$box"
	eq $? 0
	writing 1 && fail "a file without a time: $(ls box)" || ok
}

newest() {
	ls box/blackbox.data.[0-9]* | tail -n "${1:-1}" | head -n 1
}

t an_event_begins_a_file_with_what_came_before
begin --on 'sched:sched_process_exec/filename ~ "*workload"/' --after 100ms --rest 100ms
sh -c 'echo before > /dev/null; ls /none 2> /dev/null'
workload shape 1
within 20 dumps 1 && ok || fail "no file: $(cat err)"
file=$(newest)
finish
perf script -i "$file" -F comm,time,event,trace 2> /dev/null > script
grep -n 'sched_process_exec.*filename=[^ ]*workload' script | head -n 1 > at
[ -s at ] && ok || fail 'the event is not in the file'
head -n "$(cut -d : -f 1 at)" script > before
has before 'sched_process_exec.*/ls '
has before 'irq:softirq_entry'
has before 'sched_switch'
sonde script -i "$file" -F comm,time,event,trace 2> /dev/null | grep -c 'sched:sched_switch' > ours
eq "$(cat ours)" "$(grep -c 'sched:sched_switch' script)"
sonde sched timehist -s -i "$file" > out 2> err2
has out 'workload\['
sonde report -i "$file" --stdio > out 2> err2
has out 'cpu-clock'

t other_events_begin_none
begin --on 'sched:sched_process_exec/filename ~ "*nothing-of-that-name"/'
ls > /dev/null
sleep 1
eq "$(ls box | grep -c 'data\.[0-9]')" 0
finish
eq "$(ls box | grep -c 'data\.[0-9]')" 1

t too_many_events_are_counted
begin --on sched:sched_process_exec --after 0 --rest 1m
for i in 1 2 3 4 5; do ls > /dev/null; done
within 20 dumps 1
sleep 0.5
eq "$(ls box | grep -c 'data\.[0-9]')" 1
finish
has err '[0-9]+ times an event came too soon'

t signals_and_orders_begin_a_file
mkfifo orders acks
exec 3<> acks
begin --control fifo:orders,acks
kill -USR2 $box
within 20 dumps 1 && ok || fail 'no file at SIGUSR2'
echo snapshot > orders
within 20 dumps 2 && ok || fail "none by --control: $(cat err)"
read -r answer <&3
eq "$answer" ack
exec 3>&-
finish
for file in box/*; do
	perf script -i "$file" > out 2> /dev/null && [ -s out ] && ok || fail "$file cannot be read"
done

t the_newest_are_kept_whoever_wrote_them
begin --keep 3
touch box/blackbox.data.2020010100000000 box/blackbox.data.20200101000000xx box/other
kill "$box"
wait "$box"
mkdir -p box.d
sonde blackbox -q -o box --keep 2 -- sleep 0.3 2> err
sonde blackbox -q -o box --keep 2 -- sleep 0.3 2> err
ls box > got
eq "$(grep -c 'data\.[0-9]\{16\}$' got)" 2
has got 20200101000000xx
has got other
eq "$(grep -c 2020010100000000 got)" 0

# Rings of a size: the file has what is newest, however long it ran.
t it_holds_what_fits
begin -m 64K --bare -e sched:sched_switch
workload shape 200
ls > /dev/null
perf bench sched pipe -l 20000 > /dev/null 2>&1
kill -USR2 $box
within 20 dumps 1
size=$(wc -c < "$(newest)")
finish
[ "$size" -lt $((65536 * $(nproc) + 4000000)) ] && ok || fail "$size bytes"

t own_events
begin --bare -e sched:sched_wakeup -F 49 -g -C 0 --on sched:sched_process_exit
ls > /dev/null
within 20 dumps 1
finish
perf evlist -i "$(newest)" 2> /dev/null | grep '^[^#].*:' | grep -v dummy | sort | tr '\n' ' ' > got
eq "$(cat got)" "sched:sched_process_exit sched:sched_wakeup "

# Each has its own events, and none has the other's file, however often they write at the same time.
t two_in_one_folder
begin --bare -e sched:sched_wakeup
sonde blackbox -o box --bare -e sched:sched_switch 2> err2 &
other=$!
within 20 writing 2 && ok || fail "$(ls box)"
sleep 0.5
for n in 2 4 6 8; do
	ls > /dev/null
	kill -USR2 $box $other
	within 20 dumps $n && ok || fail "$n: $(ls box)"
done
kill $box $other
wait $box && wait $other && ok || fail "$(cat err err2)"
ls box > got
eq "$(grep -c '^blackbox\.data\.[0-9]\{16\}$' got)/$(grep -c . got)" 10/10
for file in box/*; do
	perf evlist -i "$file" 2> /dev/null | grep '^sched:'
done | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ' > got
eq "$(cat got)" '5 sched:sched_switch 5 sched:sched_wakeup '
# What was told of each in its own words.
eq "$(sed -n 's/.*Dump box\/\(.*\) \]/\1/p' err err2 | sort | tr '\n' ' ')" "$(ls box | tr '\n' ' ')"

# Killed: what is left is put aside, but not what another one has open, or has just made.
t what_the_killed_leave
begin
kill -9 $box
wait $box 2> /dev/null
left=$(ls box)
sonde blackbox -q -o box -- true 2> err
[ -e "box/$left" ] && ok || fail "gone too soon: $(ls box)"
touch -d '2 minutes ago' "box/$left"
sonde blackbox -o box 2> err &
box=$!
within 20 test -e box/blackbox.data.old && ok || fail "$(ls box)"
[ ! -e "box/$left" ] && ok || fail 'two of it'
within 20 writing 1
touch -d '2 minutes ago' box/*.run-*
sonde blackbox -q -o box -- true 2> err2
writing 1 && ok || fail "taken from who writes it: $(ls box)"
finish
eq "$(ls box | grep -c 'data\.old$')" 1

t record_has_it_too
sonde record -q -a -e sched:sched_switch --switch-output-event sched:sched_process_exec -o part.data -- \
	sh -c 'sleep 0.3; ls > /dev/null; sleep 0.3' 2> err || fail "$(cat err)"
[ "$(ls part.data.* | wc -l)" -ge 2 ] && ok || fail "$(ls)"

t what_is_refused
fails() {
	want=$1
	shift
	sonde blackbox "$@" -- true > out 2> err && fail "$*" || has err "$want"
}
fails 'no folder' -o "$0"
fails 'No such file' -o none
fails 'what then' --bare
fails 'no size of' -m 1K
fails 'no time' --after x
fails 'at least one' --keep 0
fails 'samples in a second' -F 0
fails 'nosuch' --on nosuch:event
fails "each one of 'cpu-clock'" --on cpu-clock
eq "$(grep -c 'say how many' err)" 1
fails 'no_such_field' --on 'sched:sched_switch/no_such_field > 1/'
