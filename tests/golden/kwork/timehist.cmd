# A guest's recording (arm64, Linux 6.12) of interrupts, soft interrupts, work items and switches.
of() { echo "# $*"; $SONDE --sysroot tests/none kwork timehist "$@" 2>&1; }
of -i tests/data/views/kwork.data --kwork softirq | head -n 8
of -i tests/data/views/kwork.data --cpu 1 --name SCHED --json | head -n 3
of --call-graph --max-stack 2 -i tests/data/views/kwork.data --kwork irq --vmlinux tests/none --kallsyms tests/none --symfs tests/none | head -n 5
