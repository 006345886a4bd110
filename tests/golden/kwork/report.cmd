# A guest's recording (arm64, Linux 6.12) of interrupts, soft interrupts, work items and switches.
of() { echo "# $*"; $SONDE --sysroot tests/none kwork report "$@" 2>&1; }
of -i tests/data/views/kwork.data
of -i tests/data/views/kwork.data --with-summary --sort count,max --kwork irq,softirq --cpu 0
of --input tests/data/views/kwork.data --name TIMER --json --vmlinux tests/none --kallsyms tests/none
of -i tests/data/views/kwork.data --kwork sched
of -i tests/data/views/kwork.data --kwork nothing
of -i tests/data/views/kmem.data
$SONDE --sysroot tests/none kwork --kwork softirq --verbose --force report -i tests/data/views/kwork.data -q | head -n 4
of -i tests/data/views/kwork.data --time 8.6,8.7 -x ,
