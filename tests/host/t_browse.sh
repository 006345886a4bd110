#!/bin/sh
# as: root
# time: 300
# The browser of sonde report, on a terminal of tmux, whose keys are pressed here.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload tmux

tm() {
	tmux -L "sonde-browse-$$-$screens" -f /dev/null "$@"
}
screens=0
# What does not come within seconds does not come.
wait_for() {
	within 15 "$@" > /dev/null 2>&1 && ok || fail "in 15 seconds: not $*: $(cat now)"
}
trap 'st=$?; tm kill-server 2> /dev/null; t_end $st' EXIT

t recording_works_here
if ! sonde record -q -g -e '{cpu-clock:u,page-faults:u}' -F 7999 -o tree.data workload tree 700 2> err; then
	skip "cannot record: $(head -n 1 err)"
	exit 0
fi
sonde record -q -e cpu-clock:u -e page-faults:u -F 4999 -o two.data -- sh -c 'workload shape 300; workload tree 100; ls -R /usr/lib > /dev/null'
ok

# screen COLUMNS ROWS ARGUMENTS: a report on such a terminal; what it says behind it stands below.
screen() {
	tm kill-server 2> /dev/null
	screens=$((screens + 1))
	tm new-session -d -s b -x "$1" -y "$2" "stty -g > before; $TERMS sonde report $3 2> browse.err; echo \$? > status; stty -g > after; sleep 2; stty -g > after; echo ended; sleep 1000"
}
# browser: its pid.
browser() {
	pgrep -x sonde -P "$(tm display-message -p -t b '#{pane_pid}')"
}
shows() {
	tm capture-pane -p -t b > now
	grep -Eq -e "$1" now
}
shows_no() {
	tm capture-pane -p -t b > now
	! grep -Eq -e "$1" now
}
keys() {
	tm send-keys -t b "$@"
}
# line N: of the screen
line() {
	tm capture-pane -p -t b | sed -n "$1p"
}

t a_list_of_rows
screen 80 24 "-i two.data --no-group"
wait_for shows 'hot_a'
line 1 | grep -Eq "^Samples: [0-9]+K? ? of event 'cpu-clock:u', Event count \(approx\.\): [0-9]+" && ok || fail "$(cat now)"
line 2 | grep -Eq '^  Overhead  Command  +Shared Object  +Symbol' && ok || fail "$(cat now)"
line 3 | grep -Eq '^ +[0-9.]+%  [a-z]+ ' && ok || fail "$(cat now)"
line 24 | grep -Eq '^1/[0-9]+  \? help  q end .*/ name *$' && ok || fail "$(line 24)"
[ "$(awk 'length > 80' now | wc -l)" = 0 ] && ok || fail "$(cat now)"
# The same rows as the text has.
sonde report -i two.data --no-group -q 2> /dev/null | sed '/^$/,$d; s/ *$//' | head -n 21 | cut -c 1-80 | sed 's/ *$//' > want
tm capture-pane -p -t b | sed -n '3,23p' | sed 's/ *$//' > got
cmp want got && ok || fail "$(diff want got)"

t the_chosen_line
rows=$(line 24 | sed 's/^1\/\([0-9]*\).*/\1/')
keys j Down j
wait_for shows '^4/[0-9]+ '
keys k Up
wait_for shows '^2/[0-9]+ '
keys NPage
wait_for shows '^2[0-9]/[0-9]+ '
keys PPage
wait_for shows '^[1-4]/[0-9]+ '
keys End
wait_for shows "^$rows/$rows "
keys Home
wait_for shows "^1/$rows "
ok

t filters
keys / h o t _ b Enter
wait_for shows '^with: hot_b  Samples'
[ "$(grep -c '\[\.\]' now)" = 1 ] && ok || fail "$(cat now)"
keys Escape
wait_for shows 'hot_a'
keys d
wait_for shows '^DSO: workload  Samples'
shows 'libc\.so' && fail "$(cat now)" || ok
keys t
wait_for shows '^DSO: workload  thread: workload  Samples'
keys F
wait_for shows 'of what is chosen'
awk '/\[\.\]/ { sub("%", "", $1); n += $1 } END { exit !(n > 99.5 && n < 100.5) }' now && ok || fail "$(cat now)"
keys F Left Left
wait_for shows "^1/$rows "
keys Left
wait_for shows 'all rows are here'
keys / n o t h e r e Enter
wait_for shows '^0/0 '
keys Enter d t a e j E C P
wait_for shows 'sonde-report.txt has it'
keys Left
wait_for shows "^1/$rows "

