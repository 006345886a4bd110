# Threads change nothing: of each recording there are three outputs, and they are one. Enough samples for several to have something to do.
d=$(mktemp -p tests); python3 tests/golden/many.py tests/data/perf/arm-clock.data 60 >$d
same() { for n in 1 2 7; do $SONDE --sysroot tests/none script "$@" --jobs $n 2>&1 | cksum; done | uniq -c | awk '{ printf "%d ", $1 }'; }
for f in tests/data/perf/*.data tests/data/dat/*.dat; do echo "$(same -i $f)$(same -j -i $f)${f##*/}"; done
for o in "" -j "-F +addr,+dsoff,-time" "-G --ns" "--show-task-events --show-mmap-events --max-stack 3" "--hide-unresolved --comms workload"; do
	echo "$(same -i $d $o)samples $o"
done
$SONDE --sysroot tests/none script -i $d --jobs 7 2>/dev/null | awk '/cycles|clock/ { n++ } END { print n }'
# A reader that has seen enough.
status=$(mktemp -p tests)
{ $SONDE --sysroot tests/none script -i $d --jobs 7 2>/dev/null; echo $? >$status; } | head -n 1; cat $status; rm $status
for n in 0 65 x; do $SONDE script --jobs $n -i $d 2>&1 | head -n 1; done
rm $d
