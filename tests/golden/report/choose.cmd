# Options that choose samples and rows, and how they are shown: each changes what stands above it.
k=$(mktemp -p tests); for i in 1000 1590 15c0 1600 16d0 1b90 1c00; do echo "ffffffff8${i}000 T f_$i"; done >$k
r="$SONDE --sysroot tests/none report -i tests/data/perf/multi.data --kallsyms $k --no-children -g none -q"
for o in "-s comm,sym" "--pid 26725,26726 -s comm" "--tid 26725 -s comm,tid" "--dsos libc.so.6" "--symbol-filter f_10" "-U" \
	"-U --percentage relative" "--time 10%-60%" "-s sym -t :" "-s dso -v" "--stdio --stdio-color always" "-f -m --no-inline --stdio-color never"; do
	echo "# $o"; $r $o 2>&1 | head -n 14 | cat -v
done
echo "# --max-stack 2"; $SONDE --sysroot tests/none report -i tests/data/perf/multi.data --no-children -q --max-stack 2 2>&1 | head -n 6
# With callers rows are chosen, whatever the sample is in.
echo "# --children --symbol-filter f_15"; $SONDE --sysroot tests/none report -i tests/data/perf/multi.data --kallsyms $k --children -g none -q --symbol-filter f_15 2>&1 | head -n 6
rm $k
