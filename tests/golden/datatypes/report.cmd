# Rows by what an arm64 program's loads and stores touch, and by the cache lines of it.
r="$SONDE --sysroot tests/none report --symfs tests/data/datatypes -i tests/data/datatypes/touch.data -q"
$r -s sym,type
$r -s type,typeoff -n
$r -s typecln
$r -s symoff | head -12
$r -s type --hierarchy
$r -s typeoff -x ,
