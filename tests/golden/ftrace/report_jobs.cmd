# Threads change nothing: of each recording there are three outputs, and they are one. All of them together are enough for
# several threads to have something to do.
same() { for n in 1 2 7; do $SONDE ftrace report "$@" --jobs $n 2>&1 | cksum; done | uniq -c | awk '{ printf "%d ", $1 }'; }
for f in tests/data/dat/*.dat; do echo "$(same -i $f)$(same -w -i $f)${f##*/}"; done
all=$(for n in 1 2 3; do printf -- '-i %s ' tests/data/dat/*.dat; done)
for o in "" "--boundary --debug" "--ts-diff -t" -l -R -N "-O fgraph:tailprint -O ftrace:parent" --align-ts "-F .*:common_pid!=0"; do
	echo "$(same $all $o)all $o"
done
$SONDE ftrace report $all --jobs 7 2>/dev/null | wc -l
status=$(mktemp -p tests)
{ $SONDE ftrace report $all --jobs 7 2>/dev/null; echo $? >$status; } | head -n 1; cat $status; rm $status
$SONDE ftrace report --jobs 0 2>&1 | head -n 1
