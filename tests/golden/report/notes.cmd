# What is told beside the rows: throttling, which was told when it was recorded, only with -v or --header; an image of the kernel that is not there, and
# whether it is needed.
t=$(mktemp -p tests); cp tests/data/perf/clock.data $t; printf '\005' | dd of=$t bs=1 seek=5104 conv=notrunc 2>/dev/null
for c in "report -q" "report -q -v" "script" "script -v" "script --header"; do
	echo "# $c"; $SONDE --sysroot tests/none $c -i $t 2>&1 >/dev/null | grep throttled
done; rm $t
echo "ffffffff81000000 T f" >$t; r="$SONDE --sysroot tests/none report -i tests/data/perf/clock.data -g none --no-children -q -k"
for o in "tests/none" "tests/none -s comm" "tests/none --kallsyms $t" "tests/data/perf/clock.data"; do echo "# $o" | sed "s:$t:file:"; $r $o 2>&1 >/dev/null; done; rm $t
$SONDE report -i tests/data/perf/clock.data --percent-limit 200
