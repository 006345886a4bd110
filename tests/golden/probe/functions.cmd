for f in gcc5 clang5; do $SONDE probe -x tests/data/dwarf/$f -F; $SONDE probe -x tests/data/dwarf/$f -v -F "*"; done
