#!/bin/sh
# time: 600
# kernels: 6.12
# The probe commands that people have in their notes, word for word where the function exists here, through the name `perf`.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde
NOTES=$(dirname "$T_HERE")/bin/probe/notes
t programs
[ -x "$NOTES/counts/test" ] || { skip "the programs are not built"; exit 0; }
ok
mkdir names
ln -s "$(command -v sonde)" names/perf
PATH=$PWD/names:$PATH
TOP=$PWD
TRACING=/sys/kernel/tracing

# runs COMMAND...: exit status 0; its output is in out, its messages in err.
runs() {
	"$@" > "$TOP/out" 2> "$TOP/err" < /dev/null
	r=$?
	cat "$TOP/out" "$TOP/err" > "$TOP/all"
	[ $r = 0 ] && ok || { cat "$TOP/err"; fail "exit status $r: $*"; }
}

# count EVENT NUMBER: in what perf script printed.
count() {
	eq "$1 $(grep -c ": *$1: " "$TOP/out")" "$1 $2"
}

t counts_by_function_return_line_and_variable
cd "$NOTES/counts" || exit
runs perf probe -x ./test func_2_entry=func_2
has "$TOP/all" 'Added new event'
has "$TOP/all" 'probe_test:func_2_entry +\(on func_2'
runs perf probe -x ./test func_2_exit=func_2%return
runs perf probe -x ./test test_15=test.c:15
runs perf probe -x ./test test_25=test.c:25 number
runs perf record -o "$TOP/p.data" -e probe_test:func_2_entry -e probe_test:func_2_exit -e probe_test:test_15 -e probe_test:test_25 ./test
runs perf script -i "$TOP/p.data"
count probe_test:func_2_entry 5
count probe_test:func_2_exit 5
count probe_test:test_15 5
count probe_test:test_25 10
eq "$(sed -n 's/.*number=\([0-9]*\).*/\1/p' "$TOP/out" | tr '\n' ' ')" "3 0 7 4 1 8 5 2 9 6 "
# Without a key the events' texts are the rows.
runs perf report --stdio -i "$TOP/p.data"
has "$TOP/out" 'Overhead +Trace output'
has "$TOP/out" '10\.00% .* number=9'
runs perf probe --list
has "$TOP/out" 'probe_test:test_25 +\(on main:[0-9]+@.*test.c in .*/test with number\)'
runs perf probe -d 'probe_test:*'
has "$TOP/all" 'Removed event: probe_test:test_25'

t all_functions_of_a_program
cd "$NOTES/chain" || exit
runs perf probe -x ./test 'func_*'
runs perf probe -d 'probe_test:*'
runs perf probe -x ./test '*'
for f in main func_a func_b func_c func_d; do
	has "$TOP/all" "probe_test:$f +\\(on $f"
done
runs perf record -o "$TOP/p.data" -e 'probe_test:*' -g -aR ./test
runs perf script -i "$TOP/p.data"
for f in main func_a func_b func_c func_d; do
	count "probe_test:$f" 1
done
has "$TOP/out" 'func_d\+0x[0-9a-f]+ \(.*/test\)'
runs perf probe -d 'probe_test:*'

t function_with_stacks
runs perf probe -F -x ./hello
for f in func_a func_b func_c func_d main; do
	has "$TOP/out" "^$f$"
done
runs perf probe -x ./hello func_d
runs perf record -o "$TOP/p.data" -e probe_hello:func_d -aR -g ./hello
runs perf script -i "$TOP/p.data"
count probe_hello:func_d 1
runs perf record -o "$TOP/p.data" -e probe_hello:func_d --proc-map-timeout 500 --call-graph fp -aR ./hello
runs perf report --stdio -i "$TOP/p.data"
has "$TOP/out" "probe_hello:func_d"
runs perf probe -d probe_hello:func_d

t twice_the_same
runs perf probe -x ./test func_d
perf probe -x ./test func_d > "$TOP/out" 2>&1 && fail "taken" || ok
has "$TOP/out" 'already exists|-f'
runs perf probe -f -x ./test func_d
runs perf probe -l
has "$TOP/out" 'probe_test:func_d_1 '
runs perf probe -d 'probe_test:*'

t source_and_variables
runs perf probe -x ./test -L func_d
has "$TOP/out" 'usleep'
runs perf probe -x ./test -V func_d:4
has "$TOP/out" 'msec'

t go_by_name_and_address
p=$NOTES/../gofull
runs perf probe -F -x "$p"
has "$TOP/out" '^probed/deep/pkg\.\(\*Store\)\.Save$'
runs perf probe -x "$p" 'probed/deep/pkg.(*Store).Save'
runs perf probe -x "$p" 'probed/deep/pkg.(\*Store).Save.func1'

addr=0x$(sonde probe -x "$p" -v -F 'probed/deep/pkg.F' 2> /dev/null | awk '{ print $1; exit }')
runs perf probe -x "$p" --add "$addr"
runs perf record -o "$TOP/p.data" -e 'probe_gofull:*' "$p"
runs perf script -i "$TOP/p.data"
eq "$(grep -c probe_gofull: "$TOP/out")" 5
runs perf probe -d 'probe_gofull:*'

t kernel_functions
cd "$TOP" || exit
runs perf probe kfree_entry=kfree
runs perf probe kfree_exit=kfree%return
runs perf record -o p.data -a -e probe:kfree_entry -e probe:kfree_exit sleep 0.2
runs perf script -i p.data
[ "$(grep -c 'probe:kfree_entry: ' out)" -gt 0 ] && ok || fail "kfree is not called"
runs perf probe -d 'probe:kfree*'
runs perf probe --add dev_hard_start_xmit
runs perf probe --add wake_up_new_task
runs perf record -o p.data -e probe:wake_up_new_task -e probe:dev_hard_start_xmit -a -g -- /bin/ip link set lo up
runs perf probe -F --filter 'blk_*'
has out '^blk_'
runs perf probe -d 'probe:*'

# A path that only the container sees.
t target_namespace
mkdir ns
unshare -m sh -c 'mount -t tmpfs none ns && cp "$(command -v workload)" ns/prog && ln -s "$PWD/ns/prog" ns/link && exec ns/prog syscalls 100000000000' &
inside=$!
within 100 grep -q prog /proc/$inside/comm || fail "it does not run"
runs sonde probe -q --target-ns $inside -x "$PWD/ns/prog" inside:hit=syscall
runs sonde stat -x, -o csv -e inside:hit -p $inside sh -c ". '$T_HERE/lib_wait.sh'; goes_on $inside 10"
[ "$(sed -n 's/^\([0-9]*\),.*inside:hit.*/\1/p' csv)" -gt 10 ] && ok || fail "nothing is counted: $(cat csv err)"
runs sonde probe -q -d inside:hit
# A link there leads to a place there.
runs sonde probe --target-ns $inside -x "$PWD/ns/link" -D inside:hit=syscall
has out "/proc/$inside/root$PWD/ns/prog:0x"
sonde probe -q -x "$PWD/ns/prog" inside:hit=syscall > out 2>&1 && fail "the path is not there outside" || ok
kill $inside
wait $inside 2> /dev/null
exit 0
