# A guest's recording (arm64, Linux 6.12) of blocks and pages, with call chains of 4; one of perf's in which there are none.
of() { echo "# $*"; $SONDE --sysroot tests/none kmem stat "$@" 2>&1; }
of -i tests/data/views/kmem.data --caller
of -i tests/data/views/kmem.data --caller --line 2 --sort bytes,hit --alloc -l 3 -s ptr
$SONDE --sysroot tests/none kmem --raw-ip --caller -l 3 stat -i tests/data/views/kmem.data -q 2>&1
of --input tests/data/views/kmem.data --page --caller -l 8 --kallsyms tests/none
of -i tests/data/views/kmem.data --page --slab --live --alloc -l 5 --vmlinux tests/none
of -i tests/data/views/kmem.data --alloc -l 2 --json
of -i tests/data/views/kmem.data --page --caller -l 2 --field-separator ';'
of -i tests/data/views/kmem.data --time 1,2 -x , --force
of -i tests/data/views/kmem.data -s foo --caller
of -i tests/data/views/kmem.data -s hit
of -i tests/data/views/kmem.data --live
of -i tests/data/views/kmem.data -j --caller --alloc
of -i tests/data/views/lock.data
$SONDE --sysroot tests/none kmem nothing 2>&1
