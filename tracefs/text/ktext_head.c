/* ktext_head.c - the comment lines at the top of `trace`. */
#include "tracefs/text/ktext_impl.h"

enum { COLUMNS_MAX = 7 };

/* The names of this kernel's columns; returns their number. */
static unsigned columns(const struct ktext *k, bool lazy, const char *name[COLUMNS_MAX])
{
	unsigned n = 0;

	name[n++] = k->version < KTEXT_KERNEL(5, 17) ? "irqs-off" : "irqs-off/BH-disabled";
	name[n++] = "need-resched";
	if (lazy)
		name[n++] = "need-resched-lazy";
	name[n++] = "hardirq/softirq";
	name[n++] = "preempt-depth";
	if (lazy)
		name[n++] = "preempt-lazy-depth";
	if (k->version >= KTEXT_KERNEL(5, 15))
		name[n++] = "migrate-disable";
	return n;
}

/* One line of the header's fan: bars of the columns to the left, then this column's name after `dashes`. */
static void fan(struct out *o, unsigned i, unsigned dashes, const char *name)
{
	if (i)
		out_fill(o, '|', i - 1);
	out_str(o, i ? " / _" : "  _");
	out_fill(o, '-', dashes);
	out_str(o, "=> ");
	out_str(o, name);
}

static bool has_lazy(const struct ktext *k)
{
	const struct tevents *t = k->want.events;

	return t->list.n && t->list.v[0]->common[COMMON_PREEMPT_LAZY_COUNT];
}

static void default_header(const struct ktext *k, const struct ktext_head *h, struct out *o)
{
	bool irqs = ktext_has(k, KTEXT(IRQ_INFO)), lazy = has_lazy(k), old = k->version < KTEXT_KERNEL(5, 15);
	size_t space = ktext_has(k, KTEXT(TGID)) ? 12 : 2;
	const char *tgid = space > 2 ? "     TGID   " : "  ", *bar = space > 2 ? "       |    " : "  ",
		   *name[COLUMNS_MAX];
	unsigned n = columns(k, lazy, name);

	out_printf(o, "# entries-in-buffer/entries-written: %llu/%llu   #P:%u\n#\n", (unsigned long long)h->entries,
		   (unsigned long long)h->written, h->online);
	for (unsigned i = 0; irqs && i <= n; i++) {
		out_char(o, '#');
		out_fill(o, ' ', 28 + space);
		if (i < n) {
			fan(o, i, n - i + old, name[i]);
		} else {
			out_fill(o, '|', n - 1);
			out_str(o, " /     delay");
		}
		out_char(o, '\n');
	}
	if (!irqs) {
		out_printf(o, "#           TASK-PID  %s CPU#     TIMESTAMP  FUNCTION\n", tgid);
		out_printf(o, "#              | |    %s   |         |         |\n", bar);
		return;
	}
	out_printf(o, "#           TASK-PID  %s CPU#  ", tgid);
	out_fill(o, '|', n);
	out_str(o, old ? "   TIMESTAMP  FUNCTION\n" : "  TIMESTAMP  FUNCTION\n");
	out_printf(o, "#              | |    %s   |   ", bar);
	out_fill(o, '|', n);
	out_str(o, old || lazy ? "      |         |\n" : "     |         |\n");
}

static void latency_header(const struct ktext *k, const struct ktext_head *h, struct out *o)
{
	const struct ktext_want *w = &k->want;

	out_printf(o, "# %s latency trace v1.1.5 on %s\n", w->tracer ? w->tracer : "nop", w->release ? w->release : "");
	out_str(o, "# --------------------------------------------------------------------\n");
	out_printf(o, "# latency: %llu us, #%llu/%llu, CPU#%u | (M:%s VP:0, KP:0, SP:0 HP:0 #P:%u)\n",
		   (unsigned long long)h->latency_us, (unsigned long long)h->entries, (unsigned long long)h->written,
		   h->cpu, h->preemption ? h->preemption : "unknown", h->online);
	out_str(o, "#    -----------------\n");
	out_printf(o, "#    | task: %.16s-%d (uid:%u nice:%ld policy:%ld rt_prio:%ld)\n", h->comm ? h->comm : "",
		   h->pid, h->uid, h->nice, h->policy, h->rt_priority);
	out_str(o, "#    -----------------\n#\n");
}

