# A guest's recording (arm64, Linux 6.12) of writers that wait for a file's lock.
of() { echo "# $*"; $SONDE --sysroot tests/none lock report "$@" 2>&1; }
of -i tests/data/views/lock.data --field acquired,contended,wait_total --key wait_total -E 2
of -i tests/data/views/lock.data --threads --combine-locks -j
of --input tests/data/views/lock.data --quiet --field-separator , --vmlinux tests/none --kallsyms tests/none --verbose --force
of -i tests/data/views/lock.data --dump-raw-trace
