#!/bin/sh
# as: root
# time: 300
# sonde top: as text, whose shares are a program's own, and on a terminal of tmux, whose keys are pressed here.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload

tm() {
	tmux -L "sonde-top-$$-$screens" -f /dev/null "$@"
}
screens=0

t samples_are_taken_here
workload shape 120000 &
work=$!
trap 'st=$?; kill $work 2> /dev/null; wait $work 2> /dev/null; tm kill-server 2> /dev/null; t_end $st' EXIT
if ! sonde top -d 0.3 --times 1 -p $work > out 2> err; then
	skip "cannot sample: $(head -n 1 err)"
	exit 0
fi
ok

# share FUNCTION: its percentage in the last screen of out, tenths.
share() {
	awk -v want="$1" '/samples\/s/ { v = 0 } $1 ~ /%$/ && $NF == want { sub("%", "", $1); v = int($1 * 10) } END { print v + 0 }' out
}
between() {
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ] && ok || fail "$1, not $2 to $3: $(cat out)"
}

# Its three functions take 6, 3 and 1 of ten parts.
t shares_are_the_programs
sonde top -d 0.5 --times 4 -p $work -E 5 > out 2> err
eq "$(grep -c 'samples/s' out)" 4
between "$(share hot_a)" 520 680
between "$(share hot_b)" 230 370
between "$(share hot_c)" 60 150
has out 'this itself: [0-9.]* % of a CPU'
[ "$(awk '/%.*\[[.k]\]/ { n++ } /samples\/s/ { n = 0 } END { print n }' out)" -le 5 ] && ok || fail "more than five rows"

t callers_get_what_they_call
sonde top -g -d 0.5 --times 2 -p $work > out 2> err
between "$(share main)" 900 1000
has out '[|]--[0-9.]*%--hot_a'
sonde top -g --no-children -d 0.5 --times 2 -p $work > out 2> err
between "$(share main)" 0 100

t events_side_by_side
sonde top -e cpu-clock,page-faults -d 0.4 --times 2 -p $work > out 2> err
has out 'cpu-clock,page-faults'
has out '^ *[0-9.]*% +[0-9.]*%  workload'
sonde top -e '{cpu-clock,page-faults}:S' -d 0.4 --times 1 -p $work > out 2> err
has out 'cpu-clock,page-faults'

t rows_are_chosen
sonde top -s comm,sym -n -d 0.4 --times 2 -p $work > out 2> err
has out '% +[0-9]+  workload +\[\.\] hot_a'
sonde top -U -d 0.4 --times 2 -p $work > out 2> err
grep -q 'hot_' out && fail "rows of programs" || ok
sonde top -K -d 0.4 --times 2 > out 2> err
grep -q '\[k\]' out && fail "rows of the kernel" || ok
sonde top --symbols hot_b -d 0.4 --times 2 -p $work > out 2> err
grep -q hot_a out && fail "others' rows" || has out hot_b
sonde top --dsos nowhere -d 0.4 --times 1 -p $work > out 2> err
grep -q hot_ out && fail "others' rows" || ok
sonde top --comms nobody -d 0.4 --times 1 -p $work > out 2> err
grep -q hot_ out && fail "others' rows" || ok
sonde top --fields sym,sample -d 0.4 --times 2 -p $work > out 2> err
has out '^  \[\.\] hot_a +[0-9]+$'
sonde top --percent-limit 50 -d 0.5 --times 2 -p $work > out 2> err
grep -q hot_b out && fail "a light row" || has out hot_a
sonde top -f 1000000 -d 0.4 --times 1 -p $work > out 2> err
grep -q hot_ out && fail "a row of few samples" || ok
sonde top -c 1000000 --max-stack 2 -g -m 64 -d 0.4 --times 2 -p $work > out 2> err
has out 'each 1000000'
grep -q libc_start_main out && fail "more callers than were asked for" || has out shape

# What was there before -z counts for nothing: the program that has stopped has no row in the next one.
t whom_it_looks_at
for of in -a '-C 0' "-t $work" '-u 0' "-i -p $work"; do
	sonde top $of -d 0.4 --times 2 -E 2000 > out 2> err
	eq "$?" 0
	has out 'samples/s'
