#!/bin/sh
# time: 3000
# kernels: 6.1 6.12
# Recordings of this system's own trace-cmd, and its reports of them. In each: `args`, `theirs`. That of 5.10's suite prints its
# version into its reports, knows neither version 7 nor most options.
. "$T_HERE/lib.sh"
. "$T_HERE/../captures/lib.sh"

t recorded
need trace-cmd awk

# recording ARGS...: in the buffers nothing is lost: it would be told in other words. Old versions leave them as large.
size=$(sed 's/.*expanded: //; s/)//' /sys/kernel/tracing/buffer_size_kb)
recording() {
	trace-cmd record -b 8000 "$@" > record.out 2>&1 || fail "trace-cmd record $1 $2: exit status $?: $(cat record.out)"
	echo "$size" > /sys/kernel/tracing/buffer_size_kb
}

# report FILE [OPTION...]. -l: the layout that all versions of trace-cmd have.
report() {
	take
	echo "$@" > $taken/args
	file=$1
	shift
	trace-cmd report -i "$file" -l "$@" > $taken/theirs 2> err || cat err
}

# told FILE OPTION...: as it is.
told() {
	take
	echo "$@" > $taken/args
	file=$1
	shift
	trace-cmd report -i "$file" "$@" 2> /dev/null > $taken/theirs
}

cat > work <<'END'
ls / > /dev/null
echo hello > /sys/kernel/tracing/trace_marker
sleep 0.1
END

begin events
recording -o ev.dat -e sched -e irq -e timer -e raw_syscalls -e kmem -e ipi sh work
report ev.dat
report ev.dat -t --ts-diff -w
report ev.dat --cpu 1 -I
report ev.dat --raw-ts -S
report ev.dat -r timer -r irq_handler_entry -r kmalloc

begin stacks
recording -o stack.dat -e sched:sched_switch -T sleep 0.1
report stack.dat

begin functions
recording -o func.dat -p function -l 'vfs_*' -l 'ksys_*' -l '*schedule*' -F ls /
report func.dat
report func.dat -O parent -O offset -O indent=0

# Of one CPU: trace-cmd takes the next record of any CPU for a call's return, the idle task's of another CPU too.
begin graph
recording -o graph.dat -M 1 -p function_graph -l 'hrtimer_*' -l 'vfs_*' -l 'ksys_*' -l '*nanosleep*' -e sched taskset 1 sleep 0.02
report graph.dat
report graph.dat -O fgraph:tailprint -O depth

begin instances
recording -o inst.dat -e irq -B other -e sched sleep 0.1
report inst.dat

begin what_else_it_tells
for o in --stat --uname --version --cpus --first-event --last-event -e -p -E -P; do
	told ev.dat $o
done

begin fields
told ev.dat -R

trace-cmd --version > version 2>&1
keep version ./*.dat
