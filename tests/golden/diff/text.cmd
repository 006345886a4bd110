# Two and three recordings, the ways to compare, and what to tell apart.
d="$SONDE --sysroot tests/none diff"
p=tests/data/perf
for o in "" "-c delta -o 0" "-c ratio -p" "-c wdiff:3,-2" "-F -p -b" "-q -s comm" "-s pid,comm" "-s cpu -c ratio -F"; do echo "# $o"; $d $o $p/clock.data $p/multi.data 2>&1 | head -n 14 | cut -c 1-150; done
for o in "-d libc.so.6 --percentage relative" "-C workload -s dso -v" "-c wdiff:1,1 -F -s dso -o 0"; do echo "# $o"; $d $o $p/clock.data $p/multi.data 2>&1 | head -n 14 | cut -c 1-150; done
for o in "--time 10%-60% -s comm" "--pid 26717,26725 -s comm" "--tid 26723 -s comm" "--cpu 0" "-S nothing"; do echo "# $o"; $d $o $p/clock.data $p/multi.data 2>/dev/null; done
echo "# three"; $d -s comm,dso -p $p/clock.data $p/multi.data $p/clock.data 2>/dev/null
echo "# against itself"; $d -c ratio -s comm,dso -b $p/clock.data $p/clock.data
