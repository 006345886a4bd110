# Losses are told by whatever reads a recording: 7 lost events, and 5 lost samples (each stands in the place of a sample);
# and a page of a trace.dat before which nobody knows how many are missing.
d=$(mktemp -p tests); cp tests/data/perf/clock.data $d
put() { printf "$2" | dd of=$d bs=1 seek=$1 conv=notrunc 2>/dev/null; }
put 1488 '\002'; put 1504 '\007\0\0\0\0\0\0\0'; put 1656 '\015'; put 1664 '\005\0\0\0\0\0\0\0'
for c in report script; do echo "# $c"; $SONDE --sysroot tests/none $c -i $d 2>&1 >/dev/null | grep -E 'lost|unknown|nobody'; done
cp tests/data/dat/v6.dat $d; put 8203 '\200'
for c in script 'ftrace report'; do echo "# $c"; $SONDE --sysroot tests/none $c -i $d 2>&1 | sed -n 's,tmp[^:]*,DAT,; /lost/p'; done
rm $d
