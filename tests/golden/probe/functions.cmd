for f in gcc5 clang5; do $SONDE --sysroot tests/none probe -x tests/data/dwarf/$f -F; $SONDE --sysroot tests/none probe -x tests/data/dwarf/$f -v -F "*"; done
