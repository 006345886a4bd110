# In records of a pipe, shorter than perf takes them, and none at all.
$SONDE --sysroot tests/none buildid-list -f --verbose tests/data/perf/short_id.data
$SONDE --sysroot tests/none buildid-list -H - < tests/data/perf/pipe.data
$SONDE buildid-list -k -i x; echo $?
d=$(mktemp -d); head -c 3000 tests/data/perf/clock.data > $d/cut; (cd $d; $SONDE --sysroot none buildid-list cut; echo $?); rm -r $d
head -c 300 $SONDE | $SONDE buildid-list -; echo $?
$SONDE buildid-list -m; echo $?
$SONDE --sysroot tests/none buildid-list -k; echo $?
$SONDE buildid-list -i Makefile; echo $?