done
sonde top -a -d 0.4 --times 2 -E 2000 > out 2> err
has out hot_a
sonde top -t $work -d 0.4 --times 2 > out 2> err
has out hot_a
sonde top --cgroup no/such -d 0.4 --times 1 > out 2> err && fail "no such group" || has err 'no/such'

# It is held from before it has looked into its rings until its first screen is overdue.
t a_screen_has_all_that_was_there
waits() {
	grep -q poll "/proc/$1/wchan"
}
sonde top -d 1 --times 1 -p $work > out 2> err &
top=$!
wait_for waits $top
kill -STOP $top
sleep 1.2
kill -CONT $top
wait $top
has out hot_a

# Of two tasks on one CPU one runs at a time; of two on two, both, but for what others take of them: a sample counts for half of its time then.
t what_takes_the_time
rows_add_up() {
	awk '/samples\/s/ { split("", l); split("", o) } $1 ~ /%$/ && $NF ~ /^[0-9]+$/ { l[$NF] += $1; o[$NF] += $2 }
		END { for (k in o) { all += o[k] / k; n++ } for (k in o) if (l[k] - 100 * o[k] / k / all > .3 || 100 * o[k] / k / all - l[k] > .3) bad = 1; exit !n || bad }' out
}
taskset -c 0 nice -n -15 workload shape 60000 &
first=$!
taskset -c 0 nice -n -15 workload shape 60000 &
second=$!
# Until then they are not on that CPU yet.
wait_for comm_is $first workload
wait_for comm_is $second workload
sonde top --latency -s parallelism -d 1 --times 2 -p $first,$second > out 2> err
rows_add_up && has out '^ *100[.]00% +100[.]00% +1 *$'
# On a machine that has other work they seldom run at the same time: then it is looked at once more.
both_run() {
	for try in 1 2 3 4 5 6 7 8; do
		sonde top "$@" -d 1 --times 3 > out 2> err
		rows_add_up || break
		grep -Eq "$at_once" out && ok && return
	done
	fail "$(cat out)"
}
if taskset -pc 1 $second > /dev/null 2>&1; then
	at_once='^ *[0-9.]+% +[0-9.]+% +2 *$' both_run --latency -s parallelism -p $first,$second
	at_once='^ *[0-9.]+% +[0-9.]+% +workload +[2-9] *$' both_run -s comm --fields latency,overhead,comm,parallelism -a -E 1000
fi
kill $first $second
wait $first $second 2> /dev/null || :

t columns_and_callees
sonde top --show-total-period -c 1000000 -d 0.5 --times 2 -p $work > out 2> err
has out '^ *[0-9.]+% +[0-9]+000000  workload +\[[.]\] hot_a'
sonde top --percentage relative --symbols hot_a -d 0.5 --times 2 -p $work > out 2> err
eq "$(share hot_a)" 1000
sonde top --percentage absolute --symbols hot_a -d 0.5 --times 2 -p $work > out 2> err
between "$(share hot_a)" 520 680
sonde top --percentage half -p $work > out 2> err && fail "half" || has err 'none of relative and absolute'
sonde top --ignore-callees x -p $work > out 2> err && fail "no chains" || has err 'with -g'
sonde top -g --no-children --ignore-callees '^main$' -d 0.5 --times 2 -p $work > out 2> err
grep -q hot_a out && fail "a callee" || between "$(share main)" 900 1000
sonde top --call-graph fp,graph,0.5,callee --no-children -d 0.5 --times 2 -p $work > out 2> err
has out 'hot_a'
has out 'main$'
sonde top --call-graph dwarf,4096,nonsense -p $work > out 2> err && fail "nonsense" || has err "'nonsense' is none of"

