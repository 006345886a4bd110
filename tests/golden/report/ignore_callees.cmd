# What two functions call is theirs: with call chains, and without. Checked beside perf's with functions of files.
k=$(mktemp -p tests); for i in 1000 1590 15c0 1600 16d0 1b90 1c00; do echo "ffffffff8${i}000 T f_$i"; done >$k
r="$SONDE --sysroot tests/none report -i tests/data/perf/clock.data --kallsyms $k --no-children -q"
for o in "-g none" "-g none --ignore-callees ^f_1[56]d?c?0$" "-g caller,15 --ignore-callees f_16" "-g none --ignore-callees f_(16"; do
	echo "# $o"; $r $o 2>&1 | head -n 12
done; rm $k
