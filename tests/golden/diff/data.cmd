# For programs: JSON and CSV.
d="$SONDE --sysroot tests/none diff"
p=tests/data/perf
$d -j -s comm,dso $p/clock.data $p/multi.data 2>&1
$d -j -c wdiff:1,2 -s cpu,tid $p/clock.data $p/clock.data $p/multi.data 2>/dev/null | head -n 8
$d --csv , -p -s pid,dso $p/clock.data $p/multi.data
$d -t ';' -q -c ratio -s comm $p/clock.data $p/multi.data $p/clock.data
