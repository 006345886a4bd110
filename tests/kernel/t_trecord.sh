#!/bin/sh
# time: 1800
# kernels: 6.12-16k
# also: 5.10
# sonde ftrace record: trace-cmd reads its files, nothing is lost or doubled, losses and full disks are told.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload trace-cmd

# Its number in the table of system calls that arm64 and other newer architectures share.
getppid=173

# lines FILE PATTERN: events of a recording, as trace-cmd reports them (that takes seconds under emulation) and as we do.
peer() {
	trace-cmd report -i "$1" 2> report.err | grep -c -e "$2"
	cat report.err >&2
}
lines() {
	sonde ftrace report -i "$1" 2> report.err | grep -c -e "$2"
	cat report.err >&2
}

# calls: of a report, how often one thread called getppid; its name may be missing, and a shell calls it, too.
calls() {
	sed -n "s/^.*-\([0-9]*\) .*NR $getppid .*/\1/p" | awk '++n[$1] > most { most = n[$1] } END { print most + 0 }'
}

tracing=/sys/kernel/tracing

t version_6
sonde ftrace record -o six.dat -F -e raw_syscalls:sys_enter workload syscalls 1000 > out
eq $? 0
has out 'CPU[01] data recorded at offset=0x'
eq "$(peer six.dat "NR $getppid ")" 1000

# Debian's trace-cmd beside 5.10 knows only version 6.
case $(uname -r) in
5.10.*) newer=lines ;;
*) newer=peer ;;
esac

t version_7
sonde ftrace record -q -o seven.dat --file-version 7 -F -e raw_syscalls:sys_enter workload syscalls 1000
eq "$($newer seven.dat "NR $getppid ")" 1000

t version_7_zstd
sonde ftrace record -o zstd.dat --compression zstd -F -e raw_syscalls:sys_enter workload syscalls 1000 > out
eq "$($newer zstd.dat "NR $getppid ")" 1000
has out '\([0-9]+ uncompressed\)'
[ "$(wc -c < zstd.dat)" -lt "$(wc -c < seven.dat)" ] && ok || fail "not smaller"

# What says where the rings are stands behind them.
t version_7_without_its_end
sonde ftrace record -q -o long.dat --file-version 7 -F -e raw_syscalls:sys_enter workload syscalls 20000
for f in long seven zstd; do
	at=$(sonde ftrace dump --sections -i $f.dat | sed -n 's/.*@ \([0-9]*\).*"options".*/\1/p' | tail -n 1)
	head -c $((at + 40)) $f.dat > cut.dat
	eq "$(sonde ftrace report -i cut.dat 2> err | grep -c "NR $getppid ")" "$(sonde ftrace report -i $f.dat 2> /dev/null | grep -c "NR $getppid ")"
	has err 'is cut off: its rings are told apart by their times'
done
size=$(wc -c < long.dat)
head -c $((size - 300000)) long.dat > cut.dat
sonde ftrace report -i cut.dat 2> err | grep -c "NR $getppid " > n
[ "$(cat n)" -gt 10000 ] && ok || { cat err; fail "$(cat n) events of a file cut by 300,000 bytes"; }

t own_report_agrees
sonde ftrace report -i six.dat > a 2> err
eq "$(grep -c "NR $getppid " a)" 1000
sonde ftrace report -i zstd.dat | grep -c "NR $getppid " > n
eq "$(cat n)" 1000

t children_are_followed
sonde ftrace record -q -o forks.dat -F -c -e sched:sched_process_exit workload forks 40
eq "$(peer forks.dat sched_process_exit)" 41

t only_the_command
sonde ftrace record -q -o alone.dat -F -e sched:sched_process_exit workload forks 40
eq "$(lines alone.dat sched_process_exit)" 1

t functions
sonde ftrace record -q -o func.dat -F -p function -l '*sys_getppid' workload syscalls 500
eq "$(lines func.dat 'function: .*sys_getppid')" 500

t graph
sonde ftrace record -q -b 8000 -o graph.dat -F -p function_graph -g '*sys_getppid' --max-graph-depth 1 workload syscalls 500
eq "$(peer graph.dat 'funcgraph_entry:.*sys_getppid')" 500

t several_buffers
sonde ftrace record -o two.dat -e raw_syscalls:sys_enter -B two -e sched:sched_process_exit workload syscalls 100 > out
has out '^Buffer: two$'
eq "$(trace-cmd report -i two.dat | grep -v '^ *two: ' | calls)" 100
lines two.dat '^ *two: .*sched_process_exit' > n
[ "$(cat n)" -ge 1 ] && ok || fail "no event of the second buffer"
[ ! -e $tracing/instances/two ] && ok || fail "the instance stays"

t only_a_named_buffer
sonde ftrace record -q -o named.dat -B mine -F -e raw_syscalls:sys_enter workload syscalls 100
eq "$(peer named.dat "mine: .*NR $getppid ")" 100

t exit_status
sonde ftrace record -q -o exit.dat -e sched:sched_process_exec workload exit 7
eq $? 7
sonde ftrace record -q -o none.dat -e sched:sched_process_exec /no/such/command 2> err
eq $? 1
has err "cannot run '/no/such/command'"
ls none.dat* 2> /dev/null && fail "something is left" || ok

t nothing_left_after_wrong_event
sonde ftrace record -o none.dat -e nosuch:event true 2> err
eq $? 1
ls none.dat* 2> /dev/null && fail "something is left" || ok

