# Turns of 1 ms and waits of 5 ms between them, on arm64, where the call is ppoll; recorded of the middle of them.
of() { echo "# $*"; view=$1; shift; $SONDE --sysroot tests/none ovs $view -i tests/data/prof/loop.data "$@" 2>&1; }
of delay -p 188
of delay -p 188 --sample-time 20ms --sample-count 2 --sample-interval 0.01 -x,
of delay -p 188 --sample-count 1 --sample-time 0.01 -j
of delay -p 188 -s 9ms --sample-time 1
of delay -p 188 -s --skip-syscall-poll-events --sample-time 0.01
of delay --start-trigger t:irq:irq_handler_entry --sample-time 1ms -x,
of delay --start-trigger raw_syscalls:sys_exit --stop-trigger raw_syscalls:sys_enter --sample-count 2 -x,
of delay -t 1 -x,
of delay --start-trigger up:poll_block
of delay --start-trigger t:sched:sched_migrate_task
of loop
of loop --than 1050us -x, -q
of loop -i 30 --input tests/data/prof/loop.data -j
