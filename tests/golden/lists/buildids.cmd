# In records of a pipe, shorter than perf takes them, and none at all.
$SONDE buildid-list -f --verbose tests/data/perf/short_id.data
$SONDE buildid-list -H - < tests/data/perf/pipe.data
$SONDE buildid-list -m; echo $?
$SONDE --sysroot tests/none buildid-list -k; echo $?
$SONDE buildid-list -i Makefile; echo $?
