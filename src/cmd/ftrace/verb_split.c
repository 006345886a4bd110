/* verb_split.c - sonde ftrace split: parts of a recording as files of their own. */
#include "cmd/ftrace/input.h"
#include "cmd/ftrace/verbs.h"
#include "tracing/transport/split.h"

enum { BUFFERS_MAX = 64 };

struct want {
	const char *input, *output;
	const char *seconds, *msecs, *usecs, *events, *pages;
	const char *cpu;
	bool repeat, each_cpu;
	size_t n_buffers;
	struct {
		const char *name;     /* name in the recording; "": the top buffer */
		const char *as;       /* name in the parts */
	} buffers[BUFFERS_MAX];
};

static int add_buffer(struct want *w, const char *name, struct err *e)
{
	if (w->n_buffers == BUFFERS_MAX)
		return err_set(e, EINVAL, "more than %d buffers", BUFFERS_MAX);
	w->buffers[w->n_buffers].name = w->buffers[w->n_buffers].as = name;
	w->n_buffers++;
	return 0;
}

static int take_buffer(void *want, const char *value, struct err *e)
{
	return add_buffer(want, value, e);
}

static int take_top(void *want, const char *value UNUSED, struct err *e)
{
	return add_buffer(want, "", e);
}

static int promote(void *want, const char *value UNUSED, struct err *e)
{
	struct want *w = want;

	if (!w->n_buffers)
		return err_set(e, EINVAL, "it must follow the -B of the buffer that is to become the top one");
	w->buffers[w->n_buffers - 1].as = "";
	return 0;
}

static int rename_top(void *want, const char *value, struct err *e)
{
	struct want *w = want;

	if (!w->n_buffers || *w->buffers[w->n_buffers - 1].name)
		return err_set(e, EINVAL, "it must follow --top");
	w->buffers[w->n_buffers - 1].as = value;
	return 0;
}

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, input, "<file>", "recording to read (default trace.dat)"),
	OPT_STR('o', "output", struct want, output, "<file>",
		"name of the parts (default: name of the recording + .1)"),
	OPT_STR('s', NULL, struct want, seconds, "<n>", "parts of <n> seconds"),
	OPT_STR('m', NULL, struct want, msecs, "<n>", "parts of <n> milliseconds"),
	OPT_STR('u', NULL, struct want, usecs, "<n>", "parts of <n> microseconds"),
	OPT_STR('e', NULL, struct want, events, "<n>", "parts of <n> events"),
	OPT_STR('p', NULL, struct want, pages, "<n>", "parts of <n> pages per CPU"),
	OPT_FLAG('r', "repeat", struct want, repeat, "write parts until the end: FILE.0001, FILE.0002 ..."),
	OPT_FLAG('c', "per-cpu", struct want, each_cpu, "count per CPU"),
	OPT_STR('C', "cpu", struct want, cpu, "<cpu>", "only this CPU"),
	OPT_CALL_WANT('B', "buffer", 0, take_buffer, "<name>", "keep this buffer (default: all)"),
	OPT_CALL_WANT(0, "top", OPT_NO_VALUE, take_top, "", "keep the top buffer"),
	OPT_CALL_WANT('t', NULL, OPT_NO_VALUE, promote, "", "make the buffer of the last -B the top buffer"),
	OPT_CALL_WANT('b', NULL, 0, rename_top, "<name>", "after --top: make the top buffer an instance of this name"),
	OPT_END,
};

static int take_units(const struct want *w, struct split_want *s, struct err *e)
{
	const struct {
		char letter;
		const char *value;
		enum split_unit unit;
		uint64_t ns;
	} units[] = {
		{ 's', w->seconds, SPLIT_NS, 1000000000 }, { 'm', w->msecs, SPLIT_NS, 1000000 },
		{ 'u', w->usecs, SPLIT_NS, 1000 },	   { 'e', w->events, SPLIT_EVENTS, 0 },
		{ 'p', w->pages, SPLIT_PAGES, 0 },
	};
	unsigned given = 0;

	s->unit = SPLIT_WHOLE;
	s->repeat = w->repeat;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		struct sv value = sv_from(units[i].value ? units[i].value : "");

		if (!units[i].value)
			continue;
		given++;
		s->unit = units[i].unit;
		if (!(units[i].ns ? str_time(value, units[i].ns, &s->count) : str_u64(value, 10, &s->count)) ||
		    !s->count)
			return err_set(e, EINVAL, "-%c %s is no %s", units[i].letter, units[i].value,
				       units[i].ns ? "length of time" : "number that parts can have");
	}
	if (given > 1)
		return err_set(e, EINVAL, "only one of -s -m -u -e -p can be given");
	if (w->each_cpu && !given)
		return err_set(e, EINVAL, "-c is for what -s, -m, -u, -e or -p count");
	s->each_cpu = w->each_cpu || w->pages;
	return 0;
}

