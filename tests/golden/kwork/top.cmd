# A guest's recording (arm64, Linux 6.12) of interrupts, soft interrupts, work items and switches.
of() { echo "# $*"; $SONDE --sysroot tests/none kwork top "$@" 2>&1; }
of -i tests/data/views/kwork.data
of -i tests/data/views/kwork.data --sort tid --cpu 1 --json | head -n 4
of --input tests/data/views/kwork.data --kwork sched --name swapper/0 -x ,
of -i tests/data/views/kwork.data -k workqueue
