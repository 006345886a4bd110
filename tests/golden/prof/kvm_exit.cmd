# A program's functions under the names of KVM's events: ten exits of each of two reasons, one of a guest's kernel.
of() { echo "# $*"; $SONDE --sysroot tests/none prof kvm-exit -i tests/data/prof/guest.data "$@" 2>&1; }
of
of --perins -x,
of --filter esr_ec==36 -j
of --than 90us
of --than 90us --detail=samecpu | tail -n 2