t another_event
keys Tab
wait_for shows "^Samples.*event 'page-faults:u'"
keys BTab
wait_for shows "^Samples.*event 'cpu-clock:u'"
keys P
wait_for shows 'sonde-report.txt has it'
sonde report -i two.data --no-group 2> /dev/null | sed -n "/^# Samples/,/^\$/p" | sed '/^$/,$d' > want
sed '/^$/,$d' sonde-report.txt > got
cmp want got && [ -s got ] && ok || fail "$(diff want got)"
keys i
wait_for shows '^The recording'
keys / c m d l i n e Enter
wait_for shows '# cmdline : .*two.data'
keys q
wait_for shows '^Samples'

# What each function is for is in the workload's source; annotate's own listing of it is the oracle.
t instructions_of_a_function
keys / h o t _ a Enter
wait_for shows '^with: hot_a'
keys a
wait_for shows '^hot_a'
sonde annotate -i two.data --stdio -s hot_a -d workload 2> /dev/null | tr '\t' ' ' | grep -v '^ *$' | head -n 4 | cut -c 1-60 | sed 's/ *$//; s/  */ /g' > want
tm capture-pane -p -t b | sed 's/  */ /g' > got
has got "$(sed -n '1s/[][().*+?$|\\^/]/./gp;1q' want | cut -c 1-40)"
awk '/ : +[0-9a-f]+: / { if ($1 > most) most = $1 } END { print most }' got > hottest
[ "$(line 24 | sed 's/[/].*//')" -gt 3 ] && ok || fail "the hottest line is not chosen: $(cat got)"
keys / n o w h e r e Enter
wait_for shows 'there is no such text'
keys Escape
wait_for shows '^with: hot_a  Samples'

# The columns are annotate's own.
t keys_of_perfs_annotate
keys a
wait_for shows '^hot_a'
keys t
wait_for shows '^ Period '
keys t
wait_for shows '^ Samples '
keys t
wait_for shows '^ Percent '
tm resize-window -t b -x 120 -y 24 2> err
keys p
wait_for shows 'global period'
keys b
wait_for shows 'global hits'
keys b p
wait_for shows 'local period'
keys P
wait_for shows 'sonde-annotate.txt has it'
sonde annotate -i two.data --stdio -s hot_a -d workload 2> err | head -n 30 | expand > want
head -n 30 sonde-annotate.txt | expand > got
cmp want got && [ -s got ] && ok || fail "$(diff want got)"
keys s
wait_for eval 'shows "^[0-9]+/[0-9]+ " && shows hot_a'
keys '?' h o t _ a '(' Enter
wait_for shows 'hot_a\(\)'
keys h
wait_for shows 'where a jump goes to'
keys q
wait_for shows '^ Percent |hot_a'
keys c
wait_for shows 'sonde script -F brstack'
keys O
wait_for shows_no '0[.]00 :   +[0-9a-f]{6}: '
keys q
wait_for shows '^with: hot_a'

t keys_of_perfs_report
keys Escape
wait_for shows 'hot_b'
keys / h o t _ Enter
wait_for shows '^with: hot_ '
keys Home a
wait_for shows '^hot_'
first=$(line 1)
keys '>'
wait_for eval 'shows "^hot_" && [ "$(line 1)" != "$first" ]'
keys '<'
wait_for eval '[ "$(line 1)" = "$first" ]'
keys '<'
wait_for shows 'no row there'
keys q Escape
wait_for shows '^Samples'
keys K
wait_for shows '^no kernel  Samples'
keys K U
wait_for shows '^no programs  Samples'
shows '\[\.\]' && fail "$(cat now)" || ok
keys U H
wait_for shows_no 'Shared Object'
keys H
wait_for shows 'Shared Object'
keys L 2 0 Enter
wait_for shows_no 'hot_c'
keys L x Enter
wait_for shows 'no percentage'
keys L 0 Enter
wait_for shows 'hot_'
keys S
wait_for shows 'not told apart by socket'
keys 3
wait_for shows 'no such event'
keys r
wait_for shows 'sonde script'
keys m
wait_for shows '^Keys'
keys q y
wait_for shows 'no such key'
keys q
wait_for shows '^ended'
eq "$(cat status)" 0
cmp before after && ok || fail "$(diff before after)"

