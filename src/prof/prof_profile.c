/* prof_profile.c - sonde prof profile: samples of CPUs or tasks; optionally only of busy CPUs. */
#include "engine/line.h"
#include "prof/stacks.h"

struct want {
	struct prof_want prof;
	uint64_t freq, than;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Samples"),
	OPT_U64('F', "freq", struct want, freq, "<hz>", "samples per second and CPU (default: 997)"),
	OPT_U64(0, "than", struct want, than, "<percent>",
		"only samples of CPUs that were busy for more than this share of the current second"),
	OPT_SUB(prof_filter_opts, struct want, prof),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

enum { DEFAULT_FREQ = 997 };

#define NS_PER_S UINT64_C(1000000000)

/* The current second of a CPU. */
struct second {
	uint64_t from, n;
};

struct profile {
	struct prof_stacks stacks;
	struct map of;                   /* CPU -> index of its second */
	VEC(struct second) seconds;
	uint64_t least;                  /* minimum of samples in a second to be shown; 0: show all */
	uint64_t idle, passed;
};

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct profile *t = p->own;
	uint64_t freq = w->freq ? w->freq : DEFAULT_FREQ;
	char text[64];

	if (prof_own_only(p, e))
		return -e->code;
	if (w->than > 100)
		return err_set(e, EINVAL, "--than %llu: it is a percentage", (unsigned long long)w->than);
	if (freq > NS_PER_S)
		return err_set(e, EINVAL, "-F %llu: more than one in a ns", (unsigned long long)freq);
	t->least = (freq * w->than + 99) / 100;
	snprintf(text, sizeof(text), "profile/-F %llu/", (unsigned long long)freq);
	return specs_add(&p->specs, text, e);
}

static int begin(struct prof *p, struct err *e)
{
	struct profile *t = p->own;

	return prof_stacks_open(&t->stacks, p, e);
}

/* Is its CPU busy enough? 1, 0, -ENOMEM. */
static int is_busy(struct profile *t, const struct hit *h)
{
	bool is_new;
	uint64_t *at = map_add(&t->of, h->cpu, &is_new);
	struct second *s;

	if (at && is_new)
		*at = t->seconds.n;
	s = !at ? NULL : is_new ? vec_add(&t->seconds) : &t->seconds.v[*at];
	if (!s)
		return -ENOMEM;
	if (h->time - s->from >= NS_PER_S)
		*s = (struct second){ .from = h->time };
	return ++s->n >= t->least;
}

/* A clock event samples the idle task, too. */
static bool is_idle(const struct hit *h)
{
	return !h->tid && h->perf->attr.type == PERF_SOFTWARE;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct profile *t = p->own;
	uint32_t stack;
	int r = 1;

	if (is_idle(h)) {
		t->idle++;
		return 0;
	}
	r = !t->least ? 1 : h->cpu < CPUS_MAX ? is_busy(t, h) : 0;
	t->passed += !r;
	if (r <= 0)
		return r;
	stack = callers_of(&t->stacks.callers, h);
	if (stack == CALLTREE_NONE)
		return -ENOMEM;
	if (t->stacks.flame)
		return prof_stacks_draw(&t->stacks, p, stack, h->tid, 1);
	line_put(&p->feed, h, p->feed.expr.out);
	out_char(p->feed.expr.out, '\n');
	if (stack)
		callers_put(&t->stacks.callers, stack, p->feed.expr.out);
	return 0;
}

static int show(struct prof *p, bool last, struct out *o UNUSED, struct err *e)
{
	struct profile *t = p->own;
	char line[160];

	if (last && !prof_want(p)->form.quiet && (t->idle || t->passed)) {
		snprintf(line, sizeof(line),
			 "%llu samples of idle CPUs, and %llu of CPUs that were not that busy, are left out",
			 (unsigned long long)t->idle, (unsigned long long)t->passed);
		p->how->note(p->how->arg, line);
	}
	return prof_stacks_show(&t->stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct profile *t = p->own;

	prof_stacks_close(&t->stacks);
	map_deinit(&t->of);
	vec_free(&t->seconds);
}

DEFINE_PROF(profile) = {
	.cmd = {
		.name = "profile", .family = "prof",
		.brief = "Sample CPUs and tasks, with call chains and flame graphs",
		.synopsis = "[-F <hz>] [-g] [--than <percent>] [options] [-- command [arguments]]",
		.details = PACKED(
			"Samples cycles, or cpu-clock if there is no cycle counter. --than skips a CPU's samples until "
			"it was busy for that share of the second."),
		.examples = PACKED(
			"sonde prof profile -F 997 -p 2347 -g --flame-graph cpu\tflame graph of a process\n"
			"sonde prof profile -F 997 -C 0-3 --than 30 -g --flame-graph cpu\tonly busy CPUs\n"
			"sonde prof profile -F 1000 -C 0,1 --exclude-user -g --flame-graph k -i 600000\tthe kernel, a "
				"flame graph every ten minutes"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct profile), .prepare = prepare, .begin = begin, .hit = hit, .show = show, .close = close,
	.lines = true,
};
