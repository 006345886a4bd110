#!/bin/sh
# time: 600
# kernels: 6.12
# also: 5.10
# What probes of programs count and read where the kernel alone gets it wrong, or shows it as something else.
. "$T_HERE/lib.sh"
. "$T_HERE/lib_wait.sh"

need sonde
PROBES=$(dirname "$T_HERE")/bin/probe

# have PROGRAM: sets p.
have() {
	p=$PROBES/$1
	[ -x "$p" ] || { skip "$1 is not built: see tests/probe/build"; return 1; }
}

# values FILE: what the arguments of its events are, one hit a line.
values() {
	sonde script -i "$1" 2> err | sed -n 's/^.*: *([0-9a-f]*\( <- [0-9a-f]*\)*) //p'
}

# Tasks that inherited the same events change them when they follow each other on a CPU.
t hits_of_tasks_that_fork
if have forks; then
	for i in 1 2 3; do
		sonde stat -x, -o csv -e "uprobe:hit@$p" -- "$p" > out 2>&1 || cat out
		eq "$(sed -n 's/^\([0-9]*\),.*uprobe:hit.*/\1/p' csv)" 1100
	done
	sonde record -q -o forks.data -c 1 -e "uprobe:hit@$p" -- "$p" > out 2>&1 || cat out
	eq "$(sonde script -i forks.data 2> err | grep -c 'hit')" 1100
fi

# hits PROGRAM ARGUMENT...: of the library, counted.
hits() {
	sonde stat -x, -o csv -e "uprobe:hit@\"$PROBES/libforks.so\"" -- "$@" > out 2>&1 || cat out >&2
	sed -n 's/^\([0-9]*\),.*uprobe:hit.*/\1/p' csv
}

# Nobody else has it: as with a program. Else the probe is not put into others, and children of children may lose theirs.
t hits_of_libraries_of_tasks_that_fork
if have forkslib; then
	for i in 1 2 3; do
		eq "$(hits "$p")" 1100
		eq "$(hits "$p" deep)" 5500
		eq "$(grep -c 'may be missing' out)" 0
	done
	sonde record -q -o forks.data -c 1 -e "uprobe:hit@\"$PROBES/libforks.so\"" -- "$p" deep > out 2>&1 || cat out
	eq "$(sonde script -i forks.data 2> err | grep -c 'hit')" 5500
	LD_PRELOAD=$PROBES/libforks.so bash -c 'kill -STOP $$' &
	other=$!
	if within 50 grep -q libforks /proc/$other/maps; then
		for i in 1 2 3; do
			eq "$(hits "$p")" 1100
		done
		sonde stat -e "uprobe:hit@\"$PROBES/libforks.so\"" -- "$p" > out 2>&1
		has out 'hits of .*/libforks.so may be missing in children of children'
	else
		skip "nothing here can be made to have a library"
	fi
	kill -KILL $other
	wait $other 2> /dev/null
fi

# Without arguments it sits where it costs least, but not where others come by.
t calls_alone_are_counted
if have excl; then
	sonde stat -x, -o csv -e "uprobe:entered@$p" -e "uprobe:cold@$p" -- "$p" > out 2>&1 || cat out
	eq "$(sed -n 's/^\([0-9]*\),.*uprobe:\([a-z]*\).*/\2 \1/p' csv | tr '\n' ' ')" "entered 6 cold 3 "
fi

# What hits take is measured beforehand, and may be more than they take.
t one_thread_has_one_core
if have polls; then
	"$p" &
	pid=$!
	sonde stat -o cost --max-overhead 2% -e "uprobe:hit@$p" -p $pid -- sleep 2 > out 2>&1 || cat out
	kill $pid
	wait $pid 2> /dev/null
	cat cost out > all
	has all '(they would take up to|they took at most|they would take) [0-9.]+ % of a core'
	eq "$(sed -n 's/.* \([0-9]*\)[.][0-9]* % of a core.*/\1/p' all | awk '$1 > 100')" ""
fi

t a_global_at_a_return
if have mg2pie; then
	sonde record -q -o global.data -e "uretprobe:add@\"$p\"/global_count r=\$retval/" -- "$p" > out 2>&1 || cat out
	eq "$(values global.data | tr '\n' ' ')" "global_count=41 r=11 global_count=41 r=22 global_count=41 r=27 "
fi

t signs_that_the_kernel_does_not_show
if have mg2static; then
	sonde record -q -o sign.data -e "uprobe:take_pair@\"$p\"/p.x p.y/" -e "uprobe:take_outer@\"$p\"/o->in.tilt/" -- "$p" \
		> out 2>&1 || cat out
	eq "$(values sign.data | tr '\n' ' ')" "tilt_s4=-3 x=8 y_s32=-9 "
fi

t texts_that_know_their_length
if have gofull; then
	sonde record -q -o go.data -e "uprobe:probed/deep/pkg.NewStore@\"$p\"/name:string/" -- "$p" > out 2>&1 || cat out
	# Go begins a function again behind a larger stack, or another goroutine's turn.
	eq "$(values go.data | sort -u)" 'name_string="named" name_string_len=5'
fi

# The kernel answers EINVAL and logs nothing.
t why_an_event_is_refused
for r in 'enable_event:nosuch:event|there is no event' 'stacktrac|no trigger .stacktrac., did you mean .stacktrace.' \
	'disable_event:sched:sched_swich|sched_switch' 'traceoff:many|that is no count'; do
	sonde ftrace start -e sched:sched_switch -R "${r%%|*}" > out 2>&1 && fail "taken: $r"
	has out "${r#*|}"
done
sonde ftrace reset > /dev/null 2>&1
if grep -q 'e\[:' /sys/kernel/tracing/README; then
	sonde probe 'e:mine/x sched.sched_swich' > out 2>&1 && fail taken
	has out 'Attached event does not exist|there is no event .*sched_swich'
fi

t names_of_data
set -- $(awk '$2 ~ /^[dDrR]$/ && ($3 == "def_blk_fops" || $3 == "init_task") { print $1, $3; exit }' /proc/kallsyms)
addr=${1:-} name=${2:-}
if [ "$addr" ]; then
	sonde record -q -o data.data -e "kprobe:do_sys_openat2/d=\\0x$addr:symbol/" -- busybox cat /dev/null > out 2>&1 || cat out
	has_only=$(values data.data | sort -u)
	case $has_only in
	d=$name+0x0/0x*) ok ;;
	*) fail "not $name: $has_only" ;;
	esac
else
	ok      # this kernel does not list them
fi
exit 0