# Of an arm64 program whose code is known: three samples are moved into the function that it calls.
t calls_and_targets_of_jumps
if command -v python3 > /dev/null; then
	data=$T_HERE/../data/annotate
	python3 -c 'import sys; a, b = (n.to_bytes(8, "little") for n in (0x40015c, 0x400124))
sys.stdout.buffer.write(open(sys.argv[1], "rb").read().replace(a, b, 3))' "$data/spin.data" > called.data
	screen 100 30 "--symfs $data -i called.data --no-group"
	wait_for shows 'work'
	keys / w o r k Enter
	wait_for shows '^with: work'
	keys a
	wait_for shows ' : +400158: bl '
	keys s
	wait_for shows ' : +400134: adrp '
	keys O
	wait_for shows ' :  +28: bl +400120 <mix>'
	shows ' :  +mul ' && shows ' :  +48: sub ' && ok || fail "$(cat now)"
	keys J
	wait_for shows ' : 1 +28: bl '
	shows ' : 1 +5c: mov ' && shows ' :  +b[.]hi ' && ok || fail "$(cat now)"
	keys f
	wait_for shows ' : 1 400158: bl '
	keys f J O O
	wait_for shows ' :  +2c: mul '
	keys O
	wait_for shows ' :  +40015c: mul '
	# There and back, as it was left, and in the way that was chosen meanwhile.
	keys / b l Space Enter
	wait_for shows '^20/'
	chosen=$(line 30 | sed 's/ .*//')
	keys Enter
	wait_for shows '^mix'
	wait_for shows '100[.]00 :   400124: eor '
	keys h
	wait_for shows 'of a call the function; back: q'
	keys q
	wait_for shows '^mix'
	keys q
	wait_for eval 'shows "^work" && shows "^$chosen "'
	keys Right
	wait_for shows '^mix'
	keys t
	wait_for shows '^ Period'
	keys Left
	wait_for eval 'shows "^work" && shows "[0-9]{8} :   40015c: mul"'
	keys Escape
	wait_for shows '^with: work'
	screen 100 30 "--symfs $data -i $data/spin.data --no-group"
	wait_for shows 'work'
	keys / w o r k Enter a / b l Space Enter
	wait_for shows '^work'
	keys Enter
	wait_for shows 'mix: no sample is in it'
	shows '^work' && ok || fail "$(cat now)"
	keys q
	wait_for shows '^with: work'
else
	skip "no python3"
fi

t the_event_that_rows_are_in_the_order_of
screen 120 24 "-i two.data --group"
wait_for shows "page-faults"
in_order() {
	tm capture-pane -p -t b > now
	awk -v c="$1" '/\[[.k]\]/ { v = $c + 0; if (n++ && v > last) bad = 1; last = v } END { exit !n || bad }' now
}
wait_for in_order 1
keys 1
wait_for in_order 2
in_order 1 && fail "both are in order: $(cat now)" || ok
keys 0
wait_for in_order 1
keys q
wait_for shows '^ended'

# Two thirds, one third: what `workload tree` does is known.
t chains_unfold
screen 120 40 "-i tree.data --no-group"
wait_for shows 'leaf'
line 2 | grep -Eq '^  Children +Self ' && ok || fail "$(line 2)"
keys / m a i n Enter
wait_for shows '^with: main'
keys Home Enter
wait_for shows '^-.*main'
wait_for shows '[-+] [0-9.]+% left'
wait_for shows '[-+] [0-9.]+% right'
shows ' leaf' && fail "all is unfolded: $(cat now)" || ok
keys e
wait_for shows_no '^-'
keys e
wait_for shows ' leaf'
awk '/% left$/ { l = $(NF - 1) } /% right$/ { r = $(NF - 1) } END { l += 0; r += 0; exit !(l > 2 * r && l < 4 * r) }' now && ok || fail "$(cat now)"
keys Home Enter
wait_for shows_no '^-'
keys Escape E
wait_for shows 'the chains of [0-9]+ rows'
[ "$(grep -c '^-' now)" -gt 1 ] && ok || fail "$(cat now)"
keys V
wait_for shows ' leaf workload'
keys P
wait_for shows 'sonde-report.txt has it'
has sonde-report.txt '--leaf workload|leaf workload'
keys V
wait_for shows_no 'leaf workload'
keys C
wait_for shows_no '^-'
keys + l
wait_for shows_no '^-'

