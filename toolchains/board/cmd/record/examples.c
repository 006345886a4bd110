/* examples.c - what a board can do. */
#include "cmd/record/want.h"

const char record_examples[] =
	"sonde record -a -g sleep 10\tthe whole system, with call chains\n"
	"sonde record -F 99 -p 1234 -g -- sleep 5\ta running process\n"
	"sonde record -g ./a.out\ta program with all its children\n"
	"sonde record -e 'sched:*' -a --timeout 1000\tall scheduler tracepoints for a second\n"
	"sonde record -a --overwrite --switch-output\tthe newest, at each SIGUSR2\n"
	"sonde record -a -o - sleep 1 | ssh host 'cat > perf.data'\tnothing is written on the board\n";
