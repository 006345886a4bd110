# Fields as the print fmt has them (prev_state, of which it shows a part, as the number that it is), and formats in the file's order: as trace-cmd.
for f in v6 v6-be32; do
	for o in -R "-r sched_switch" "-r enter" --events; do
		echo "# $f $o"; $SONDE ftrace report -i tests/data/dat/$f.dat $o 2>&1 | head -n 8
	done
done
