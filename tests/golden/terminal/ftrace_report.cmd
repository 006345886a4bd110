# A thread that calls itself by escapes (ESC, and CSI as a bare byte and as U+009B) between two letters of UTF-8: a terminal gets none of them, a pipe
# the bytes that trace-cmd writes.
t=$(mktemp); sed 's/trace-cmd/\x1b[31m\x9b\xc2\x9b\r/g; s/rcu_sched/\xc3\xa9\xe2\x82\xacXYZ\x07/g' tests/data/dat/v6.dat >$t
for to in tests/golden/tty "env"; do $to $SONDE ftrace report -i $t 2>&1 | head -n 10 | cat -v; done; rm $t
