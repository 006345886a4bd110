# How events are told. Each option changes its lines and only these: the first of them, and how many there are. As trace-cmd 3.3.1 has them.
d=$(mktemp -d)
r() {
	f=tests/data/dat/$1.dat
	shift
	$SONDE ftrace report -i $f > $d/plain
	$SONDE ftrace report -i $f "$@" > $d/other
	echo "# $f $*: $(diff $d/plain $d/other | grep -c '^>')"
	diff $d/plain $d/other | grep '^>' | head -n 4
}
r profile -N
r profile -L
$SONDE ftrace report -N -i tests/data/dat/profile.dat | cmp - $d/other
r profile -n sched_switch
r profile -n FTRACE
r profile -n raw_syscalls
r profile -n sched
r events -r irq_handler_entry -r kmem
r events -R
r events -l
r functions -O parent
r functions -O ftrace:parent -O offset
r functions -O ftrace:indent=0
r functions -O fgraph:parent
r profile -O tailprint
r profile -O fgraph:tailprint=1 -O fgraph:depth
r profile -O offset
r functions -O offset -O ftrace:offset=0
# Other functions.
printf 'ffffbe2189a51290 T my_open\nffffbe2189a5129d T none\n' > $d/kallsyms
r functions --kallsyms $d/kallsyms | sed "s|$d/||"
$SONDE ftrace report --kallsyms $d/nosuch tests/data/dat/functions.dat 2>&1 | sed "s|$d/||"
# Notes, none of them, not even errors.
of() { echo "# $*"; $SONDE ftrace report "$@" 2>&1 > /dev/null; echo "exit $?"; }
for o in --verbose --verbose=warn --verbose=2 -Verr -q --verbose=0 --verbose=loud; do
	of $o -i tests/data/dat/v7-zstd.dat
	of $o -i tests/data/dat/nosuch.dat
done
rm -r $d
