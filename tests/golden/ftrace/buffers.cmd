# Which buffers and CPUs a verb is for: what it writes, and where; as trace-cmd 3.3 has it.
. tests/golden/ftrace/tree.sh
f() {
	echo "# $*"
	$SONDE --sysroot $d ftrace "$@" 2>&1
	written
}
f stop
f stop -B one
f stop -B one --top
f stop -B one -B two
f stop -B one -a
f stop -B one -a -t
f stop -a
f stop -B three
f restart
f restart -B one
f restart -B one --top
f restart -a
f clear
f clear -B two
f clear -B one -B two
f clear -a
f clear -B one -a
f snapshot
f snapshot -B one
f snapshot -c 0
f snapshot -B two -c 0
f snapshot -s
f snapshot -s -B one
f snapshot -r
f snapshot -r -B one -c 0
f snapshot -f -c 0
f snapshot -f -B two
f snapshot -s -r
f snapshot -c 7
f snapshot -c zero
rm $top/instances/one/snapshot
f snapshot -f -B one
