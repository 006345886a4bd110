# The kernel's part of the overhead and the programs', as perf has it (-s comm, and -s comm,dso of named.data, are its own lines);
# of several events, with levels, as CSV and JSON, and the columns by their names.
for data in named multi threads; do $SONDE --sysroot tests/none report -q -i tests/data/perf/$data.data --no-children -g none --showcpuutilization -s comm; done
$SONDE --sysroot tests/none report -q -i tests/data/perf/named.data -g none --showcpuutilization -n -s comm,dso
$SONDE --sysroot tests/none report -q -i tests/data/perf/threads.data --hierarchy --showcpuutilization -s comm,dso
$SONDE --sysroot tests/none report -i tests/data/perf/named.data -g none -F overhead_us,overhead_sys,overhead,overhead_guest_sys,overhead_guest_us,comm
$SONDE --sysroot tests/none report -q -i tests/data/perf/named.data -g none -t , --showcpuutilization -s comm,dso 2>&1
$SONDE --sysroot tests/none report -i tests/data/perf/named.data --json --showcpuutilization -s comm,dso -g none | grep overhead
