# What cannot be done, and why.
D=tests/data/annotate; a="$SONDE --sysroot tests/none annotate --symfs $D -i $D/spin.data"
for o in "nothing" "mix work" "-M intel" "--objdump x" "--tui" "-n --show-total-period" "--percent-type half" "--percent-limit much"; do
	$a $o
	echo "== $?"
done
$SONDE --sysroot tests/none annotate --symfs /nonexistent -i $D/spin.data work
