# The same blocks by place; -k is not of the event that tells sizes alone. Only those that are known to be freed are.
by() { echo "# $*"; $SONDE --sysroot tests/none prof kmemprof -i tests/data/prof/memory.data "$@" 2>&1; }
by -e blocks:ask//size=n/stack/,blocks:got//ptr=p/ -e blocks:give -k p
by -e blocks:ask//size=n/stack/,blocks:got//ptr=p/ -e blocks:give -k p --top 1 -x';'
by -e blocks:got//size=1/stack/ -e blocks:give -k p
by -e blocks:got//ptr=p/size=64/ -e blocks:give//key=p/ -j
d=$(mktemp -d)
$SONDE prof kmemprof -e blocks:ask//size=n/stack/,blocks:got//ptr=p/ -e blocks:give -k p -i tests/data/prof/memory.data \
	--flame-graph $d/places >/dev/null 2>&1; cat $d/places.folded
rm -r $d
by -e blocks:got//ptr=p/size=1/
