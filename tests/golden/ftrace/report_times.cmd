# Times as asked for: events.dat was recorded with --date. All as trace-cmd 3.3.1 has them, but for --ts-offset, which does nothing there.
r() { echo "# $*"; $SONDE ftrace report -i tests/data/dat/events.dat "$@" 2>&1 | sed -n '2,3p;$p'; }
r
r --nodate
r --align-ts
r --align-ts -t
r --nodate --ts-diff
r --raw-ts
r --ts2secs 1000000
r --ts-offset 1000000000
r --nodate --ts-offset -80192 -t
echo '# of the file before it'
$SONDE ftrace report -i tests/data/dat/functions.dat --ts-offset 20000000000 -i tests/data/dat/profile.dat -t | sed -n '3,4p;$p'
$SONDE ftrace report -i tests/data/dat/functions.dat -i tests/data/dat/profile.dat --ts2secs 1000000000000 -t | sed -n '3p;$p'
$SONDE ftrace report --ts2secs 1000000000000 -i tests/data/dat/functions.dat -t | sed -n 2p
$SONDE ftrace report --ts-offset 5 -i tests/data/dat/functions.dat
# The second sub-buffer of CPU 1 begins three seconds before the first.
d=$(mktemp -d)
$SONDE ftrace convert --file-version 6 -i tests/data/dat/events.dat $d/back.dat
printf '\0\344\13\124\2\0\0\0' | dd of=$d/back.dat bs=1 seek=$((40960 + 4096)) conv=notrunc status=none
$SONDE ftrace report --ts-check -i $d/back.dat 2>&1 >/dev/null
$SONDE ftrace report -i $d/back.dat 2>&1 >/dev/null
$SONDE ftrace report --ts-check -q -i $d/back.dat 2>&1 >/dev/null
rm -r $d
$SONDE ftrace report --ts2secs 0 -i tests/data/dat/functions.dat
