# A guest's recording (arm64, Linux 6.12) of writers that wait for a file's lock.
of() { echo "# $*"; $SONDE --sysroot tests/none lock contention "$@" 2>&1; }
of -i tests/data/views/lock.data
of -i tests/data/views/lock.data --verbose --entries 1 --quiet
of --input tests/data/views/lock.data --threads --key contended --field contended,wait_min,wait_max
of -i tests/data/views/lock.data --lock-addr --json
of -i tests/data/views/lock.data --field-separator ';' -v
of -i tests/data/views/lock.data --type-filter mutex
of -i tests/data/views/lock.data --type-filter rwsem:W --callstack-filter shmem,ext4 --max-stack 6 --stack-skip 3
of -i tests/data/views/lock.data --lock-filter ffff000000000000
of -i tests/data/views/lock.data --map-nr-entries 1 --vmlinux tests/none --kallsyms tests/none
of -i tests/data/views/lock.data -t -l
of -i tests/data/views/lock.data -o
of --all-cpus --lock-owner
of --all-cpus --lock-owner --lock-addr
of -i tests/data/views/lock.data -k acquired
of -i tests/data/views/lock.data --type-filter rwsme
of -i tests/data/views/lock.data --lock-filter jiffies_lock
of -i tests/data/views/lock.data --cgroup-filter x
of -i tests/data/views/lock.data --force --lock-cgroup
of -i tests/data/views/lock.data --dump-raw-trace
