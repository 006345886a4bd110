#!/bin/sh
# time: 3000
# kernels: 6.12
# Recordings of perf kmem, lock and kwork, and what perf says of them. In each: `file`, `kind`, `args`, `theirs`. Pages are not among
# them: perf cannot read the flags of this kernel's.
. "$T_HERE/lib.sh"
. "$T_HERE/../captures/lib.sh"

t recorded
need perf awk

recording() {
	echo "$@"
	perf "$@" > record.out 2>&1 || fail "perf $1: exit status $?: $(cat record.out)"
}

# kind KIND FILE: what the next ones are of.
kind() {
	kind=$1 file=$2
	half=$(perf script -i "$file" -F time 2> /dev/null | tr -d ':' |
		awk 'NR == 1 { a = $1 } { b = $1 } END { printf "%.6f %.6f", a, (a + b) / 2 }')
	from=${half% *} half=${half#* }
}

# said OPTIONS...: as the kind has them.
said() {
	take
	echo "$kind" > "$taken/kind"
	echo "$file" > "$taken/file"
	echo "$@" > "$taken/args"
	case $kind in
	slabs) perf kmem -i "$file" "$@" stat 2> err ;;
	waits) perf lock "$@" -i "$file" 2>&1 ;;
	works) perf kwork "$@" -i "$file" 2> err ;;
	tasks) perf kwork -k sched,irq,softirq top "$@" -i "$file" 2> err ;;
	esac > "$taken/theirs"
	[ -s "$taken/theirs" ] && ok || fail "$kind $*: $(cat err)"
}

begin blocks
recording kmem --slab record -o blocks.data -- sh -c 'for i in 1 2 3; do ls -l /bin /etc > /dev/null; done'
kind slabs blocks.data
said
said --caller
said --caller -s bytes,callsite -l 7
said --caller -s pingpong,hit,callsite
said --caller -l 3 --raw-ip
said --alloc -l 50
said --alloc -s hit,ptr
said --alloc -s callsite,ptr -l 20 --caller -l 4
said --time "$from,$half" --caller
said --time ",$from"

# Writers of one file wait for each other: each has its lock for so many megabytes that it cannot be done before its CPU goes to another.
cat > writers <<- 'END'
	for w in 1 2 3 4; do
		dd if=/dev/zero of=/tmp/shared bs=48M count=2 conv=notrunc 2> /dev/null &
	done
	wait
	rm /tmp/shared
END
begin waits
recording lock record -a -o waits.data -- sh writers
kind waits waits.data
said contention
said contention -F contended,wait_min,avg_wait,wait_max,wait_total -k wait_max
said contention -k contended
said contention -l
said contention -Y spinlock
said contention -Y mutex,rwsem,rwsem:R
said contention --stack-skip 2 --max-stack 5
said contention -t
said contention -x ,

begin locks
said report
said report -k wait_total -F wait_total,contended
said info -m
said info -t

begin works
recording kwork record -o works.data -- sh -c 'ls -lR /sys/devices > /dev/null; sleep 0.2'
kind works works.data
said report
said report -S -s max,count
said report -C 0 -k irq,softirq
said report -k softirq -n TIMER
said latency
said latency -s count,max -k workqueue
said timehist
said timehist -C 1
said report --time "$from,$half"
said timehist --time "$half,"

begin tasks
recording kwork -k sched,irq,softirq record -o tasks.data -- sh -c 'ls -lR /sys/devices > /dev/null; sleep 0.2'
kind tasks tasks.data
said
said -s runtime
said -s tid
said -C 0

cat /proc/kallsyms > kallsyms
keep kallsyms ./*.data