static int take_range(struct split_want *s, int argc, char **argv, struct err *e)
{
	uint64_t *to[] = { &s->start, &s->end };

	for (int i = 0; i < argc; i++)
		if (!str_time(sv_from(argv[i]), UINT64_C(1000000000), to[i]))
			return err_set(e, EINVAL, "'%s' is no time in seconds", argv[i]);
	return s->end < s->start ? err_set(e, EINVAL, "the end is before the start") : 0;
}

static int take_cpu(const struct want *w, struct split_want *s, struct err *e)
{
	uint64_t cpu;

	s->cpu = -1;
	if (!w->cpu)
		return 0;
	if (!str_u64(sv_from(w->cpu), 10, &cpu) || cpu >= s->d->ncpus)
		return err_set(e, EINVAL, "-C %s: the recording has CPUs 0 to %u", w->cpu, s->d->ncpus - 1);
	s->cpu = (int)cpu;
	return 0;
}

/* No two buffers may have the same name. */
static int check_names(const struct want *w, struct err *e)
{
	for (size_t i = 0; i < w->n_buffers; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(w->buffers[i].as, w->buffers[k].as))
				return err_set(e, EINVAL, "two buffers of the parts would be %s%s",
					       *w->buffers[i].as ? "called " : "the top one", w->buffers[i].as);
	return 0;
}

static int take_buffers(const struct want *w, struct split_want *s, struct err *e)
{
	for (size_t i = 0; i < w->n_buffers; i++) {
		struct split_buffer *b = vec_add(&s->buffers);
		size_t k = 0;

		if (!b)
			return err_nomem(e);
		while (k < s->d->buffers.n && strcmp(s->d->buffers.v[k].name, w->buffers[i].name))
			k++;
		if (k == s->d->buffers.n)
			return err_set(e, ENOENT, "the recording has no buffer '%s'", w->buffers[i].name);
		*b = (struct split_buffer){ k, w->buffers[i].as };
	}
	return 0;
}

static int check(const struct tdat *d, struct err *e)
{
	if (d->blob.machine.swap)
		return err_set(e, EOPNOTSUPP, "recorded on a machine of the other byte order: it cannot be split here");
	for (size_t i = 0; i < d->buffers.n; i++)
		if (d->buffers.v[i].latency)
			return err_set(e, EOPNOTSUPP, "a latency tracer's text cannot be split");
	return d->buffers.n ? 0 : err_set(e, ENODATA, "it has no buffers");
}

static void made(void *arg, const char *path, uint64_t events)
{
	cmd_note(arg, "%s: %llu events", path, (unsigned long long)events);
}

static int split(struct ctx *c, const struct want *w, struct tdat *d, int argc, char **argv)
{
	struct sv kept[TDAT_KEPT];
	uint64_t bad_pages = 0;
	struct split_want s = { .sys = c->sys, .d = d, .end = UINT64_MAX, .made = made, .arg = c,
		.bad_pages = &bad_pages, .kept = kept };
	struct err e = { 0 };
	char name[PATH_MAX];
	int r = take_units(w, &s, &e);

	if (!r)
		r = take_range(&s, argc, argv, &e);
	if (!r)
		r = take_cpu(w, &s, &e);
	if (!r)
		r = check_names(w, &e);
	if (r)
		return cmd_usage(c, cmd_verb(verbs, "split"), &e);
	snprintf(name, sizeof(name), "%s%s", w->output ? w->output : w->input, w->repeat || w->output ? "" : ".1");
	s.output = name;
	r = check(d, &e);
	for (unsigned kind = 0; !r && kind < TDAT_KEPT; kind++)
		r = tdat_kept_file(d, kind, &kept[kind], &e);
	if (!r)
		r = take_buffers(w, &s, &e);
	if (!r)
		r = split_run(&s, &e);
	input_bad_pages(c, w->input, bad_pages);
	vec_free(&s.buffers);
	return r < 0 ? cmd_fail(c, &e) : EXIT_DONE;
}

static int split_verb(struct ctx *c, void *want, int argc, char **argv)
{
	struct want *w = want;
	struct input in;
	struct err e = { 0 };
	int r;

	w->input = w->input ? w->input : "trace.dat";
	if (argc > 2) {
		err_set(&e, EINVAL, "what is '%s'? Options come first, then a start and an end", argv[2]);
		return cmd_usage(c, cmd_verb(verbs, "split"), &e);
	}
	if (input_open(&in, c->sys, w->input, &e))
		return cmd_fail(c, &e);
	input_notes(&in, c, w->input);
	r = split(c, w, &in.dat, argc, argv);
	input_close(&in);
	return r;
}

DEFINE_VERB(
	split, "split", .brief = "Split a recording into several files", .synopsis = "[options] [start [end]]",
	.details = PACKED(
		"Start and end are timestamps in seconds, as in report. Each event is in exactly one part."),
	.examples = PACKED(
		    "sonde ftrace split -o part.dat 6034.25 6034.5\ta quarter of a second\n"
		    "sonde ftrace split -r -e 100000\tparts of 100000 events: trace.dat.0001, trace.dat.0002 ...\n"),
	.opts = opts, .want_size = sizeof(struct want), .run = split_verb);
