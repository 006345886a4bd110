/* help.c - the attributes and fields that the events of a command line have. */
#include "cmd/prof/help.h"

static const struct { const char *name, *about; } attrs[] = {
	{ "stack", "record the call chain" },
	{ "max-stack=N", "at most N frames" }, { "alias=NAME", "name of the event in the output" },
	{ "exec=EXPR", "evaluated for each event: printf(...)" }, { "cpus=LIST", "only on these CPUs" },
	{ "key=EXPR", "key of the event: top, multi-trace" }, { "printkey=EXPR", "how to print the key" },
	{ "top-by=EXPR", "top: sum it up, and sort by it" }, { "top-add=EXPR", "top: sum it up" },
	{ "comm=EXPR", "top: name to print with the key" }, { "num=EXPR", "num-dist: number to count" },
	{ "ptr=EXPR", "kmemleak, kmemprof: address of the block" }, { "size=EXPR", "size of the block" },
	{ "role=EXPR", "multi-trace: bit 0: starts a pair, bit 1: ends a pair" },
	{ "untraced",
		"multi-trace: only printed between the events of "
		"pairs" }, { "trigger", "multi-trace: ends an interval" },
	{ "args=FETCH", "fetch arguments of a probe" },
};

static void put_event(struct ctx *c, const struct tevent *ev)
{
	out_printf(c->out, "%s:%s\n", ev->fmt.system, ev->fmt.name);
	for (uint32_t i = 0; i < ev->fmt.n_fields; i++) {
		const struct tfield *f = &ev->fmt.fields[i];

		out_printf(c->out, "  %-24s %s%s\n", f->name, f->type, f->is_string ? "  (text)" : "");
	}
	if (*ev->fmt.print)
		out_printf(c->out, "  print fmt: %s\n", ev->fmt.print);
	out_char(c->out, '\n');
}

static void put_words(struct ctx *c)
{
	const char *name, *about;

	out_str(c->out, "Attributes, behind /FILTER/ (which may be empty):\n");
	for (size_t i = 0; i < ARRAY_SIZE(attrs); i++)
		out_printf(c->out, "  %-16s %s\n", attrs[i].name, attrs[i].about);
	out_str(c->out, "\nExpressions are C over the event's fields, with:\n");
	for (size_t i = 0; (name = expr_word(i, &about)); i++)
		out_printf(c->out, "  %-16s %s\n", name, about);
}

/* "sonde prof top -e 'sched:sched_wakeup/./[key=.../]' ..." */
static void put_line(struct ctx *c, const struct prof *p)
{
	out_printf(c->out, "%s %s%s", c->program, strcmp(c->program, "perf-prof") ? "prof " : "", p->kind->cmd.name);
	for (size_t i = 0; i < p->specs.v.n; i++)
		out_printf(c->out, " -e '%s/./[ATTR/...]'", p->specs.v.v[i].event);
	out_str(c->out, " [-C .] [-p .] [-i .] [-m .]\n\n");
}

int prof_help(struct ctx *c, struct prof *p)
{
	const struct prof_want *w = p->want;
	struct err e = { 0 };
	char *none[] = { NULL };
	int r = 0;

	for (size_t i = 0; !r && i < w->events.n; i++)
		r = specs_add(&p->specs, w->events.v[i], &e);
	if (!r)
		put_line(c, p);
	if (!r && p->specs.v.n) {
		p->feed_want = (struct feed_want){ .sys = c->sys, .specs = &p->specs, .session = w->session,
						   .target = &w->target, .argv = none };
		p->feed_want.session.path = w->from.input;
		r = feed_open(&p->feed, &p->feed_want, &e);
	}
	if (!r && p->specs.v.n) {
		for (size_t i = 0; i < p->feed.taps.n; i++)
			if (p->feed.taps.v[i].event)
				put_event(c, p->feed.taps.v[i].event);
		feed_close(&p->feed);
	}
	if (!r)
		put_words(c);
	specs_deinit(&p->specs);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}
