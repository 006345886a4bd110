# Threads change nothing: of each line there are three. Enough samples for several to have something to do.
d=$(mktemp -p tests); python3 tests/golden/many.py tests/data/perf/arm-clock.data 300 >$d
for c in report "report -j --percent-limit 20" "report --no-children -g none" "report -d ld-linux-aarch64.so.1 --max-stack 9" "flame --folded"; do
	for n in 1 2 7; do $SONDE --sysroot tests/none $c -i $d --jobs $n 2>&1 | cksum; done | uniq -c
done
$SONDE --sysroot tests/none report -i $d --jobs 3 -g none 2>&1 | sed -n 6,16p
for n in 0 65 x; do $SONDE report --jobs $n -i $d 2>&1 | head -n 1; done
rm $d
