/* more.c - none of them on a board. */
#include "cmd/stat/more.h"

const struct opt stat_more_opts[] = { OPT_END };

const char stat_examples[] =
	"sonde stat -- make\tthe default set for a command and all it starts\n"
	"sonde stat -a -I 1000\tthe whole system, every second, until Ctrl-C\n"
	"sonde stat -r 5 -e cycles:u,instructions:u -- ./test\tfive runs, with deviation\n"
	"sonde stat -p 1234 --per-thread --timeout 5000\tthreads of a process for five seconds\n";

int stat_more_check(const struct stat_more_want *w UNUSED, bool each_cpu UNUSED, struct err *e UNUSED)
{
	return 0;
}
