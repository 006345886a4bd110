#!/bin/sh
# time: 600
# kernels: 6.12
# machine: icount
# What --max-overhead shows of a loop that never waits, where instructions are counted: its hits in all of the time, though
# they slow it down while they are seen. The program says how many they were.
. "$T_HERE/lib.sh"

PROBES=$(dirname "$T_HERE")/bin/probe
need sonde
[ -x "$PROBES/polls" ] || { t polls_is_there; skip "polls is not built: see tests/probe/build"; exit; }

# seen TURNS EVENT [call]: how many of it there are in a second while they are seen.
seen() {
	sonde stat -i -x, -o seen -e "$2" -- "$PROBES/polls" "$1" 1 $3 > real 2> err || cat err
	awk -F, '/probe:/ { print $1 }' seen
}

# estimated TURNS LIMIT SHARE EVENT [call]: of a loop that turns so often between two hits. The estimate is within a twentieth of
# the truth, and its range has it. While they are seen, less than that share of them is made: taken for all, it would be wrong.
estimated() {
	rate=$(seen "$1" "$4" $5)
	sonde stat -i -x, -o csv -e "$4" --max-overhead "$2" -- "$PROBES/polls" "$1" 2 $5 > real 2> err
	cat err
	read -r real < real
	set -- "$3" $(awk -F, '/probe:/ { print $1, $5, $8, $9 }' csv)
	echo "$real in 2 s, $rate in a second that is seen; estimated $2 ($4 .. $5), seen $3 % of the time"
	has err 'instructions in user space'
	awk "BEGIN { exit !($real > 0 && $rate > 0 && $rate * 2 < $1 * $real && $3 < 70) }" && ok || fail "not slowed down"
	awk "BEGIN { exit !($2 > 0.95 * $real && $2 < 1.05 * $real) }" && ok || fail "not within a twentieth"
	awk "BEGIN { exit !(${4:-$real} <= $real && $real <= ${5:-0}) }" && ok || fail "not in its range"
}

# Two nanoseconds for each instruction, three of them in a turn.
hit="uprobe:hit@\"$PROBES/polls\""
call=kprobe:__arm64_sys_getppid

t a_microsecond_between_hits
estimated 160 5% 0.4 "$hit"
t three
estimated 500 5% 0.7 "$hit"
t ten
estimated 1700 5% 0.9 "$hit"
t a_hundred
estimated 17000 1% 1.1 "$hit"

t a_microsecond_between_calls
estimated 160 5% 0.7 $call call
t three_between_calls
estimated 500 5% 0.8 $call call
t ten_between_calls
estimated 1700 5% 0.95 $call call
t a_hundred_between_calls
estimated 17000 0.5% 1.1 $call call
