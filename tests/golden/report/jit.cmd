# Code made at run time, named by its maker's dump: what was at a place when; with lines; and nothing without the dump.
r="$SONDE --sysroot tests/none report -i tests/data/perf/jit.data --dsos '[JIT] tid $(ls tests/data/jit/tmp/jit | tr -dc 0-9)' -q"
echo "# names"; eval "$r" --symfs tests/data/jit -s dso,sym,srcline
echo "# no dump"; eval "$r" -s dso | cat
for o in "--jobs 1" "--jobs 2"; do $SONDE --sysroot tests/none report -i tests/data/perf/jit.data --symfs tests/data/jit -s sym -q $o | sed -n 1,4p; done
echo "# script"; $SONDE --sysroot tests/none script -i tests/data/perf/jit.data --symfs tests/data/jit -F ip,sym,symoff,srcline | sed '/^  /!s/^ *[0-9a-f]* *//' | grep -v '?' | sort | uniq -c
