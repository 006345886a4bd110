#!/bin/sh
# as: root
# time: 200
# What people see: captures of top, the browser and annotate on terminals of tmux, of two sizes and of one that can do nothing. They are
# in screens/NAME; UPDATE=1 writes them: look at each before it is committed. Of top, where time has a say, all digits are 0.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde workload tmux

data=$(cd "$T_HERE/../data" 2> /dev/null && pwd)
kept=$T_HERE/../host/screens
[ -n "$data" ] && [ -d "$kept" ] || {
	t screens
	skip "no recordings here"
	exit 0
}
# What does not come within seconds does not come.
wait_for() {
	within 15 "$@" > /dev/null 2>&1 && ok || fail "in 15 seconds: not $*: $(cat now)"
}
tm() {
	tmux -L "sonde-screens-$$-$screens" -f /dev/null "$@"
}
screens=0
trap 'st=$?; kill $work 2> /dev/null; wait $work 2> /dev/null; tm kill-server 2> /dev/null; t_end $st' EXIT

# screen COLUMNS ROWS COMMAND: it is on such a terminal until the next one.
screen() {
	tm kill-server 2> /dev/null
	screens=$((screens + 1))
	tm new-session -d -s s -x "$1" -y "$2" "$3 2>&1; echo ended; sleep 1000"
}
now() {
	tm capture-pane -p -t s | sed 's/ *$//' > now
}
shows() {
	now
	grep -Eq -e "$1" now
}
keys() {
	tm send-keys -t s "$@"
}
# is NAME [SED]: the screen is the one that is kept.
is() {
	now
	sed "${2:-}" now > got
	[ -z "$UPDATE" ] || cp got "$kept/$1"
	cmp -s "$kept/$1" got && ok || fail "$1: $(diff "$kept/$1" got)"
}

# A sysroot is in front of absolute names.
cp -R "$data/annotate" spin
spin="sonde --sysroot none report --symfs spin -i spin/spin.data"
for size in "80 24" "120 40"; do
	columns=${size% *}
	t "browser_of_${columns}_columns"
	screen $size "$spin"
	wait_for shows '^1/.*end'
	is "browse_$columns"
	keys '?'
	wait_for shows 'Ctrl-L'
	is "browse_help_$columns"
	keys q
	wait_for shows '^1/.*end'
	keys a
	wait_for shows '40015c: mul'
	is "annotate_$columns"
done

t browser_that_changes_its_size
screen 120 40 "$spin"
wait_for shows '^1/.*end'
tm resize-window -t s -x 80 -y 24 2> err && {
	wait_for eval 'shows "^1/" && [ "$(grep -n "^1/" now | cut -d: -f1)" = 24 ]'
	is browse_80
}

t text_where_a_terminal_can_do_nothing
screen 80 40 "TERM=dumb PAGER=cat $spin -q"
wait_for shows '^ended'
is browse_dumb
screen 80 100 "TERM=dumb PAGER=cat sonde --sysroot none annotate --symfs spin -i spin/spin.data --no-source work"
wait_for shows '^ended'
is annotate_dumb

t samples_are_taken_here
workload shape 120000 &
work=$!
if ! sonde top -d 0.3 --times 1 -p $work > out 2> err; then
	skip "cannot sample: $(head -n 1 err)"
	exit 0
fi
ok

# Hangup, crash, what kill sends, and what nobody can catch.
t a_terminal_is_given_back_whatever_ends_it
if command -v python3 > /dev/null; then
	for signal in 1 9 11 15; do
		python3 "$T_HERE/../host/given_back.py" $signal sonde top -d 0.3 -p $work > said 2>&1 && ok || fail "top, signal $signal: $(cat said)"
		python3 "$T_HERE/../host/given_back.py" $signal $spin > said 2>&1 && ok || fail "report, signal $signal: $(cat said)"
	done
else
	skip "no python3"
fi

# A digit more or less moves nothing that is kept, and process ids have any number of them.
digits="s/[0-9][0-9]*/0/g; s/^ *0/ 0/; s/ *\$//"
top="sonde top -d 0.3 -e cpu-clock -p $work --dsos workload --symbols hot_a,hot_b,hot_c"
for size in "80 24" "120 40"; do
	columns=${size% *}
	t "top_of_${columns}_columns"
	screen $size "$top"
	wait_for shows 'hot_a'
	wait_for shows 'hot_b'
	wait_for shows 'hot_c'
	is "top_$columns" "$digits"
	keys '?'
	wait_for shows 'q +end'
	is "top_help_$columns" "$digits"
done

t top_where_a_terminal_can_do_nothing
screen 120 40 "TERM=dumb $top -d 1 --times 2"
wait_for shows '^ended'
is top_dumb "$digits"
