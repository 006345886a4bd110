# Names of a recording of samples, in what prints them: the file of a frame, the machine in the header.
t=$(mktemp -p tests); sed 's/libc\.so\.6/li\x1b[31m\x9b\r/g; s/AMD EPYC/AMD\x1b[2J\x7f/g' tests/data/perf/clock.data >$t
export TERM=xterm
for c in "script -G" "report -x, --no-children" "report --stdio --no-children" "report --header-only"; do
	for to in tests/golden/tty env; do
		$to $SONDE --sysroot tests/none $c -i $t 2>&1 | grep -a "li.*31m\|AMD" | head -n 2 | cat -v
	done
done; rm $t
