#!/bin/sh
# as: root user
# time: 240
# sonde record on this machine, often without counters and locked down: software events, wrong use, and nothing left behind; perf reads
# what it writes where there is one.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload

level=$(cat /proc/sys/kernel/perf_event_paranoid 2> /dev/null || echo 9)
if [ "$level" -gt 2 ] && [ "$T_AS" = user ]; then
	t no_permission_is_said_with_advice
	sonde record -o unwritten true 2> err
	eq $? 1
	has err "perf_event_paranoid is $level"
	exit 0
fi

# Of an own process, as any user.
ev=cpu-clock:u

# samples FILE: how many, by our own reader.
samples() {
	sonde script -i "$1" -F comm 2> script.err | grep -c .
}

# recording PID FILE: its events count: it has begun to write, and sleeps until there is more. (Where it waits for a disk, its
# state is another one.)
recording() {
	[ -s "$2" ] && grep -q '^State:.S' "/proc/$1/status"
}

# fails STATUS PATTERN OPTION...: record ends with that status, says that, and leaves no file.
fails() {
	want=$1 text=$2
	shift 2
	rm -f unwritten
	sonde record -o unwritten "$@" > out 2> err < /dev/null
	eq $? "$want"
	has err "$text"
	[ ! -e unwritten ] && ok || fail "a file was left by: $*"
}

t no_counters_means_cpu_clock
sonde record -o default workload shape 200 2> err
eq $? 0
if [ ! -e /sys/bus/event_source/devices/cpu ] && ! ls /sys/bus/event_source/devices/*/cpus > /dev/null 2>&1; then
	has err 'no hardware counter for cycles here, sampling by cpu-clock instead'
	fails 1 'cycles: not supported: the machine shows no hardware counters' -e cycles true
fi
# An eighth of a fifth of a second, at 4000 a second: a busy machine misses some ticks, and the kernel may allow fewer.
most=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
[ "$(samples default)" -gt $(((most < 4000 ? most : 4000) / 40)) ] && ok || fail "few samples"

# What its makers' scripts know of perf is so under its name.
t as_perf
ln -sf "$(command -v sonde)" perf
./perf > out 2> err
eq "$?,$(wc -l < err)" 1,0
has out '^Usage: perf '
./perf record --nosuch 2> err
eq $? 129
./perf record --all-user --all-kernel true 2> err
eq $? 129
./perf stat -x, -j true 2> err
eq $? 129
./perf report -s nosuch -i default 2> err
eq $? 129
./perf nosuch 2> err
eq $? 1
for of in record stat; do
	./perf $of -e nosuch true 2> err
	eq $? 129
done
./perf report -i nosuch 2> err
eq $? 255
for of in report script; do
	./perf $of -i default --comms nosuch > out 2> err
	eq "$(cat err)" ""
done
./perf record -o unwritten -- ./nosuch 2> err
eq $? 255
./perf stat -e page-faults sh -c 'exit 2' 2> err
eq $? 2
sonde stat -x, -j true 2> err
eq $? 2
./perf record -q -vv -F 99 -e page-faults -o attr true 2> err
has err 'ksymbol +1'
has err 'bpf_event +1'
./perf record -q -vv --no-bpf-event -e page-faults -o attr true 2> err
has err 'ksymbol +1'
grep -q bpf_event err && fail "bpf_event in spite of --no-bpf-event" || ok
./perf report -i default -s pid > out 2> err
has out '^# Overhead +Pid:Command'

# The numbers of both readings, and perf's where it has zstd; rings of one page end inside of records.
t compressed
for how in "-o packed" "-m 1 -o packed" "-o -"; do
	sonde record -z $how -g -e cpu-clock:u -F 2000 workload shape 300 > stream 2> err
	[ "$how" != "-o -" ] || mv stream packed
	n=$(sed -n 's/.*compressed (original .* MB, ratio is .*) (\([0-9,]*\) samples).*/\1/p' err | tr -d ,)
	[ "${n:-0}" -gt 100 ] && ok || fail "$how: $(cat err)"
	sonde script -i packed -F comm,time,event,ip > ours.txt 2> script.err
	eq "$(grep -c cpu-clock ours.txt)" "$n"
	if perf script -i packed -F comm,time,event,ip > theirs.txt 2> perf.err; then
		eq "$(grep cpu-clock theirs.txt)" "$(grep cpu-clock ours.txt)"
	fi