t what_a_recording_has
sonde record -o top.data -- workload shape 2000 > out 2>&1
sonde top --input top.data -d 0.5 -n > out 2> err
eq "$?" 0
[ "$(grep -c 'samples/s' out)" -ge 4 ] && ok || fail "$(cat out)"
has out 'of .*, top.data$'
between "$(share hot_a)" 520 680
between "$(share hot_c)" 60 150
# Nothing of it is left out: with -z each screen has its own samples, and they add up to the recording's.
sonde top --input top.data -d 0.5 -z -n -E 100000 -v --stdio > out 2> err
sonde report -i top.data -n --stdio 2> err | awk '$1 ~ /%$/ { n += $2 } END { print n + 0 }' > all
awk '$1 ~ /%$/ { n += $2 } END { print n + 0 }' out > sum
eq "$(cat sum)" "$(cat all)"
sonde top --input top.data -d 0.5 -s comm --symbols hot_b > out 2> err
has out ' workload$'
sonde top --input top.data -p 1 > out 2> err
grep -q hot_ out && fail "another task's" || ok
sonde top --input nowhere > out 2> err && fail "no such file" || has err nowhere
sonde top --input top.data -u 0 > out 2> err && fail "a user's" || has err 'recording'
sonde record -o - -- workload shape 300 2> err | sonde top --input - > out 2> err
has out hot_a

# Of an hour's samples, ten times as many, the same is kept.
t memory_does_not_grow
most() {
	hourlong "$1" > hour.data
	python3 -c '
import resource, subprocess, sys
subprocess.run(["sonde", "top", "--input", "hour.data", "-z"], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'
	rm hour.data
}
if command -v hourlong > /dev/null; then
	early=$(most 400000)
	late=$(most 2000000)
	[ "$late" -le $((early * 120 / 100)) ] && ok || fail "$early KiB of 400,000 samples, $late of 2,000,000"
else
	skip "no hourlong"
fi

t words_of_perfs
# Processes go before CPUs there, with a warning.
perf_top() {
	mkdir -p links
	ln -sf "$(command -v sonde)" links/perf
	links/perf top "$@"
}
perf_top --stdio --tui --proc-map-timeout 500 -d 0.4 --times 3 -a -v -p $work > out 2> err
has out 'hot_a'
has err 'PID/TID switch overriding SYSTEM'
sonde top --kallsyms /proc/kallsyms --no-demangle -d 0.4 --times 3 -p $work > out 2> err
has out 'hot_a'
perf_top --group --force --overwrite --namespaces --ignore-vmlinux --num-thread-synthesize 2 --objdump x --source --asm-raw -d 0.4 --times 2 -p $work > out 2> err
has out 'hot_a'
for refused in --group-sort-idx=1 --hierarchy --sym-annotate=f -D '-M intel' --prefix=/x --prefix-strip=1 '-w 10' -b '-j any' --stitch-lbr --all-cgroups \
	--switch-on=x:y --switch-off=x:y --show-on-off-events --demangle-kernel '-r 1' --raw-trace; do
	perf_top $refused --times 1 -d 0.1 -p $work > out 2> err && fail "$refused is taken" || ok
	grep -q 'unknown option' err && fail "$refused is not known" || ok
done
sonde top --vmlinux ./nowhere -d 0.4 --times 1 -p $work > out 2> err && fail "no such kernel" || has err 'nowhere'

t the_past_counts_with_z_for_nothing
sonde top -z -d 1 --times 6 -p $work --stdio > out 2> err &
top=$!
wait_for has_lines out 'samples/s' 1
kill -STOP $work
wait $top
kill -CONT $work
eq "$(awk '/samples\/s/ { n++ } /hot_a/ { at[n] = 1 } END { print at[1] + 0, at[6] + 0 }' out)" "1 0"

# Each is a file of its own, whose symbols are some 20 KiB: the numbers are those of the programs, and those that go on keep theirs.
t programs_that_come_and_go
mkdir -p jobs
jobs() {
	i=0
	while [ -e jobs ]; do
		i=$((i + 1))
		cp "$(command -v workload)" jobs/w$i && jobs/w$i shape 20
	done
} 2> /dev/null
jobs &
jobs=$!
sonde top -a -z --max-memory 1M -d 0.4 --times 25 -E 5000 > out 2> err
mv jobs over
wait $jobs
given=$(sed -n 's/.*symbols of \([0-9]*\) files were given back.*/\1/p' out | tail -n 1)
[ "${given:-0}" -gt 5 ] && ok || fail "$given files given back: $(tail -n 3 out)"
has out ' w[0-9]+ +\[\.\] hot_a'
grep -q ' workload  *\[\.\] hot_a' out && ok || fail "the one that goes on has no name"
rm -rf over

t wrong_command_lines
for bad in '-d 0' '-d x' '-F 0' '-s trace' '-s nothing' 'sleep 1' '-e {a' '--percent-limit 101' '-r 1' '--raw-trace' '-p 0' '--max-memory 1' '--max-memory x'; do
	sonde top --times 1 $bad > out 2> err
	[ $? -ne 0 ] && [ -s err ] && ok || fail "$bad: $(cat err)"
done

t of_a_user_that_may_not
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ] && command -v setpriv > /dev/null; then
	setpriv --reuid 65534 --clear-groups sonde top --times 1 > out 2> err
	[ $? -ne 0 ] && has err 'perf_event_paranoid' || fail "$(cat err)"
