# Other columns and shares, and which functions.
a="$SONDE --sysroot tests/none annotate --symfs tests/data/annotate -i tests/data/annotate/spin.data --no-source --no-group"
for o in "-n work" "--show-total-period -s work" "--percent-type global-hits work" "--percent-type local-hits -S mix,work" "--asm-raw -P work" "-v -f -m --stdio --group work" "-q --stdio2 --skip-missing --objdump x work" "-d spin --percent-limit 50" "-C 7" "-c nobody"; do
	echo "== $o"
	$a $o | grep -v "  0.00 :\|  0 :" | head -16
done
