# The layout of perf annotate --stdio: a group side by side, lines of the source, what adrp and add name together.
a="$SONDE --sysroot tests/none annotate --symfs tests/data/annotate -i tests/data/annotate/spin.data"
$a work | sed -n 1,60p
$a -l --no-source --no-group work | head -40
