# A build id of 8 bytes in MMAP2: what follows it is read where it stands.
$SONDE --sysroot tests/none script -i tests/data/perf/short_id.data --show-mmap-events -F comm,tid,ip,sym,dso 2>&1
