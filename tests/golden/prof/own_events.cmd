# What profilers of other events say where there are none, and what they cannot do.
of() { echo "# $*"; $SONDE --sysroot tests/none prof "$@" 2>&1; }
of blktrace -p 1
of blktrace -d /dev/nowhere
of blktrace -d /dev/sda -i tests/data/dat/events.dat
of blktrace -d 8:0 -i tests/data/dat/events.dat
of blktrace -e block:block_bio_queue
of kvm-exit --filter exit_reason==48 -i tests/data/dat/events.dat
of kvm-exit -k vcpu_id
of kvm-exit -e sched:sched_switch