fi

command -v tmux > /dev/null || {
	t on_a_terminal
	skip "no tmux"
	exit 0
}
# screen COLUMNS ROWS OPTIONS...: top on such a terminal; what it says behind it stands below.
screen() {
	tm kill-server 2> /dev/null
	screens=$((screens + 1))
	tm new-session -d -s top -x "$1" -y "$2" "stty -g > before; $TERMS sonde top -d 0.3 -p $work $3 2> top.err; stty -g > after; sleep 2; stty -g > after; echo ended; sleep 1000"
}
shows() {
	tm capture-pane -p -t top > now
	grep -Eq -- "$1" now
}
keys() {
	tm send-keys -t top "$@"
}

t on_a_terminal
screen 80 24 -g
wait_for shows 'hot_a'
shows '^[0-9]+ samples/s  kernel' && ok || fail "$(cat now)"
[ "$(wc -l < now)" -le 24 ] && [ "$(awk 'length > 80' now | wc -l)" = 0 ] && ok || fail "$(cat now)"
sed -n 24p now | grep -q '^q end  ? keys' && ok || fail "the last line: $(sed -n 24p now)"

t keys
keys '?'
wait_for shows 'Enter \+ e +its callers'
keys x
wait_for shows 'hot_a'
keys / h o t _ b Enter
wait_for shows '^q end.*hot_b'
[ "$(grep -c 'hot_a' now)" = 0 ] && ok || fail "$(cat now)"
keys Enter
wait_for shows '---hot_b|--hot_b|hot_b$'
keys Escape
wait_for shows 'hot_a'
keys s
wait_for shows '^ *[0-9.]+% +[0-9.]+%  \[\.\] hot_a'
keys i 0 . 1 Enter
keys p
wait_for shows HELD
cp now held
sleep 1
shows HELD
sed '$d' held > a; sed '$d' now > b
cmp -s a b && ok || fail "what is held has changed"
keys p P
wait_for shows 'sonde-top.txt has all rows'
[ -s sonde-top.txt ] && ok || fail "nothing was saved"
has sonde-top.txt 'hot_a'
keys U
wait_for eval '! shows hot_'
keys U
wait_for shows hot_b
keys E
wait_for shows 'main'
wait_for shows '--hot_b|---hot_b'
keys C
wait_for eval '! shows "--hot_"'
keys e
wait_for shows '--hot_|---hot_'
keys C L 4 0 Enter
wait_for eval '! shows hot_c'
keys L x Enter
wait_for shows 'no percentage'
keys L 0 Enter
wait_for shows hot_c
keys y
wait_for shows 'no such key'

t keys_of_perfs
keys H
wait_for shows '^ +(Children +)?(Self|Overhead) +Symbol'
keys H
wait_for eval '! shows "Overhead|Self "'
keys c 1 0 0 0 0 0 0 Enter
wait_for eval '! shows hot_'
keys c x Enter
wait_for shows 'no number'
keys c 0 Enter
wait_for shows hot_c
keys t
wait_for shows 'not told apart by thread'
keys S
wait_for shows 'not told apart by socket'
keys 1
wait_for shows 'no such event'
keys C V E
wait_for shows '--.*hot_[abc] workload'
keys V C
wait_for eval '! shows "hot_[abc] workload"'
# Where no samples are taken, nothing changes; behind it all goes on.
keys f
wait_for shows STOPPED
cp now held
sleep 1
shows STOPPED
sed '$d' held > a; sed '$d' now > b
cmp -s a b && ok || fail "what is held has changed"
keys f
wait_for eval '! shows STOPPED'
wait_for eval 'shows hot_a && [ "$(sed -n "1s/ .*//p" now)" -gt 100 ]'
keys F / h o t _ Enter
wait_for eval 'shows "of these" && awk "/hot_/ { sub(\"%\", \"\", \$2); n += \$2 } END { exit !(n > 99.5 && n < 100.5) }" now'
keys F Escape

