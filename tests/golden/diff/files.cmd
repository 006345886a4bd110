# Where names come from, and colours; what perf takes and means nothing here.
k=$(mktemp -p tests); for i in 1000 1590 15c0 1600 16d0 1b90 1c00; do echo "ffffffff8${i}000 T f_$i"; done >$k
d="$SONDE --sysroot tests/none diff"
p=tests/data/perf
$d --kallsyms $k -f -m $p/clock.data $p/multi.data 2>&1
$d --kallsyms $k -v --symfs tests --no-demangle -s sym,dso $p/clock.data $p/multi.data 2>/dev/null
$d --stdio-color always -c delta -q -s dso $p/clock.data $p/multi.data 2>/dev/null | cat -v
$d --vmlinux $p/vmlinux -s sym $p/clock.data $p/multi.data 2>/dev/null
rm $k
