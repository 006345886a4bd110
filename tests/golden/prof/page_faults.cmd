# A program that touches 20 pages; a recording without addresses.
of() { echo "# $*"; $SONDE --sysroot tests/none prof page-faults "$@" 2>&1; }
of -i tests/data/prof/faults.data --top 2
of -i tests/data/prof/faults.data --top 3 -x,
of -i tests/data/prof/faults.data -j | tail -n 3
of -i tests/data/perf/multi.data --top 2
of -i tests/data/perf/multi.data -e cpu-clock
of -i tests/data/prof/faults.data -k comm
d=$(mktemp -d)
$SONDE prof page-faults -i tests/data/prof/faults.data --flame-graph $d/faults >/dev/null 2>&1; grep -c touch_pages $d/faults.folded
rm -r $d
