#!/bin/sh
# as: root
# time: 200
# kernels: 6.12
# also: 5.10
# sonde blackbox on a kernel of its own: an event that is known begins a file, with what came before it; a root that is read-only, a tmpfs.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde awk workload

mkdir box
mount -t tmpfs tmpfs box

begun() {
	test -s box/blackbox.data.run-*
}

dumps() {
	[ "$(ls box | grep -c 'data\.[0-9]')" -ge "$1" ]
}

t a_trigger_begins_a_file
sonde blackbox -o box --on 'sched:sched_process_exec/filename ~ "*/workload"/' --after 200ms 2> err &
box=$!
wait_for counting $box
wait_for begun
sleep 1
/bin/ls / > /dev/null
workload shape 1
wait_for dumps 1
kill -USR2 $box
wait_for dumps 2
kill $box
wait $box
eq $? 0
file=$(ls box/blackbox.data.* | head -n 1)
sonde script -i "$file" -F comm,cpu,time,event,trace > script 2> err2
at=$(grep -n 'sched_process_exec.*filename=[^ ]*/workload' script | head -n 1 | cut -d : -f 1)
[ -n "$at" ] && ok || fail "not in it: $(tail -n 3 script)"
head -n "${at:-0}" script > before
has before 'sched_process_exec.*/ls'
has before 'sched_switch'
[ "$(sed "1,${at:-0}d" script | grep -c .)" -gt 0 ] && ok || fail 'nothing behind it'
sonde sched latency -p -i "$file" > out 2> err2
has out 'workload:[0-9]+ '

# What it takes of a CPU that does nothing else: looked at for three seconds.
t it_rests
sonde blackbox -q -o box 2> err &
box=$!
wait_for begun
sleep 3
from=$(awk '{ print $14 + $15 }' /proc/$box/stat)
sleep 3
to=$(awk '{ print $14 + $15 }' /proc/$box/stat)
kill $box
wait $box
[ $((to - from)) -le 15 ] && ok || fail "$((to - from)) hundredths of a second in three seconds"

t a_folder_that_cannot_be_written
mount -o remount,ro box
sonde blackbox -o box -- true > out 2> err && fail 'read-only' || has err 'ead-only file system'
umount box
