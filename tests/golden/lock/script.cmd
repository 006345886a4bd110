# A guest's recording (arm64, Linux 6.12) of writers that wait for a file's lock.
of() { echo "# $*"; $SONDE --sysroot tests/none lock script "$@" 2>&1; }
of -i tests/data/views/lock.data | head -n 3
