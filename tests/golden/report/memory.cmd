# More chains than there is memory for: the lightest branches are folded, and told; the same ones whatever the number of threads. The recording has 12,000
# distinct chains of some 13 frames.
d=$(mktemp -p tests); python3 tests/golden/many.py tests/data/perf/arm-clock.data 300 >$d
r="$SONDE --sysroot tests/none"
for c in report "report -j --percent-limit 20" "flame --folded"; do
	for n in 1 2 7; do $r $c -i $d --jobs $n --max-memory 1M 2>&1 | cksum; done | uniq -c
done
$r report -i $d --jobs 2 --max-memory 1M --percent-limit 40 -g none 2>&1
# Nothing is lost: all samples are somewhere.
for m in 1M 4M 64M; do $r flame --folded -i $d --max-memory $m 2>&1 | awk -v m=$m '/^sonde:/ { print; next } { n += $NF; l++ } END { print m, l " chains", n " samples" }'; done
for m in 0 1023K 9x; do $r report --max-memory $m -i $d 2>&1 | head -n 1; done
rm $d
