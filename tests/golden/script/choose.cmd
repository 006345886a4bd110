# Options that choose samples, and what is shown of them.
k=$(mktemp -p tests); for i in 1000 1590 15c0 1600 16d0 1b90 1c00; do echo "ffffffff8${i}000 T f_$i"; done >$k
r="$SONDE --sysroot tests/none script -i tests/data/perf/multi.data --kallsyms $k -F comm,tid,event,ip,sym,dso -G"
for o in "" "-e cpu-*" "-e page-faults --pid 26725" "--tid 26726" "--dsos libc.so.6" "--symbol-filter f_10" "-U" "--time 10%-30%" "-f -v --no-inline --show-lost-events"; do
	echo "# $o"; $r $o 2>&1 | head -n 12
done
echo "# --max-stack 2"; $SONDE --sysroot tests/none script -i tests/data/perf/multi.data -F comm,ip --max-stack 2 2>&1 | head -n 4
echo "# --header"; $SONDE --sysroot tests/none script -i tests/data/perf/multi.data --header -F comm,tid 2>&1 | grep cpudesc
rm $k
