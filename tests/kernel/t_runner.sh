#!/bin/sh
# as: root
# kernels: 6.12
# The runner and lib.sh themselves: what must be reported as a failure is.
. "$T_HERE/lib.sh"

cp "$T_HERE/run" "$T_HERE/lib.sh" .

# script NAME: a test of that name from stdin.
script() {
	{ echo '. "$T_HERE/lib.sh"' && cat; } > "t_$1.sh"
	chmod +x "t_$1.sh"
}

# The 'time' line must be among the first ten.
script cases <<'END'
t good; ok
t equal; eq a a
t unequal; eq a b
t empty
t mixed; fail first; ok
t stderr; echo to-stderr >&2; fail why
t line; echo abc > f; has f '^a.c$'
t noline; has f '^b'
t skipped; skip why
t lacking; skip-kernel why
t late_exit; ok; exit 3
END
script needs <<'END'
need sh no-such-command
t never; ok
END
script hangs <<'END'
# time: 1
t endless; ok; sleep 600
END
script probe <<'END'
t left; echo 'p:t_runner/x do_exit' > /sys/kernel/tracing/kprobe_events && ok
END
script process <<'END'
t left; sleep 50 & until grep -q sleep /proc/$!/cmdline; do :; done; ok
END
# Killed, and without its CPU since then, which another session's loop has.
script killed <<'END'
t killed; taskset -p 1 $$; taskset 2 sleep 50 & pid=$!; until grep -q sleep /proc/$pid/cmdline; do :; done
setsid taskset 2 chrt -f 50 workload shape 700 & until [ "$(cat /proc/$!/comm)" = workload ]; do :; done
kill $pid; ok
END
script broken <<'END'
t syntax; if
END

V= SCRIPTS= RESULTS=$PWD/results busybox sh ./run > out
status=$?
grep -o '^[a-zA-Z]* *[a-z_]*[.a-z_]*' out > lines
echo > /sys/kernel/tracing/kprobe_events

t exit_status
eq $status 1

t passed
has lines '^ok   cases.good$'
has lines '^ok   cases.equal$'
has lines '^ok   cases.line$'

t failed
has out '^    . to-stderr$'
for name in unequal empty mixed noline skipped late_exit; do
	has lines "^FAIL cases.$name\$"
done

t skipped
has lines '^skip cases.lacking$'

t output_of_failure_is_shown
has out "^    . fail: got 'a', not 'b'\$"

t need
has lines '^FAIL needs.need$'
grep -q needs.never lines && fail "went on without the command"

t stopped
has out '^FAIL hangs .stopped after 1 s'

t left_probe
has out '^FAIL probe .tracing settings are not as before'
has out 'p:t_runner/x'

t left_process
has out '^FAIL process .left a process: sleep 50'

t killed_process
has lines '^ok   killed.killed$'
grep -q '^FAIL killed' out && fail "$(grep -A 3 '^FAIL killed' out)" || ok

t broken_script
has out '^FAIL broken'

# What does not fit where results are kept is a failure nevertheless.
t no_room_for_results
script full <<'END'
t one; head -c 1000000 /dev/zero > fill; fail why
END
mkdir room line line/claimed
mount -t tmpfs -o size=300k none room
V= SCRIPTS= RESULTS= TMPDIR=$PWD/room busybox sh ./run full > full.out
eq $? 1
has full.out '^FAIL full .what it said is lost'
has full.out '^0 passed, 1 failed, 0 skipped'
echo full > line/line-
V= SCRIPTS= RESULTS= TMPDIR=$PWD/room LINE=$PWD/line busybox sh ./run > /dev/null
has line/full.result '^FAIL full .what it said is lost'
umount room

t results_file
has results "^$(grep -c '^ok ' out) $(grep -c '^FAIL ' out) 1\$"
eq "$(grep -c '^FAIL ' results)" "$(grep -c '^FAIL ' out)"
