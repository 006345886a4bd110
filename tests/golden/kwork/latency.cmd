# A guest's recording (arm64, Linux 6.12) of interrupts, soft interrupts, work items and switches.
of() { echo "# $*"; $SONDE --sysroot tests/none kwork latency "$@" 2>&1; }
of -i tests/data/views/kwork.data
of -i tests/data/views/kwork.data --sort max --field-separator ';' --time 1,100 --kwork workqueue -q --force --verbose
of --input tests/data/views/kwork.data --kwork softirq --vmlinux tests/none --kallsyms tests/none -j | head -n 2
