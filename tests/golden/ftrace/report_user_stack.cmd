# A stack goes with the event before it, also one of the user: the same recording, its stacks called user_stack, shows as many.
d=$(mktemp -d)
$SONDE ftrace convert --file-version 6 -i tests/data/dat/profile.dat -o $d/kernel.dat
LC_ALL=C sed 's/name: kernel_stack$/name: user_stack  /' $d/kernel.dat > $d/user.dat
for which in kernel user; do
	for event in sched_switch sched_wakeup irq_handler_entry; do
		$SONDE ftrace report -i $d/$which.dat -F $event > $d/shown
		echo "$which: $event $(grep -c " $event:" $d/shown), stacks $(grep -c " ${which}_stack:" $d/shown)"
	done
done
rm -r $d
