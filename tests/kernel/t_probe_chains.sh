#!/bin/sh
# time: 900
# kernels: 5.10
# also: 6.12
# Call chains of probes at a function's first instruction: the direct caller is there, which is in the link register
# alone then, and which a chain of frame records misses on arm64.
. "$T_HERE/lib.sh"

need sonde workload perf
TRACING=/sys/kernel/tracing
W=$(command -v workload)

# share FILE LEAF CALLER: of the hits in LEAF, in per mille those whose next frame is CALLER (a pattern), and how many
share() {
	awk -v leaf="$2" -v caller="$3" '
		/^[^ \t]/ { depth = 0; next }
		NF == 0 { next }
		{ depth++ }
		depth == 1 { is_leaf = $2 == leaf; n += is_leaf }
		depth == 2 && is_leaf && $2 ~ caller { right++ }
		END { print n ? int(right * 1000 / n) : "none", n + 0 }' "$1"
}

# all FILE LEAF CALLER: every hit, and there are some
all() {
	set -- $(share "$@")
	[ "$1" = 1000 ] && [ "$2" -gt 0 ] && ok || fail "$1 of 1000 hits have their caller, $2 hits"
}

# A leaf that keeps no frame record, and one that does.
for f in bare_leaf leaf; do
	job=leaves
	[ $f = bare_leaf ] || job=tree
	t "program_$f"
	sonde record -q -e "uprobe:$f@$W" -g -o ours.data workload $job 100
	sonde script -i ours.data -F comm,ip,sym > ours
	all ours $f '^(bare_)?(left|right)$'
	echo "p:others/at_$f $W:$(sonde probe -x "$W" -D $f | sed 's/.*:0x/0x/')" >> $TRACING/uprobe_events || fail "no probe"
	# One that somebody else has defined.
	sonde record -q -e "others:at_$f" -g -o ours.data workload $job 100
	sonde script -i ours.data -F comm,ip,sym > ours
	all ours $f '^(bare_)?(left|right)$'
	echo "-:others/at_$f" >> $TRACING/uprobe_events
done

# What calls it is told by the function tracer, which makes frame records for both.
t kernel
F=vfs_read
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cat /proc/uptime /proc/version; done > many
cat > reads << EOF
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do read -r x < many; read -r y < /proc/uptime; done
EOF
echo $F > $TRACING/set_ftrace_filter
echo function > $TRACING/current_tracer
echo 1 > $TRACING/options/func_stack_trace
echo > $TRACING/trace
sh reads
echo 0 > $TRACING/tracing_on
grep '^ =>' $TRACING/trace > stacks
echo nop > $TRACING/current_tracer
echo 0 > $TRACING/options/func_stack_trace
echo > $TRACING/set_ftrace_filter
echo 1 > $TRACING/tracing_on
# Between the function and the system call: whichever the compiler has left there.
grep -A 1 "^ => $F\$" stacks | grep -v -e "=> $F\$" -e -- | sort | uniq -c | sort -rn > callers
head -n 3 callers
caller=$(awk 'NR == 1 { print $3 }' callers)
[ -n "$caller" ] && ok || fail "the function tracer has no stacks: $(head -n 3 stacks)"
sonde record -q -e kprobe:$F -g -o ours.data sh reads
sonde script -i ours.data -F comm,ip,sym > ours
all ours $F "^$caller(\$|\\.)"
perf script -i ours.data -F comm,ip,sym > theirs 2> /dev/null
eq "$(grep -c " $F\$" theirs)" "$(grep -c " $F\$" ours)"
echo "p:others/kernel $F" >> $TRACING/kprobe_events
perf record -q -e others:kernel -g -o theirs.data sh reads > out 2>&1
sonde record -q -e others:kernel -g -o ours.data sh reads
sonde script -i ours.data -F comm,ip,sym > ours
all ours $F "^$caller(\$|\\.)"

# The rest of the chain stays what the kernel says.
t the_rest_of_the_chain
sonde script -i theirs.data -F comm,ip,sym > plain
awk '$2 == "vfs_read" { getline; print $2; getline; print $2 }' plain | sort -u > without
awk '$2 == "vfs_read" { getline; getline; print $2; getline; print $2 }' ours | sort -u > with
eq "$(cat with)" "$(cat without)"
echo "-:others/kernel" >> $TRACING/kprobe_events
exit 0
