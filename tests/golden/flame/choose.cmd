# Options that choose samples, how they are weighed, and the picture.
k=$(mktemp -p tests); for i in 1000 1590 15c0 1600 16d0 1b90 1c00; do echo "ffffffff8${i}000 T f_$i"; done >$k
r="$SONDE --sysroot tests/none flame -i tests/data/perf/multi.data --kallsyms $k"
for o in "" "-e page-faults" "-e page-faults --period" "--pid 26726" "--tid 26725 --threads" "--dsos libc.so.6" "--symbol-filter f_10" "-U" "--time 10%-60%" \
	"--max-stack 2 -f"; do
	echo "# $o"; $r --folded $o 2>&1 | head -n 6 | cut -c 1-150
done
for o in "" --inverted "--width 500"; do echo "# $o"; $r -o - $o | grep -o '<svg [^>]*>\|<rect[^>]*>' | sed -n '1p;3p;4p'; done
rm $k
