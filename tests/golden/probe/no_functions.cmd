for d in choose "choose \$params"; do echo "# $d"; $SONDE --sysroot tests/none probe -x tests/data/dwarf/alt4.dwz -D "$d"; done 2>&1
