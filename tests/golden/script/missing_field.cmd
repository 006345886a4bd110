$SONDE --sysroot tests/none script -i tests/data/perf/group.data -F comm,phys_addr
# What tells of another field, which perf leaves out without a word; what was not asked for goes with it.
for f in comm,sym dso comm,dsoff,addr ip,symoff -ip,-period; do
	$SONDE --sysroot tests/none script -i tests/data/perf/scopes.data -F $f
	echo "exit $?"
done