done
sonde record -q -z0 -e cpu-clock:u -o plain workload shape 100
sonde report --header-only -i plain > header
has header 'missing features:.* COMPRESSED '
fails 2 'is not a level' -z99 true

t one_thread_writes_one_file
fails 2 'one thread writes' -e cpu-clock --threads true

# The signal is there before the recording begins, and without counters that begins twice: it is not to be lost between the two.
t a_signal_before_the_beginning_counts
/usr/bin/env --block-signal=TERM sh -c 'kill -TERM $$; exec sonde record -q -o early sh -c "echo ran > ran"'
eq $? 0
[ ! -e ran ] && ok || fail "the command was run"

t page_faults_are_exact
sonde record -q -c 1 -e page-faults:u -o faults workload faults 1000
sonde script -i faults -F ip,sym 2> script.err | grep -c touch_pages > n
eq "$(cat n)" 1000

# Longer than what passes between two lines of progress: they are for recordings without a command.
if [ "$T_AS" = root ] && command -v python3 > /dev/null; then
	t the_terminal_is_the_commands
	"$T_HERE/../golden/tty" sonde record -e $ev -o shared sh -c 'echo begun; sleep 2; echo ended' > term
	has term '^begun$'
	has term '^ended$'
	eq "$(tr -cd '\r\033' < term | wc -c)" 0
fi

t exit_status_is_passed_on
sonde record -q -e $ev -o status workload exit 7
eq $? 7
sonde record -q -e $ev -o status sh -c 'kill -9 $$'
eq $? 137

t wrong_values_are_usage_errors
fails 2 "'0' is not a number of samples" -F 0 true
fails 2 "'0' is not a number of events" -c 0 true
fails 2 'neither a number of pages' -m 0 true
fails 2 'neither a number of pages' -m 1Q true
fails 2 'no size of a stack' --call-graph dwarf,65529 true
fails 2 "'nosuch' is no size" --call-graph dwarf,nosuch true
fails 2 "'xx' is no way" --call-graph xx true
fails 2 'above 1024' --max-stack 2000 true
fails 2 '24 days' --timeout 99999999999 true
fails 2 'leave nothing' --all-user --all-kernel true
fails 2 'nothing would ever be recorded' -D -1 true
fails 2 'SIZE never comes' --overwrite --switch-output=1M true
fails 2 "'5' is none of signal, a size" --switch-output=5 true
fails 2 "'q99' is no register; there are: " --user-regs=q99 true
fails 2 'unknown option --nosuch' --nosuch true
fails 2 'needs a value' -e
fails 2 'stands before any -e' --filter x true

t wrong_targets
fails 1 'no such process: 999999' -e $ev -p 999999
fails 1 "bad process id '1x'" -e $ev -p 1x
fails 1 'no such thread: 999999' -e $ev -t 999999
fails 1 'no such user: nobody-here' -e $ev -u nobody-here
fails 1 'CPU 4000 is not online' -e $ev -C 4000 true
fails 1 'runs backwards' -e $ev -C 1-0 true
fails 1 'say two different things' -e $ev -a -p 1
fails 1 'no such control group: nosuch' -e $ev -G nosuch true
fails 1 'not a number of milliseconds' -e $ev -D soon true
fails 1 'ranges of time' -e $ev -D 10-20 true

t wrong_events
fails 1 "unknown event 'cpu-clok'" -e cpu-clok true
fails 1 'no tracepoint' -e cpu-clock --filter x==1 true
fails 1 'only tracepoints have one' -e cpu-clock --exclude-perf true

t a_command_that_cannot_run_leaves_no_file
fails 1 "cannot run '/no/such': No such file" -e $ev /no/such
fails 1 "cannot run '/etc/passwd': Permission denied" -e $ev /etc/passwd

t a_command_that_cannot_run_keeps_the_old_recording
echo precious > kept
sonde record -q -e $ev -o kept /no/such 2> err
eq "$(cat kept)" precious
eq "$(echo kept*)" kept