static void latency_help(const struct ktext *k, struct out *o)
{
	const char *name[COLUMNS_MAX + 1] = { "CPU#" };
	unsigned n = columns(k, has_lazy(k), name + 1) + 1;
	bool old = k->version < KTEXT_KERNEL(5, 15);

	for (unsigned i = 0; i <= n; i++) {
		out_str(o, "#                  ");
		if (i < n) {
			fan(o, i, n - i + old, name[i]);
			out_fill(o, ' ', strlen(name[i]) < 16 ? 16 - strlen(name[i]) : 0);
		} else {
			out_fill(o, '|', n - 1);
			out_str(o, old ? " /     delay            " : " /     delay           ");
		}
		out_char(o, '\n');
	}
	out_str(o, "#  cmd     pid     ");
	out_fill(o, '|', n);
	out_str(o,
		old ? " time  |   caller      \n#     \\   /        " : " time  |   caller     \n#     \\   /        ");
	out_fill(o, '|', n);
	out_str(o, old ? "  \\    |   /         \n" : "  \\    |    /       \n");
}

/* The graph's own fan still has the old four columns. */
static void graph_fan(size_t space, struct out *o)
{
	static const char *const text[] = {
		"  _-----=> irqs-off        ", " / _----=> need-resched    ", "| / _---=> hardirq/softirq ",
		"|| / _--=> preempt-depth   ", "||| /                      ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(text); i++) {
		out_char(o, '#');
		out_fill(o, ' ', space);
		out_str(o, text[i]);
		out_char(o, '\n');
	}
}

static void graph_header(const struct ktext *k, const struct ktext_head *h, struct out *o)
{
	bool latency = ktext_has(k, KTEXT(LATENCY));
	const struct {
		bool on;
		unsigned space;
		const char *line[2];
	} parts[] = {
		{ ktext_has(k, KTEXT(GRAPH_ABSTIME)), 16, { "     TIME       ", "      |         " } },
		{ ktext_has(k, KTEXT(GRAPH_CPU)), 4, { " CPU", " |  " } },
		{ ktext_has(k, KTEXT(GRAPH_PROC)), 17, { "  TASK/PID       ", "   |    |        " } },
		{ latency, 0, { "||||   ", "||||   " } },
		{ ktext_has(k, KTEXT(GRAPH_DURATION)), 0, { "  DURATION   ", "   |   |      " } },
		{ true, 0, { "               FUNCTION CALLS\n", "               |   |   |   |\n" } },
	};
	size_t space = 0;

	if (latency) {
		latency_header(k, h, o);
		for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
			space += parts[i].on ? parts[i].space : 0;
		graph_fan(space, o);
	}
	for (size_t row = 0; row < 2; row++) {
		out_char(o, '#');
		for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
			if (parts[i].on)
				out_str(o, parts[i].line[row]);
	}
}

void ktext_header(const struct ktext *k, const struct ktext_head *h, struct out *o)
{
	bool verbose = ktext_has(k, KTEXT(VERBOSE));

	out_printf(o, "# tracer: %s\n#\n", k->want.tracer ? k->want.tracer : "nop");
	if (!ktext_has(k, KTEXT(CONTEXT)))
		return;
	if (ktext_has(k, KTEXT(LATENCY)) && !h->entries)
		return;
	if (k->graph) {
		graph_header(k, h, o);
	} else if (ktext_has(k, KTEXT(LATENCY))) {
		latency_header(k, h, o);
		if (!verbose)
			latency_help(k, o);
	} else if (!verbose) {
		default_header(k, h, o);
	}
}
