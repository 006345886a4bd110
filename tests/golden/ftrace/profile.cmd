# profile, of rings that hold a recording: it tells what report --profile tells of that, and its options do what those of the report do.
. tests/golden/ftrace/live.sh
recorded profile
p() {
	echo "# $*"
	$SONDE --sysroot $d ftrace profile -q --top "$@" true 2> $d/err | grep '^[A-Za-z]\|^  Event' > $d/live
	head -n 3 $d/err
}
r() {
	$SONDE ftrace report --profile -i tests/data/dat/profile.dat --kallsyms $d/proc/kallsyms "$@" | grep '^[A-Za-z]\|^  Event' | diff - $d/live | head -n 8
}
p
r
grep -c Event $d/live
grep '^task' $d/live
p -G
r -G
grep -i -A 2 '^cpu\|^global' $d/live | head -n 6
p --by-comm
r --by-comm
grep -c ^group $d/live
p --comm trace-cmd
r --comm trace-cmd
grep ^task $d/live
p --comm 'k*'
grep ^task $d/live
p --stderr
wc -l < $d/live
cut -c 1-20 $d/err | grep '^task' | head -n 1
p -o /out
grep '^task' $d/out