t output_that_cannot_be_written
sonde record -q -e $ev -o /no/such/folder/x true 2> err
eq $? 1
has err 'choose another place with -o'
sonde record -q -e $ev -o . true 2> err
has err 'cannot write .: Is a directory'

t old_recording_is_kept
echo old > again
sonde record -q -e $ev -o again true
eq "$(cat again.old)" old

t a_reader_that_goes_away
sonde record -q -F 20000 -e $ev -o - workload shape 5000 2> err | head -c 10 > /dev/null
has err 'cannot write standard output: Broken pipe'

t the_pipe_holds_only_the_recording
sonde record -q -e $ev -o - sh -c 'echo noise; exec workload shape 200' 2> err | sonde script -i - -F comm,ip,sym > script 2> script.err
has script 'workload.*hot_a'
has err noise

# Of the first half all but its last round, while the second has not been written yet.
t a_pipe_is_shown_as_it_comes
sonde record -q -g -F 20000 -e $ev -o - workload shape 1500 > whole 2> err
cat > halves.py << 'EOF'
import struct, subprocess, time
data = open("whole", "rb").read()
at, rounds = 16, []
while at + 8 <= len(data):
    kind, _, size = struct.unpack_from("<IHH", data, at)
    at += size
    if kind == 68:
        rounds.append(at)
