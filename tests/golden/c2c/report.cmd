d=$(mktemp -d)
head -c 20000 /dev/zero > $d/program
python3 tests/host/mem.py -n 400 -x $d/program $d/loads.data
c2c() { $SONDE --sysroot tests/none c2c report -i $d/loads.data "$@" 2> /dev/null; }
c2c -N
c2c -d rmt -c pid,tid,dso -x , | head -n 40
c2c -d peer --double-cl -j | head -c 3000
rm -r $d
