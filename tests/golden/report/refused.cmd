# Options of perf that would change something that is not done.
for o in -T --tui "-w 10" --demangle-kernel "--stdio-color sometimes" "--percentage relativ" "--percentage half"; do
	$SONDE --sysroot tests/none report -i tests/data/perf/clock.data $o; echo $?
done
for o in --demangle-kernel; do $SONDE --sysroot tests/none script -i tests/data/perf/clock.data $o; echo $?; done
for o in --no-scale -S --table; do $SONDE stat $o true; echo $?; done