half = rounds[len(rounds) // 2]
p = subprocess.Popen(["sonde", "script", "-i", "-"], stdin=subprocess.PIPE, stdout=open("script", "wb"))
p.stdin.write(data[:half])
p.stdin.flush()
early, until = 0, time.time() + 30
while early < 100 and time.time() < until:
    time.sleep(0.1)
    early = open("script", "rb").read().count(b"cpu-clock")
p.stdin.write(data[half:])
p.stdin.close()
print(len(rounds) > 5, early >= 100, p.wait())
EOF
eq "$(python3 halves.py 2>&1)" "True True 0"
sonde script -i whole > want 2> err
cmp -s script want && ok || fail "$(differing want script | head -n 6 | tr '\n' ';')"
# Of another machine files and kernel are told at the end: it is read whole.
host=$(cat /proc/sys/kernel/hostname)
LC_ALL=C sed "s/$host\\x00/$(printf '%s' "$host" | tr 'a-z' 'b-za')\\x00/" whole > other
sonde script -i other > want 2> err
cat other | sonde script -i - > script 2> err
cmp -s script want && ok || fail "$(differing want script | head -n 6 | tr '\n' ';')"

t descriptors_are_not_inherited
sh -c 'ls /proc/self/fd' > list
sonde record -q -e $ev -o fds sh -c 'ls /proc/self/fd' > list2
eq "$(wc -l < list2)" "$(wc -l < list)"

t delay_keeps_the_names
# Until there are samples.
sonde record -q -e $ev -D 300 --max-size 30K -o delay workload shape 200000
sonde script -i delay -F ip,sym 2> script.err | grep -q hot_a && ok || fail "no symbols after a delay"

t threads_of_a_process_are_told_once
workload threads 20 1000000 &
pid=$!
named() {
	[ "$(cat /proc/$pid/task/*/comm | grep -c '^worker-')" = 20 ]
}
within 100 named || fail "no 20 threads"
sonde record -q -e $ev -o threads -p $pid -- sleep 0.2
kill $pid
wait $pid 2> /dev/null
n=$(sonde script -i threads --show-task-events 2> script.err | grep -c PERF_RECORD_COMM)
[ "$n" -ge 20 ] && [ "$n" -le 30 ] && ok || fail "$n names for 21 threads"

t the_end_of_the_task_ends_it
mkfifo go
sh -c 'read -r line < go; exec workload shape 100' &
sonde record -q -e $ev -o attached -p $! &
pid=$!
within 100 recording $pid attached || fail "it does not record"
echo > go
wait $pid
eq $? 0
wait

t children_are_followed_beyond_their_parents_end
sh -c 'read -r line < go; workload shape 1000 & exit 0' &
sonde record -q -e $ev -o orphan -p $! &
pid=$!
within 100 recording $pid orphan || fail "it does not record"
echo > go
wait $pid
sonde script -i orphan -F ip,sym 2> script.err | grep -c hot_a > n
[ "$(cat n)" -gt 100 ] && ok || fail "the child was left alone: $(cat n) samples of it"
wait

t timeout_ends_the_command
# By itself it would not end. It may not even have begun by then.
timeout 100 sonde record -q -e $ev --timeout 300 -o short workload shape 100000000
eq $? 0
sonde script -i short > script 2> script.err && ok || fail "$(cat script.err)"

if command -v python3 > have; then
	t on_a_terminal_a_line_tells_the_seconds_and_goes
	workload shape 100000000 &
	pid=$!
	timeout 100 python3 "$T_HERE/../host/on_tty.py" '   2 s' sonde record -e $ev -p $pid -o line > tty
	eq $? 0
	kill $pid
	tr '\r' '\n' < tty > lines
	has lines '^   0 s  .* samples  0 lost '
	eq "$(sed -n 's/^ *\([0-9]*\) s  .* lost .*/\1/p' lines | tail -n 1)" 2
	[ "$(sed -n 's/^   2 s  \([0-9,]*\) samples.*/\1/p' lines | tr -d ,)" -gt 20 ] && ok || fail "it is behind: $(cat lines)"
	has lines '^.\[K\[ sonde record: Woken up'
	wait
fi

t sigint_ends_it_with_a_whole_file
sonde record -q -e $ev -o int workload shape 100000000 &
pid=$!
within 100 has_child $pid workload && goes_on "$(child_of $pid workload)" 20 || fail "the command does not run"
kill -INT $pid
wait $pid
eq $? 0
[ "$(samples int)" -gt 20 ] && ok || fail "few samples"

t nohup_is_respected
(trap '' HUP; exec sonde record -q -e $ev -o hup sleep 1000) &
pid=$!
within 100 has_child $pid sleep || fail "the command does not run"
# SIGINT is blocked, for it is read, and SIGHUP is not.
eq "$(sed -n 's/^SigBlk:.*\(.\)$/\1/p' /proc/$pid/status)" 2
kill -HUP $pid
sleep 0.2
has_child $pid sleep && ok || fail "SIGHUP ended it"
kill -INT $pid
wait $pid
eq $? 0

# attr PATTERN OPTION...: some attribute has it with the option, none without.
attr() {
	pattern=$1
	shift
	sonde record -q -vv -e $ev -e page-faults:u -o option "$@" workload shape 1 2> with
	eq "$? $*" "0 $*"
	has with "$pattern"
	grep -Eq "$pattern" without && fail "without $* it has '$pattern', too" || ok
}

t options_are_in_the_attributes
sonde record -q -vv -e $ev -e page-faults:u -o option workload shape 1 2> without
attr '^  wakeup_events +1|wakeup_watermark } +1' --no-buffering
attr '^  sample_type .*\|CALLCHAIN' -g
attr '^  sample_type .*\|CALLCHAIN' --call-graph fp
attr '^  exclude_callchain_user +1' --kernel-callchains
attr '^  sample_max_stack +5' -g --max-stack 5
attr '^  sample_type .*\|ADDR\|.*DATA_SRC' -d
attr '^  mmap_data +1' -d
attr '^  sample_type .*\|RAW' -R
attr '^  sample_type .*\|WEIGHT' --weight
attr '^  sample_type .*\|DATA_PAGE_SIZE' --data-page-size
attr '^  sample_type .*\|CODE_PAGE_SIZE' --code-page-size
attr '^  use_clockid +1' -k mono
attr '^  inherit_stat +1' -s
attr '^  read_format +.*TOTAL_TIME_RUNNING' --running-time
attr '^  context_switch +1' --switch-events
if [ "$T_AS" = root ]; then
	attr '^  namespaces +1' --namespaces
	attr '^  sample_type .*\|PHYS_ADDR' --phys-data
else
	[ "$level" -lt 2 ] || fails 1 'measuring physical addresses needs 1' --phys-data -e $ev true
	fails 1 'needs root or CAP_PERFMON' --namespaces -e $ev true
fi
attr '^  build_id +1' --buildid-mmap
attr 'sample_period, sample_freq } +12345' -c 12345
grep -q '^  inherit ' without && ok || fail "not inherited"
for o in -i --per-thread; do
	sonde record -q -vv -e $ev -o option $o true 2> with
	grep -q '^  inherit ' with && fail "inherited with $o" || ok
done
sonde record -q -vv -e $ev -n -o option workload shape 20 2> with
eq "$(samples option)" 0
# Nothing of /proc.
sonde record -q -e $ev -p $$ -o whole -- sleep 0.01
sonde record -q -e $ev -p $$ --synth=no -o option -- sleep 0.01
sonde script -i whole --show-mmap-events --show-task-events > whole.txt 2> script.err
sonde script -i option --show-mmap-events --show-task-events > option.txt 2> script.err
has whole.txt "PERF_RECORD_COMM: .*:$$/$$"
grep -q "PERF_RECORD_COMM: .*:$$/$$" option.txt && fail "it was read from /proc" || ok
# Software events have no branches, on any machine.
fails 1 'records no branches' -e $ev -b true
fails 1 'records no branches' -e $ev --branch-any true
fails 1 'records no branches' -e $ev -j any,u true
fails 1 'records no branches' -e $ev --branch-filter any_call true

t all_in_one_group
# The second is opened in the group of the first, and says so in the recording.
sonde record -q -e $ev -e page-faults:u --group -o option workload shape 20
sonde report -i option --header-only > header
has header '# group: \{cpu-clock:u,page-faults:u\}'
sonde record -q -e $ev -e page-faults:u -o option workload shape 20
sonde report -i option --header-only > header
grep -q '# group:' header && fail "a group that nobody asked for" || ok

t what_is_so_anyway
HOME=$PWD sonde record -q -e $ev -T -P -N --buildid-all --sample-cpu --sample-identifier --timestamp-boundary --proc-map-timeout 100 -o any workload shape 20
eq $? 0
[ ! -e .debug ] && ok || fail "a cache was made"
sonde script -i any -F comm,time,cpu,period > script 2> script.err && ok || fail "$(cat script.err)"
sonde report -i any --header-only > header
has header '^# time of first sample'
has header '# event : .*IDENTIFIER'

t build_ids_are_left_out
if command -v perf > /dev/null; then
	perf buildid-list -i any > list 2> list.err
	has list '/workload$'
fi
grep -q 'missing features:.* BUILD_ID' header && fail "$(cat header)" || ok
sonde record -q -e $ev -B -o option workload shape 20
sonde report -i option --header-only > header
has header 'missing features:.* BUILD_ID '

t sizes_of_pages_and_places_in_memory
sonde record -q -c 1 -e page-faults:u -d --data-page-size --code-page-size -o pages workload faults 50
eq $? 0
sonde script -i pages -F addr,data_page_size,code_page_size 2> script.err | grep -c 'N/A 4K$' > n
[ "$(cat n)" -ge 50 ] && ok || fail "$(cat n) of 50"
if command -v perf > /dev/null; then
	sonde script -i pages -F addr,data_page_size,code_page_size > ours.txt
	perf script -i pages -F addr,data_page_size,code_page_size > theirs.txt 2> perf.err && sed 's/ \[unknown\]//' theirs.txt > theirs2.txt
	eq "$(tr -s ' ' < theirs2.txt)" "$(tr -s ' ' < ours.txt)"
fi
sonde script -i whole -F data_page_size 2> err
eq $? 2
has err "do not have DATA_PAGE_SIZE attribute set. Cannot print 'data_page_size'"

t frequency_above_the_limit
fails 2 "above the kernel's limit" --strict-freq -F 4000000 -e $ev true
sonde record -F 4000000 -e $ev -o option true 2> err
eq $? 0
has err "is above the kernel's limit: sampling with $most"

t dry_run_records_nothing
rm -f unwritten
sonde record --dry-run -e $ev -o unwritten touch ran_dry
eq "$?$(ls unwritten ran_dry 2> /dev/null)" 0

t command_line_is_in_the_file
sonde record -q -e $ev -o line -- true
sonde report -i line --header 2> report.err > report || cat report.err
has report "cmdline.* record -q -e $ev -o line -- true"

t perf_reads_it
if command -v perf > /dev/null; then
	sonde record -q -g -e $ev -e page-faults:u -o read workload shape 300
	perf script -i read -F comm,event,ip,sym > script 2> script.err && ok || fail "perf script failed: $(cat script.err)"
	has script hot_a
	perf report -i read --stdio > report 2> report.err && ok || fail "perf report failed: $(cat report.err)"
	sonde record -q -e $ev -o - workload shape 300 | perf script -i - -F comm,ip,sym > script 2> script.err
	has script hot_a
	for o in -s "-k mono" --switch-events --namespaces -d --buildid-mmap; do
		sonde record -q -e $ev $o -o read workload shape 50
		perf script -i read > script 2> script.err && ok || fail "perf script failed on $o: $(cat script.err)"
	done
else
	skip "no perf"
fi

t build_id_of_what_was_mapped
cp "$(command -v workload)" moved
sonde record -q -e $ev -o ids sh -c './moved shape 200; rm moved; cp /bin/true moved'
if command -v perf > /dev/null; then
	perf buildid-list -i ids > list 2> list.err
	grep -q '/moved$' list && fail "the build id of another file was taken" || ok
else
	ok
fi

if [ "$T_AS" = user ]; then
	t only_user_space_is_said
	sonde record -e cpu-clock -o user workload shape 100 2> err
	eq $? 0
	[ "$level" -lt 2 ] && ok || has err 'only user space was sampled'
	[ "$level" -lt 1 ] && ok || fails 1 'no permission.*measuring a whole CPU' -a -e cpu-clock true
	exit 0
fi

t system_wide_and_some_cpus
# An idle CPU may sleep through its timer: all of them are kept busy.
cat > everywhere << 'END'
for cpu in $(seq 0 $(($(nproc) - 1))); do
	taskset -c $cpu workload shape 200 &
done
wait
END
sonde record -q -a -e cpu-clock -o all -- sh everywhere
sonde script -i all -F cpu 2> script.err | sort -u | grep -c . > n
eq "$(cat n)" "$(nproc)"
sonde record -q -C 0 -e cpu-clock -o one -- sh everywhere
eq "$(sonde script -i one -F cpu 2> script.err | sort -u | tr -dc 0-9)" 000

t tracepoints_and_filters
if [ -e /sys/kernel/tracing/events/sched/sched_process_fork/id ]; then
	sonde record -q -a -e sched:sched_process_fork -o forks workload forks 20
	n=$(sonde script -i forks -F comm 2> script.err | grep -c workload)
	[ "$n" -ge 20 ] && ok || fail "$n forks of 20"
	fails 1 'the kernel refused the filter' -e sched:sched_switch --filter 'nosuch == 1' true
	sonde record -q -a -e sched:sched_switch --exclude-perf -o self -- sleep 0.2
	eq $? 0
else
	skip "no tracing file system"
fi

t one_side_of_chains
for o in --user-callchains --kernel-callchains; do
	sonde record -q -g -vv -e cpu-clock -o option true 2> without
	sonde record -q -g -vv -e cpu-clock $o -o option true 2> with
	diff without with | sed -n 's/^[<>] *exclude_callchain_//p' | tr -s ' ' > other
	[ $o = --user-callchains ] && eq "$(cat other)" "kernel 1" || eq "$(cat other)" "user 1"
done

# Of the process that writes; not of the command.
t priority
sonde record -q -r 7 -e $ev -o option sh -c 'cut -d" " -f40,41 /proc/$PPID/stat > of_parent
	cut -d" " -f40,41 /proc/$$/stat > of_child'
eq "$?,$(cat of_parent),$(cat of_child)" "0,7 1,0 0"

t user_of_processes
sonde record -q -u root -e cpu-clock -o uid -- sleep 0.2
eq $? 0

t max_size
# What is in the rings when it is noticed may be written, too.
sonde record -q -F 10000 -a -e cpu-clock -m 16 --max-size 100K -o size -- workload shape 200000
[ "$(stat -c %s size)" -lt 1500000 ] && ok || fail "the file has $(stat -c %s size) bytes"
