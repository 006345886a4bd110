# What lies over a loss of events is no time that was measured, on whatever CPU: the loss is planted before the fourth of CPU 1's pages.
d=$(mktemp -d)
$SONDE ftrace convert --compression none -i tests/data/dat/events.dat -o $d/trace.dat
at=$($SONDE ftrace dump --all -i $d/trace.dat 2> /dev/null | sed -n 's/^[^0-9]*\([0-9]*\) .*size of cpu 1.*/\1/p')
r() { echo "# $*"; $SONDE ftrace report -i $d/trace.dat "$@" > $d/out 2> $d/notes; grep -c 'Latency: ' $d/out; grep 'DROPPED\|^Average' $d/out; sed "s|$d/||" $d/notes; }
r -w
r --profile
printf '\200' | dd of=$d/trace.dat bs=1 seek=$((at + 4096 * 3 + 11)) conv=notrunc 2> /dev/null
r -w
r -w -F sched_switch,sched_wakeup
r --profile
rm -r "$d"
