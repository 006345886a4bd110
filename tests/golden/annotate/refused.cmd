# What cannot be done, and why.
a="$SONDE --sysroot tests/none annotate --symfs tests/data/annotate -i tests/data/annotate/spin.data"
for o in "nothing" "mix work" "-M intel" "--tui" "-n --show-total-period" "--percent-type half" "--percent-limit much" --insn-stat --type-stat; do
	$a $o
	echo "== $?"
done
$SONDE --sysroot tests/none annotate --symfs /nonexistent -i tests/data/annotate/spin.data work
