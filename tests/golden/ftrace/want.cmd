# The options that record, profile, stream, start and set share. What start and set write, and where.
. tests/golden/ftrace/live.sh
# f WORD...: what it says and writes
f() {
	cp -r $top $d/kept
	mkdir -p $d/run $d$PWD
	echo 1 > $d/proc/sys/kernel/ftrace_enabled
	echo 1 > $top/options/function-trace
	mark
	$SONDE --sysroot $d ftrace "$@" 2> $d/err || echo "exit $?"
	sed '/Usage/d; s/^/err: /' $d/err
	written
	grep -H 0 $d/proc/sys/kernel/ftrace_enabled | sed "s|$d|	|"
	rm -r $top $d/run
	mv $d/kept $top
}
f start -p function | tee $d/start
# o OPTION...: what else start does with it
o() {
	echo "# $*"
	f start -p function "$@" > $d/with
	diff $d/start $d/with | grep '^[<>]'
}
for a in -d -D '--module ext4' '--module ext4 -l foo' '--nograph foo' '--nograph foo --no-nograph' '-p function_graph -n foo' '--cmdlines-size 9' \
	'--subbuf-size 8'; do
	o $a
done
o --stderr
o -q
o --profile
o --profile -S
# Done anyway.
f start -p function --no-filter --nosplice --nofifos --fork -k --top | diff $d/start -
# To nowhere that is heard, or all that can be.
for a in --verbose=none '--verbose=none --debug' --verbose=loud; do
	f start -p function -O nosuch $a
done
# Refused everywhere.
for a in '-A guest' '-V guest' '--proxy 3' '--name guest' '--tsync-interval 5' --notimeout --tsc2nsec -F -c '--user root' -t -S; do
	$SONDE --sysroot tests/none ftrace start -p function $a 2>&1 | grep -v Usage
done
# The others do the same as start, if they leave everything as it is at their end.
files() {
	f "$@" | grep '^	' | grep -v '\./tracing_on:'
}
for a in '-d --module ext4 -l foo --nograph foo --cmdlines-size 9 --subbuf-size 8 -b 5 -C mono -M 3 --max-graph-depth 3' \
	"-D -p function_graph -n foo -e sched_switch -f prev_pid==0 -R stacktrace"; do
	files start -p function $a | tee $d/start
	for v in 'record -o /some.dat' stream profile; do
		files $v -k --top -S --profile -p function $a true | diff $d/start - > $d/other || sed "s/^/$v: /" $d/other
	done
done
for a in '' -k; do
	f record -q -o /some.dat --top -p function $a true | grep current_tracer
done
# What is kept of a recording, where its parts are meanwhile, and where is told what.
r() {
	echo "# $*"
	f record -o /some.dat --top -p function -e sched_switch "$@" true | grep -v '^	' | sed 's/ at offset=.*//'
	[ ! -e $d/some.dat ] || $SONDE ftrace dump --summary --options $d/some.dat | sed -n '/systems]\|DATE\|OFFSET/s/, [0-9]* bytes//p'
	rm -f $d/some.dat
}
r
r -a
r -q --date
echo 'now ts: 15' > $top/per_cpu/cpu0/stats
r -q --date
r -q --ts-offset 5
r --stderr
r --temp /nosuch
mkdir $d/rings
f record -q -o /some.dat --temp /rings --top -p function ls $d/rings | grep -v '^	'
# In verbs where they would do nothing: why, and what does it.
for v in record profile stream start set; do
	for a in '-N host:1' --daemonize --proc-map '-o file' '-m 9' -a --date '--compression zstd' '--file-version 7' '--temp .' '--ts-offset 5' \
		'-s 5' '-r 5' --poll --fork --profile '-H a,b/c,d' -G --by-comm; do
		$SONDE --sysroot tests/none ftrace $v -e x $a 2>&1 | grep -v 'tracing file system\|mount -t tracefs\|Usage' | sed "s/^sonde:/$v:/"
	done
done
$SONDE ftrace record -e x -N host:1 -o file 2>&1
