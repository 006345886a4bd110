# Reads of a disk, 4096 bytes each.
of() { echo "# $*"; $SONDE --sysroot tests/none prof blktrace -i tests/data/prof/disk.data "$@" 2>&1; }
of
of -d 254:0 -x,
of -d 8:0 -j
of --than 5ms
of -e 'block:block_rq_issue/sector<64/' -e 'block:block_rq_insert/sector<64/'