t rows_of_a_socket
screen 80 24 "-i two.data --no-group -s socket,sym"
wait_for shows hot_a
keys S
wait_for shows '^socket: -?[0-9]+  Samples'
keys Left
wait_for shows '^Samples'

t events_side_by_side
screen 120 40 "-i tree.data"
wait_for shows "events 'anon group \{ cpu-clock:u, page-faults:u \}'"
wait_for shows '^\+ +[0-9.]+% +[0-9.]+% .*leaf'
keys Tab
wait_for shows 'there is one event alone'
keys '?'
wait_for shows 'Tab Shift-Tab'
keys q

t a_terminal_that_changes
tm resize-window -t b -x 100 -y 30 2> err && {
	wait_for eval 'shows "^1/.* help" && [ "$(grep -n "^1/.* help" now | cut -d: -f1)" = 30 ]'
	ok
}
tm resize-window -t b -x 20 -y 2 2> err && wait_for shows '^1/[0-9]+  \? help'
tm resize-window -t b -x 80 -y 24 2> err && wait_for shows 'leaf'
keys C-l
wait_for shows 'leaf'

t it_is_given_back
kill -INT "$(browser)"
wait_for shows '^ended'
cmp before after && ok || fail "$(diff before after)"
screen 80 24 "-i tree.data --tui"
wait_for shows leaf
kill -KILL "$(browser)"
wait_for shows '^ended'
wait_for cmp -s before after
ok

t text_where_there_is_no_terminal_or_none_is_wanted
sonde report -i tree.data 2> err | grep -q '^# Samples' && ok || fail "$(cat err)"
sonde report -i tree.data --tui > out 2> err && fail "a browser in a file" || has err 'takes a terminal'
for how in "TERM=dumb PAGER=cat" "PAGER=cat stdio"; do
	TERMS=${how% stdio}
	screen 80 24 "-i tree.data $(case $how in *stdio) echo --stdio ;; esac)"
	TERMS=
	wait_for shows '^ended'
	tm capture-pane -p -S - -t b > now
	has now '^# Samples'
done

# However many they are.
t words_of_filters_go_along_to_instructions
screen 80 24 "-i two.data --no-group $(seq -f '-c nobody%g' 40 | tr '\n' ' ') -c workload"
wait_for shows '^Samples'
keys / h o t _ a Enter
wait_for shows '^with: hot_a'
keys a
wait_for shows '^hot_a'
wait_for shows ' : +[0-9a-f]+: '
keys q
wait_for shows '^with: hot_a'
keys q
ok

# Names of a program that would have the terminal do something, keys in any order, terminals of any size; the same ones each time.
t any_keys_do_no_harm
if command -v python3 > /dev/null; then
	sed "s/workload/w$(printf '\033[2J')k$(printf '\233')d/g" two.data > hostile.data
	for seed in 1 2 3; do
		python3 "$T_HERE/../host/any_keys.py" $seed 150 sonde report -i $([ $seed = 2 ] && echo hostile.data || echo tree.data) > said 2>&1 && ok || fail "seed $seed: $(cat said)"
	done
else
	skip "no python3"
fi

# On a slow line a key costs no more than the lines that it changes.
t only_what_has_changed_is_sent
if command -v python3 > /dev/null; then
	python3 "$T_HERE/../host/slow_line.py" sonde report -i tree.data -s sym > sent 2> err || fail "$(cat err)"
	awk '$1 == "first" { f = $2 } $1 == "j" { j = $2 } $1 == "again" { a = $2 } END { exit !(f > 1000 && j > 50 && j < f / 5 && a <= 1) }' sent && ok || fail "$(cat sent)"
else
	skip "no python3"
fi
