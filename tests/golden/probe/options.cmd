# Options of a place, each of which changes what is defined, and what they do not go with.
p() { echo "# $*"; $SONDE --sysroot tests/none probe "$@" 2>&1; }
x=tests/data/dwarf/gcc5
p -x $x -D add
p -x $x --max-probes 3 -D add
p -x $x --max-probes 4 -D add
p -x $x -D '*o*'
p -x $x --max-probes 1 -D '*o*'
p -x $x --no-inlines -D add
p -x $x -q -D abs_of
p -x $x -q --no-inlines -D abs_of
p -x $x -V abs_of
p -x $x --no-inlines -V abs_of
p -x $x -q -D 'abs_of%return'
p -x $x -q --at ret -D 'abs_of%return'
p -x $x --at ret -D abs_of
p -x $x --at entry -D abs_of
p -x tests/data/dwarf/types4 -F
p -x tests/data/dwarf/types4 --no-demangle -F
p -x tests/data/dwarf/types4 --no-demangle -F '*free*'
for o in '--at ret' -f '--max-probes 3' --unsafe --cost --no-inlines --externs --range; do
	p -x $x $o -F | sed -n 2p
done
p -x $x --no-demangle -D fail
p --no-demangle -l
p -x $x --cost -D add | sed -n 2p
