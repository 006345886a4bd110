# Files of another machine below a folder: what is defined has their own paths; links there do not lead out of it.
d=$(mktemp -d); mkdir -p $d/usr/bin $d/usr/lib/aarch64-linux-gnu; ln -s /usr/bin $d/bin
cp tests/data/dwarf/gcc5 $d/usr/bin/prog; cp tests/data/dwarf/gcc5 $d/usr/lib/aarch64-linux-gnu/libprog.so.1; ln -s ../../../../../../etc/passwd $d/usr/bin/out
p() { echo "# $*"; $SONDE probe --symfs $d "$@" 2>&1 | sed "s#$d#DIR#g"; }
p -x /bin/prog -D add
p -x prog -q -D 'work o->name:string'
p -x usr/bin/prog -V add
p -x libprog.so.1 -D add
p -x /bin/prog -F 'a*'
p -x /bin/out -D add
p -x /bin/no -D add
p -x no -F
p -x prog -a add
p -D vfs_read
p -x prog --target-ns 1 -F
$SONDE probe --symfs '' -x prog -F 2>&1
$SONDE probe --cache -x prog -F 2>&1
rm -r $d
