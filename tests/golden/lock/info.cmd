# A guest's recording (arm64, Linux 6.12) of writers that wait for a file's lock.
of() { echo "# $*"; $SONDE --sysroot tests/none lock info "$@" 2>&1; }
of --threads -i tests/data/views/lock.data
of --map --input tests/data/views/lock.data --json --quiet --verbose --kallsyms tests/none --vmlinux tests/none -f
$SONDE --sysroot tests/none lock -i tests/data/views/lock.data --vmlinux tests/none --kallsyms tests/none --verbose --quiet --force info -t -x , 2>&1
of -i tests/data/views/lock.data -m --field-separator , -q
of -i tests/data/views/lock.data --dump-raw-trace
