# Rows told apart by callers, from the innermost or the outermost one on, and by sockets; what the machine is. Checked beside perf's by tests/host.
k=$(mktemp -p tests); for i in 1000 1590 15c0 1600 16d0 1b90 1c00; do echo "ffffffff8${i}000 T f_$i"; done >$k
r="$SONDE --sysroot tests/none report -i tests/data/perf/clock.data --kallsyms $k -q -g none"
for o in "--no-children -p ^f_1[56] -s sym" "--no-children -G -p ^f_1[56] -s sym" "--children -p ^f_15 -s comm,parent" "--no-children -p ^f_15c -s comm --exclude-other" \
	"--no-children -s socket,parent" "--no-children -s comm --socket-filter 0" "--no-children -s comm --socket-filter 3" "--no-children -x, -p ^f_1 -F sample,parent,socket"; do
	echo "# $o"; $r $o 2>/dev/null | head -n 8
done; rm $k
$SONDE --sysroot tests/none report -i tests/data/perf/clock.data --no-children -g none -j -s socket,parent -p . 2>/dev/null | head -n 4
m="$SONDE --sysroot tests/none report -i tests/data/perf/clock.data"
$m -s comm --socket-filter 0 --no-children -g none 2>/dev/null | grep '^# [SEP]'
$m --header-only -I | grep -E '^# (sib|CPU|node|mem|  )'; $SONDE --sysroot tests/none script -i tests/data/perf/arm-clock.data --header-only -I | grep -E '^# (sib|CPU|node|mem|  )'
for o in --exclude-other '-p (' '--socket-filter x'; do $m $o; done
$SONDE --sysroot tests/none report -i tests/data/perf/multi.data -s parent --no-children -g none
$SONDE --sysroot tests/none report -i tests/data/perf/jit.data -s parent; $SONDE --sysroot tests/none report -i tests/data/perf/big_endian.data --socket-filter 0
