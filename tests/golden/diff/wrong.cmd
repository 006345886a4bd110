# What cannot be compared, and why.
d="$SONDE --sysroot tests/none diff"
p=tests/data/perf
for o in "-c x" "-c cycles" "-c ratio:2" "-c wdiff" "-c wdiff:1" "-c wdiff:0,1" "-o 2" "-s nothing" "-s overhead" "-s parent" "-j -x ,"; do echo "# $o"; $d $o $p/clock.data $p/multi.data 2>&1; done
for o in -D --cycles-hist --stream "--percentage half" "--time 5,1" "--stdio-color sometimes"; do echo "# $o"; $d $o $p/clock.data $p/multi.data 2>&1; done
$d; echo $?
$d - -; echo $?
$d $p/clock.data $p/multi.data -c ratio; echo $?
$d $p/clock.data tests/none/at_all; echo $?
$d $p/clock.data README.md; echo $?
head -c 3000 $p/multi.data | $d -s comm $p/clock.data -; echo $?
