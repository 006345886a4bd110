# Metrics and their groups, of a machine and of a core that need not be here; what only one PMU has.
list() { $SONDE --sysroot tests/data/root/n1 list "$@" 2> /dev/null; }
list metric | head -n 8
list metricgroup
list --raw-dump metricgroup
list -j metric | sed -n '6,7p'
list --details metric | grep 'ipc\|hit_ratio\|branch_percentage'
list --core neoverse-n2 ll_cache_read_hit_ratio
list --unit 'arm_dsu*' | sed -n '1p;$p'
list --cputype armv8_pmuv3_0 ipc
list --long-desc --deprecated tool
$SONDE --sysroot tests/data/root/vm list metric
$SONDE list --debug
$SONDE list sdt
