# `ls /` as perf trace record has recorded it, with formats of calls, and without.
# The C library under the sanitizers has another word for ENOTTY.
of() { echo "# $*"; $SONDE --sysroot tests/data/syscalls/root trace -i tests/data/syscalls/ls.data "$@" 2>&1 | sed 's/Inappropriate ioctl for device/Not a tty/'; }
of | head -n 12
of | tail -n 4
of -e futex,ioctl
$SONDE --sysroot tests/none trace -i tests/data/syscalls/ls.data --max-events 3
of -e '!mmap,openat,close,read' -T | head -n 4
of --expr brk --failure
of --failure -e 'st*,ioctl' --no-comm
of --duration 0.02
of --max-events 2
of -s | head -n 14
of -S --errno-summary --event access,statfs
of -s -x , -e 'm*'
of -s -j -e brk -q
of --filter-pids 28144
# Lines for programs: the same calls, arguments and results.
of -j -e openat,read,exit_group -q | tail -n 8
of -j -T --max-events 2 -e statfs
of -j -q | grep -c '^{'
of -q | grep -c ' = '
# What it does not take.
of -x ,
of -j -S
of -j --call-graph fp
of -e nosuch
of -e opnat
of --no-syscalls
of --no-syscalls -s -e 'net:*'
of --duration long
of --filter-pids x
of --pf some
of --sched
of --call-graph some
for option in '--map-dump x' '--max-stack 0' '--min-stack x' --print-sample '--switch-off x:y' '--switch-on x:y' --tool_stats; do
	of $option
done
of --filter 'a > 1'
of --string-size 1000
of --strings some
of -e %nosuch
# Classes, and what is taken off them.
of -e '%memory,!mmap,!mprotect' --sort-events --syscalls --comm
of -e 'open*,stat*' -e '!openat'
of -e '!%memory,close,read,stat*,openat,newf*,arch*,set_*,rseq' | head -n 5
