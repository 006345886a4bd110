# Where events lie in the ring's sub-buffers; an option of no plugin is passed over with a word.
d=$(mktemp -d)
$SONDE ftrace convert --file-version 6 -i tests/data/dat/v7-zstd.dat $d/6.dat
$SONDE ftrace report --debug -i $d/6.dat 2> /dev/null | grep -B 1 EXTEND
$SONDE ftrace report --debug -i $d/6.dat 2> /dev/null | grep SUBBUFFER
$SONDE ftrace report --debug -i tests/data/dat/v7-zstd.dat 2> /dev/null | grep -A 1 SUBBUFFER
$SONDE ftrace report --boundary -O nosuch:x -i tests/data/dat/v6.dat 2>&1 | head -n 4
rm -r $d
