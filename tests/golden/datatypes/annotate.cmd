# The layout of perf annotate --data-type --stdio: a type with the samples of its members, numbers, and what became of all samples.
a="$SONDE --sysroot tests/none annotate --symfs tests/data/datatypes -i tests/data/datatypes/touch.data"
$a --data-type --type-stat
$a --data-type=counters -n
$a --data-type=pair --percent-type global-period
