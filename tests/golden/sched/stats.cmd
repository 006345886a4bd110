# Copies of /proc/schedstat as kernels of each version write it; all but the first hundreds of each number are what is between.
report() { echo "# $*"; $SONDE --sysroot tests/none sched stats report "$@" 2>&1; }
report -i tests/data/schedstat/v17.txt --summary
report -i tests/data/schedstat/v17.txt --cpu 1 | head -n 20
report --input tests/data/schedstat/v16.txt -s -j | head -n 26
report -i tests/data/schedstat/v15.txt -s --field-separator ';' | head -n 26
report -i tests/data/schedstat/v15.txt --each -s --json | grep -E 'yields|wait_ns|idle_balanced'
report -i tests/data/schedstat/wrapped.txt -C 0 -s -x , | head -n 3
report -i tests/data/views/kvm86.data
report -i tests/none/copies
report -i tests/golden/sched/stats.cmd
report -i tests/data/schedstat/one.txt
report -i tests/data/schedstat/one.txt --each
report -i tests/data/schedstat/v18.txt
$SONDE sched stats diff --summary tests/data/schedstat/v17.txt tests/data/schedstat/wrapped.txt 2>&1 | head -n 12
$SONDE sched stats diff --cpu 0 -s --json tests/data/schedstat/v16.txt tests/data/schedstat/v16.txt 2>&1 | head -n 4
$SONDE sched stats diff --field-separator , -s tests/data/schedstat/v15.txt tests/data/schedstat/v16.txt 2>&1 | head -n 3
$SONDE sched stats diff a b c 2>&1
$SONDE sched stats diff -s tests/data/schedstat/v15.txt tests/data/schedstat/one.txt 2>&1
$SONDE --sysroot tests/none sched stats 2>&1
$SONDE --sysroot tests/none sched stats -s -C 0 -j rep -i tests/data/schedstat/v16.txt 2>&1 | head -n 4
$SONDE --sysroot tests/none sched stats -x , report -i tests/data/schedstat/v16.txt 2>&1 | head -n 2
$SONDE sched stats dif a b c 2>&1
$SONDE sched stats record --interval 90000000 2>&1
