#!/bin/sh
# time: 600
# kernels: 5.10
# also: 6.12
# Nothing is left: probes that a command made for itself go with it, however it ends; those of others stay.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde
TRACING=/sys/kernel/tracing
P=$(dirname "$T_HERE")/bin/probe/mg2static
t programs
[ -x "$P" ] || { skip "the programs are not built"; exit 0; }
ok
# What every opening of a file passes, and the kernel's type information knows.
F=do_sys_openat2 A=filename:string
[ "$SONDE_VM" != 5.10 ] || F=do_filp_open A='pathname->name:string'
K="kprobe:$F/$A/"
cat /dev/null $TRACING/kprobe_events $TRACING/uprobe_events > before
echo "p:others/open $F" >> $TRACING/kprobe_events
echo "p:others/user $P:0x800" >> $TRACING/uprobe_events || fail "the foreign probe"
cat $TRACING/kprobe_events $TRACING/uprobe_events > foreign
ls $TRACING/instances > instances

# left: the probes are those of others, and so are the instances.
left() {
	cat $TRACING/kprobe_events $TRACING/uprobe_events > now
	cmp -s foreign now && ok || fail "$1: $(diff foreign now | grep '^[-+<>]')"
	ls $TRACING/instances > now
	cmp -s instances now && ok || fail "$1: $(diff instances now | grep '^[-+<>]')"
}

t user_probe_without_arguments
sonde record -o r.data -e "uprobe:add@\"$P\"" "$P" > out 2>&1 || { cat out; fail "record"; }
eq "$(sonde script -i r.data 2> err | grep -c 'add')" 3
left end

t user_probe_with_arguments
sonde record -o r.data -e "uprobe:add@\"$P\"/a b/" "$P" > out 2>&1 || { cat out; fail "record"; }
sonde script -i r.data > out 2> err
has out 'a=-3 b=30'
left end

t return_probe
sonde record -o r.data -e "uretprobe:fact@$P/\$retval:u32/" "$P" > out 2>&1 || { cat out; fail "record"; }
sonde script -i r.data > out 2> err
has out '=24$'
left end

t kernel_probe_with_arguments
sonde record -o r.data -e "$K" cat /proc/version > out 2>&1 || { cat out; fail "record"; }
sonde script -i r.data > out 2> err
has out '"/proc/version"'
left end

t counted
sonde stat -x, -o out -e "uprobe:add@\"$P\"" "$P" 2> err
has out '^3,'
left end

E="uprobe:add@\"$P\"/a b/"
# probed: somebody has added probes to those of others.
probed() {
	! cat $TRACING/kprobe_events $TRACING/uprobe_events | cmp -s - foreign
}

# recording: in the background, with probes; the command runs, so signals have been taken over.
recording() {
	rm -f child
	sonde record -a -o r.data -e "$E" -e "$K" sh -c 'echo $$ > child; exec sleep 1000' > out 2>&1 &
	pid=$!
	within 100 [ -s child ] && probed && ok || { cat out; fail "it does not record with probes"; }
}

for s in INT TERM HUP; do
	t "signal_$s"
	recording
	kill -$s $pid
	wait $pid
	left "SIG$s"
done

# Here it may be in the midst of making its probes, and then it is its guard that puts back, a moment later.
t signal_before_the_command
sonde record -a -o r.data -e "$E" -e "$K" sleep 1000 > out 2>&1 &
pid=$!
within 100 probed && ok || { cat out; fail "no probe was seen"; }
kill -TERM $pid
wait $pid
within 100 no_sonde || fail "the guard stays"
left "early SIGTERM"

t killed
recording
kill -KILL $pid
wait $pid 2> /dev/null
kill "$(cat child)"
sonde record -o r2.data -e "$K" true > out 2>&1 || { cat out; fail "the next run"; }
# The guard of the killed one may be at it still.
within 100 no_sonde || fail "a guard stays"
left "the run after SIGKILL"

t command_that_is_not_there
sonde record -o r.data -e "$E" /nowhere/command > out 2>&1 && fail "it ran" || ok
left end

t probe_that_is_not_there
sonde record -o r.data -e "uprobe:nobody@\"$P\"" "$P" > out 2>&1 && fail "taken" || ok
has out nobody
left end

t the_end
sonde probe -n -d 'others:*' > told 2>&1 && grep -q '^Would remove event: others:open' told && ok || fail "-n -d: $(cat told)"
cat $TRACING/kprobe_events $TRACING/uprobe_events | cmp -s foreign - && ok || fail "-n -d removes"
echo "-:others/open" >> $TRACING/kprobe_events
echo "-:others/user" >> $TRACING/uprobe_events
cat $TRACING/kprobe_events $TRACING/uprobe_events > now
cmp -s before now && ok || fail "$(diff before now)"
exit 0