t rows_of_a_thread_and_of_the_event_that_leads
screen 100 24 "-e cpu-clock,page-faults -s comm,sym"
wait_for shows 'hot_a'
keys t
wait_for shows '^q end.* shape|^q end.* workload'
keys Escape 1
wait_for shows 'page-faults,cpu-clock'
keys Tab
wait_for shows 'cpu-clock,page-faults'
screen 80 24 "-s socket,sym"
wait_for shows 'hot_a'
keys S
wait_for shows 'hot_a'
ok
screen 120 24 ""
wait_for shows 'hot_a'

# The row that is chosen is hot_a's: the instructions of its loop are as hot as the function.
t instructions
keys / h o t _ a Enter
wait_for shows '^q end.*hot_a'
keys a
shares_fall_on_several() {
	tm capture-pane -p -t top > now
	awk '$2 == ":" && $1 + 0 > 0 { sum += $1; n++ } END { exit !(n > 1 && sum > 50 && sum < 101) }' now
}
wait_for shares_fall_on_several
sed -n 1p now | grep -q '^hot_a' && ok || fail "$(cat now)"
line=$(sed -n 24p now)
keys Home
wait_for shows '^1/[0-9]+ '
keys H
wait_for eval '! shows "^1/[0-9]+ "'
keys f
wait_for shows HELD
keys t
wait_for shows '^ Period '
keys t
wait_for shows '^ Samples '
keys t f p
wait_for shows 'global period'
keys b p
wait_for shows 'percent: local hits'
keys b o
wait_for shows ': +[0-9a-f]+: +([0-9a-f][0-9a-f] ){2}|: +[0-9a-f]+: +[0-9a-f]{8} '
keys o J
wait_for shows ' : 1 +[0-9a-f]+: '
keys J O
wait_for eval '! shows " : +[0-9a-f]{5,}: "'
keys B
wait_for shows 'sonde script -F brstack'
keys O O O
wait_for shows ' : +[0-9a-f]{5,}: '
keys P
wait_for shows 'sonde-annotate.txt has it'
has sonde-annotate.txt 'Disassembly of'
keys h
wait_for shows 'where a jump goes to'
keys x
wait_for shows '^hot_a'
keys q
wait_for shows '^q end.*hot_a'
keys Escape
wait_for shows 'hot_b'

t calls_are_followed
screen 120 40 -g
wait_for shows 'shape'
keys / s h a p e Enter
wait_for shows '^q end.*shape'
keys a
wait_for shows '^ Percent '
keys / '<' h o t _ a '>' Enter Enter
wait_for shares_fall_on_several
sed -n 1p now | grep -q '^hot_a' && ok || fail "$(cat now)"
keys q
wait_for shows '^shape'
keys q
wait_for shows '^q end.*shape'

t a_terminal_that_changes
tm resize-window -t top -x 120 -y 40 2> err && {
	wait_for eval 'shows "^q end" && [ "$(grep -n "^q end" now | cut -d: -f1)" = 40 ]'
	ok
}

t it_is_given_back
keys Q
wait_for shows '^ended'
cmp before after && ok || fail "$(diff before after)"
screen 80 24 ""
wait_for shows 'hot_a'
# Its guard has another name.
top=$(pgrep -x sonde -P "$(tm display-message -p -t top '#{pane_pid}')")
kill -KILL "$top"
wait_for shows '^ended'
wait_for cmp -s before after
ok

t a_terminal_that_can_do_nothing
TERMS="TERM=dumb" screen 80 24 "--times 2"
wait_for shows '^ended'
tm capture-pane -p -S - -t top > now
has now 'samples/s'
grep -q "$(printf '\033')" now && fail "sequences on a dumb terminal" || ok
