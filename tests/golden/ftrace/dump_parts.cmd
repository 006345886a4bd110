# The parts of a recording, each alone and all together, as trace-cmd 3.3.1 tells them (which has empty lines between them); levels of messages.
dump() { echo "# $*"; $SONDE ftrace dump "$@" 2>&1; }
d=tests/data/dat
dump --all $d/v6-be32.dat
dump --all $d/functions.dat | grep -vE '^(0x)?f{4}|^	field|^[0-9]+ '
for f in v6 v6-be32 v7-zlib v7-latency; do
	dump --clock $d/$f.dat
done
t=$(mktemp -d)
head -c 30 $d/v6.dat > $t/cut.dat
cd $d
for level in none 0 critical err 2 warning 4 info debug all; do
	dump --verbose=$level --strings v6.dat
	(cd $t && dump --verbose=$level cut.dat)
done
dump --verbose --strings v6.dat
dump --verbose=loud v6.dat
rm -r $t