t ends_by_signals
for sig in INT TERM HUP; do
	rm -f sig.dat said
	(trap - INT; exec sonde ftrace record -o sig.dat -e raw_syscalls:sys_enter -P $$ > out 2> said) &
	pid=$!
	wait_for grep recording said
	kill -$sig $pid
	wait $pid
	eq $? 0
	sonde ftrace report -i sig.dat > /dev/null 2>&1 && ok || fail "SIG$sig: no recording"
	ls sig.dat.cpu* 2> /dev/null && fail "SIG$sig: files are left" || ok
done

t ends_with_the_traced_task
rm -f said
sleep 1000 &
task=$!
sonde ftrace record -o task.dat -e sched:sched_process_exit -P $task > out 2> said &
pid=$!
wait_for grep recording said
kill $task
wait $pid
eq $? 0
eq "$(lines task.dat sched_process_exit)" 1

# What is said blocks, for nobody reads it and there is no room.
t says_that_it_records_when_it_does
mkfifo full.pipe
exec 3<> full.pipe
/bin/dd if=/dev/zero of=full.pipe bs=4096 oflag=nonblock 2> /dev/null
sonde ftrace record -o said.dat -e raw_syscalls:sys_enter -P $$ > out 2>&3 &
pid=$!
records() {
	grep sys_enter $tracing/instances/sonde-*/set_event && grep 1 $tracing/instances/sonde-*/tracing_on
}
wait_for records && ok
/bin/dd if=full.pipe of=/dev/null bs=4096 iflag=nonblock 2> /dev/null
kill -TERM $pid
wait $pid
eq $? 0
exec 3>&-

t losses_are_told
sonde ftrace record -o loss.dat -b 8 -s 5000000 -F -e raw_syscalls workload syscalls 30000 > out 2> err
eq $? 0
has err '[0-9]+ events were lost'
# What was read and what was lost is what was written, for each call makes two events.
lost=$(sed -n 's/.* \([0-9]*\) events were lost.*/\1/p' err)
read=$(lines loss.dat 'sys_e')
[ "${lost:-0}" -gt 0 ] && [ "$read" -gt 0 ] && [ $((lost + read)) -ge 60000 ] && [ $((lost + read)) -le 60600 ] && ok ||
	fail "lost $lost, read $read"

t keeps_the_last_pages
sonde ftrace record -o last.dat -m 64 -F -e raw_syscalls:sys_enter workload syscalls 20000 > out 2> err
has err 'the oldest [0-9]+ bytes were overwritten'
read=$(lines last.dat "NR $getppid ")
[ "$read" -gt 500 ] && [ "$read" -lt 20000 ] && ok || fail "$read events"
# the newest event of all is exit_group
trace-cmd report -i last.dat -t 2> /dev/null > report
tail -n 1 report > end
has end 'NR 94 '
sed -n 's/^.*\] .* \([0-9]*\.[0-9]*\): sys_enter.*/\1/p' report > times
sort -n -c times && ok || fail "pages are out of order"

t full_disk
mkdir disk && mount -t tmpfs -o size=12m none disk
# The buffers hold more than the disk, so that it gets full also when what is written to it comes late.
sonde ftrace record -q -o disk/full.dat -b 14000 -e raw_syscalls -F workload syscalls 240000 2> err
eq $? 1
has err 'No space left on device'
lines disk/full.dat "NR $getppid " > n
[ "$(cat n)" -gt 1000 ] && ok || { ls -la disk; cat err; fail "$(cat n) events of a full disk"; }
ls disk/*.cpu* 2> /dev/null && fail "files are left" || ok
umount disk

t no_file
mkfifo pipe
sonde ftrace record -q -o pipe -e sched:sched_process_exec true 2> err
eq $? 1
has err 'cannot write pipe: .* this is a pipe'
[ -p pipe ] && ok || fail "the pipe is gone"
sonde ftrace record -q -o /dev/stdout -e sched:sched_process_exec true 2> err | cat > out
has err 'this is a pipe'
[ -e /dev/stdout ] && ok || fail "/dev/stdout is gone"
mknod full c 1 7
sonde ftrace record -q -o full -e sched:sched_process_exec true 2> err
eq $? 1
has err 'No space left on device'
[ -c full ] && ok || fail "the device is gone"
ln -s full link
sonde ftrace record -q -o link -e sched:sched_process_exec true 2> err
[ -L link ] && [ -c full ] && ok || fail "the link is gone"

t read_only_folder
mkdir ro && mount -t tmpfs -o ro none ro
(cd ro && sonde ftrace record -e sched:sched_process_exec true) 2> err
eq $? 1
has err 'Read-only file system'
(cd ro && sonde ftrace record -q -o "$OLDPWD/away.dat" -F -e sched:sched_process_exec true)
eq "$(lines away.dat sched_process_exec)" 1
umount ro

t tasks_that_are_gone_are_refused
true &
gone=$!
wait
for v in record stream profile; do
	sonde ftrace $v -e sched -P $gone > out 2> err
	eq $? 1
	has err 'no such process'
done
sonde ftrace record -q -e sched:sched_switch -P $gone -P 1 -o some.dat sleep 0.1 2> err
eq $? 0

t record_of_nothing_says_so
sonde ftrace record -e sched:sched_switch -f 'prev_pid == 999999' -o none.dat true > told 2>&1
eq $? 0
has told 'no event was recorded'
