/* more.c - none of it on a board. */
#include "cmd/list/more.h"

const struct opt list_more_opts[] = { OPT_END };

const char list_examples[] =
	"sonde list hw cache\tmeaning of generic events on this machine\n"
	"sonde list 'sched:*' -v\ttracepoints with their fields\n";

bool list_metric_json(struct json *j UNUSED, const struct list_item *it UNUSED)
{
	return false;
}

int list_elsewhere(struct ctx *c, const struct list_more_want *w UNUSED, char **words UNUSED, int n_words UNUSED,
		   int (*list)(void *arg, struct out *o), void *arg)
{
	return list(arg, c->out);
}
