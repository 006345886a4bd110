/* ftext.c - see ftext.h. */
#include "live/ftext.h"

#include <sys/utsname.h>

static bool peek(void *arg, struct tstream_rec *next)
{
	struct ftext *t = arg;

	return tstream_peek(t->stream, next, NULL) > 0;
}

static void skip(void *arg)
{
	struct ftext *t = arg;

	tstream_skip(t->stream);
}

static uint32_t possible_cpus(const struct sys *sys)
{
	char text[256];
	struct cpus cpus;
	uint32_t n = 1;

	if (sys_read_line(sys, text, sizeof(text), "/sys/devices/system/cpu/possible") <= 0 ||
	    cpus_parse(&cpus, sv_from(text), NULL))
		return n;
	for (int cpu = cpus_next(&cpus, 0); cpu >= 0; cpu = cpus_next(&cpus, (unsigned)cpu + 1))
		n = (uint32_t)cpu + 1;
	return n;
}

static bool clock_counts(const struct tfs *t)
{
	char clock[32];

	if (tfs_chosen(t, "trace_clock", clock, sizeof(clock)))
		return false;
	return !strcmp(clock, "counter") || !strcmp(clock, "x86-tsc");
}

static int read_names(struct ftext *t, struct ktext_want *w, const struct sys *sys, struct err *e)
{
	int r = knames_init(&t->names, sys, w->events, e);

	if (r)
		return r;
	w->irq_start = t->names.syms.mark[KALLSYMS_IRQENTRY_TEXT];
	w->irq_end = t->names.syms.mark[KALLSYMS_IRQENTRY_TEXT_END];
	t->print = knames_print(&t->names);
	w->names = &t->print;
	return r;
}

int ftext_init(struct ftext *t, struct live *l, unsigned b, struct err *e)
{
	const struct tfs *tfs = &l->run.buffers.v[b].tfs;
	const struct sys *sys = l->run.sys;
	struct utsname uts = { 0 };
	struct ktext_want w = { .events = &l->source.trace, .arg = t, .peek = peek, .skip = skip };
	char tracer[64] = "", *options;
	size_t n;
	int r;

	*t = (struct ftext){ .stream = l->set.stream };
	r = read_names(t, &w, sys, e);
	if (!r)
		r = tfs_read_all(tfs, "trace_options", &options, &n, e);
	if (r)
		return r;
	w.options = ktext_options((struct sv){ options, n });
	free(options);
	sys->uname(sys, &uts);
	w.release = uts.release;
	tfs_get(tfs, "current_tracer", tracer, sizeof(tracer));
	w.tracer = tracer;
	w.counter = clock_counts(tfs);
	w.cpus = possible_cpus(sys);
	t->text = ktext_new(&w);
	return t->text ? 0 : err_nomem(e);
}

void ftext_deinit(struct ftext *t)
{
	ktext_free(t->text);
	knames_deinit(&t->names);
}

void ftext_head(const struct live *l, unsigned b, struct out *o)
{
	struct sv rest, line;
	char *text;

	if (tfs_read_all(&l->run.buffers.v[b].tfs, "trace", &text, &rest.n, NULL))
		return;
	rest.s = text;
	while (sv_cut(&rest, '\n', &line) && line.n && line.s[0] == '#') {
		out_sv(o, line);
		out_char(o, '\n');
	}
	free(text);
}
