# What is taken out, of which buffers, and in which form.
. tests/golden/ftrace/tree.sh
machine
touch $top/options/print-parent
# A tracer's text is no file that ends: it is made when it is read, of the options as they are then.
rm $top/trace
mkfifo $top/trace
cd $d
x() {
	echo "# $*"
	rm -f got
	timeout -s KILL 20 $SONDE --sysroot $d ftrace extract -o got "$@" 2>&1
	echo "exit $?"
	[ ! -e got ] || $SONDE ftrace report -i got 2>&1 | awk '
		/^cpus/ { next }
		/sched_switch/ { n[/^ *one:/ ? "one" : "top"]++; next }
		{ print "	" $0 }
		END { for (b in n) print "	" b, n[b] | "sort" }'
}
x
x -B one
x -B one --top
x -a -t
x --snapshot
x -s -B one
x -q
x --verbose=err
x -p nop --verbose=none
x -p nopp
x -p wakupp --verbose=none
x -p function -O print-parent
x -O print-parent
x -p wakeup -s
text() {
	(echo "# tracer: wakeup"; echo "print-parent is $(cat $top/options/print-parent)") > $top/trace &
	writer=$!
	x "$@"
	kill $writer 2> /dev/null
	wait $writer
	echo "then it is $(cat $top/options/print-parent)"
}
echo 0 > $top/options/print-parent
text -p wakeup
text --plugin wakeup -O print-parent
echo 1 > $top/options/print-parent
text -p wakeup -O noprint-parent
echo wakeup > $top/current_tracer
text
x -p function
x -O noprint-parrent
echo nop > $top/current_tracer
# A date is that of the clock's now.
dated() {
	echo "# --date: $1"
	echo "$1" > $top/per_cpu/cpu0/stats
	$SONDE --sysroot $d ftrace extract -q -o got --date 2>&1
	$SONDE ftrace report -i got 2>&1 | awk -v now="$(date +%s)" '/sched_switch/ {
		match($0, /[0-9]+[.][0-9]+:/)
		t = substr($0, RSTART) + 0
		ago = now - t
		print (ago > 90 && ago < 3600) ? "	100 seconds ago" : "	at some other time"
		exit
	}'
}
dated 'now ts:   100.000000'
dated 'now ts: 100'
