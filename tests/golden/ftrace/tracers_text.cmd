# Tracers that keep their longest time alone leave a text, no rings: it is there when the command has ended.
. tests/golden/ftrace/live.sh
echo 'nop function wakeup' > $top/available_tracers
cd $d
for a in '' '-P 1' '-e sched_switch'; do
	echo "# $a"
	: > $top/trace
	timeout -s KILL 20 $SONDE --sysroot $d ftrace record -q -o got --top -p wakeup $a \
		sh -c "(echo '# tracer: wakeup'; echo 'the longest of all') > $top/trace" 2>&1
	echo "exit $?"
	$SONDE ftrace report -i got 2>&1
	rm -f got
done
