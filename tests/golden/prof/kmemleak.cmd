# A program that is known to keep 100 blocks of 64 bytes and 20 of 1000: of calls that tell sizes, and returns that tell addresses.
events="--alloc blocks:ask//size=n/stack/,blocks:got//ptr=p/ --free blocks:give//ptr=p/"
leak() { echo "# $*"; $SONDE --sysroot tests/none prof kmemleak -i tests/data/prof/memory.data "$@" 2>&1; }
leak $events
leak --comm -x, $events -q
leak -j $events
leak --than 10ms $events | tail -n 1
d=$(mktemp -d)
$SONDE prof kmemleak $events -i tests/data/prof/memory.data --flame-graph $d/leaks >/dev/null 2>&1; cat $d/leaks.folded; grep -c ' bytes' $d/leaks.svg
rm -r $d
# What it takes.
leak
leak --alloc blocks:got//ptr=p/ --free blocks:give//ptr=p/
leak --alloc blocks:ask//size=n/ --free blocks:give//ptr=p/
leak --alloc blocks:ask --free blocks:give//ptr=p/
leak --alloc blocks:ask//size=n/,blocks:got//ptr=p/ --free blocks:give
leak $events --than soon
leak -e blocks:ask
leak -k p --alloc blocks:got//size=1/ --free blocks:give
