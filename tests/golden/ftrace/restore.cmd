# A description out of copies of another machine's files, and the recording that is made with it.
. tests/golden/ftrace/tree.sh
machine
mkdir $d/copy
cp -r $top/events $d/copy
echo '[global] local' > $d/copy/trace_clock
echo '0xffff800080000100 : "a text"' > $d/copy/printk_formats
echo '284 ls' > $d/copy/saved_cmdlines
echo 'ffff800080000000 T vfs_read' > $d/names
cp $top/per_cpu/cpu0/trace_pipe_raw $d/lost.cpu0
cp $top/instances/one/per_cpu/cpu0/trace_pipe_raw $d/lost.cpu1
cd $d
r() { echo "# $*"; $SONDE ftrace restore "$@" 2>&1; }
told() {
	$SONDE ftrace dump --summary --kallsyms --printk --cmd-lines --systems "$@" 2>&1
	$SONDE ftrace report "$@" 2>&1 | tail -n 1
}
r -c -t copy -k names
told trace-partial.dat
r -i trace-partial.dat -o whole.dat lost.cpu0 lost.cpu1
told whole.dat
echo 'ffff800080000000 T vfs_write' > names
r -t copy -k names lost.cpu0
told trace.dat
r -c -t copy -k nothing
r -c -t nowhere -k names
r -c -i trace.dat
r -i trace-partial.dat -k names lost.cpu0
r -i trace-partial.dat -t copy lost.cpu0
r -t copy -k names
