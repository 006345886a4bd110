/* probe_list.c - sonde probe --list and --del: all probes that are defined, by whomever. */
#include "cmd/probe/probe.h"
#include "probing/describe.h"

enum { NEAR = 3 };

static bool matches(const struct dynevent *d, const char *filter)
{
	char name[2 * DYNEVENT_NAME_MAX + 2];

	snprintf(name, sizeof(name), "%.*s:%.*s", (int)d->group.n, d->group.s, (int)d->event.n, d->event.s);
	return probe_filter(filter, sv_from(name), d->event);
}

int probe_list(struct ctx *c, struct probe_want *w, struct err *e)
{
	struct kernel_list x;
	struct describer d;
	struct tfs tfs;
	unsigned n = 0;
	int r = w->filter ? probe_filter_check(w->filter, e) : 0;

	/* The debug information of --vmlinux has the source lines of kernel probes. */
	if (!r && w->vmlinux && !w->exec && !w->module) {
		struct subject s;

		r = probe_subject(c, w, &s, e);
		if (!r)
			subject_close(&s);
	}
	r = r ? r : tfs_open(&tfs, c->sys, e);
	r = r ? r : kernel_list_read(&x, &tfs, e);
	if (r)
		return r;
	describer_init(&d, c->sys, &w->subject.kernel);
	for (size_t i = 0; i < x.v.n; i++) {
		if (w->filter && !matches(&x.v.v[i], w->filter))
			continue;
		describe_put(&d, &x.v.v[i], c->out);
		n++;
	}
	if (!n)
		probe_note(c, w, x.v.n ? "none of the probes matches" : "no probes are defined");
	describer_deinit(&d);
	kernel_list_deinit(&x);
	return 0;
}

/* An event with several addresses is listed several times; one removal removes all of them. */
static bool is_first(const struct kernel_list *x, size_t i)
{
	const struct dynevent *a = &x->v.v[i];

	for (size_t k = 0; k < i; k++) {
		const struct dynevent *b = &x->v.v[k];

		if (a->group.n == b->group.n && a->event.n == b->event.n &&
		    !memcmp(a->group.s, b->group.s, a->group.n) && !memcmp(a->event.s, b->event.s, a->event.n))
			return false;
	}
	return true;
}

static int remove_matching(struct ctx *c, struct probe_want *w, const struct tfs *tfs, const struct kernel_list *x,
			   const char *pattern, struct err *e)
{
	unsigned n = 0;

	for (size_t i = 0; i < x->v.n; i++) {
		const struct dynevent *d = &x->v.v[i];
		char text[160];
		int r;

		if (!matches(d, pattern) || !is_first(x, i))
			continue;
		n++;
		r = w->dry_run ? 0 : kernel_list_remove(tfs, d, e);
		if (r == -ENOENT)
			continue;   /* named twice, or somebody else has removed it */
		if (r)
			return r;
		snprintf(text, sizeof(text), "%s event: %.*s:%.*s", w->dry_run ? "Would remove" : "Removed",
			 (int)d->group.n, d->group.s, (int)d->event.n, d->event.s);
		if (!w->quiet)
			out_printf(c->msg, "%s\n", text);
	}
	out_flush(c->msg);
	if (n)
		return 0;

	char text[256], near[160] = "";
	unsigned least = NEAR + 1;

	err_set(e, ENOENT, "there is no probe '%s'", pattern);
	for (size_t i = 0; i < x->v.n; i++) {
		const struct dynevent *d = &x->v.v[i];
		char name[160];

		snprintf(name, sizeof(name), "%.*s:%.*s", (int)d->group.n, d->group.s, (int)d->event.n, d->event.s);

		unsigned far = str_distance(sv_from(pattern), strchr(pattern, ':') ? sv_from(name) : d->event, NEAR);

		if (far < least) {
			least = far;
			memcpy(near, name, sizeof(near));
		}
	}
	if (near[0])
		return err_hint(e, "did you mean '%s'?", near);
	snprintf(text, sizeof(text), "'%s probe -l' lists those there are", c->program);
	return err_hint(e, "%s", text);
}

int probe_del(struct ctx *c, struct probe_want *w, struct err *e)
{
	struct kernel_list x;
	struct tfs tfs;
	int r = 0;

	for (size_t i = 0; !r && i < w->del.n; i++)
		r = probe_filter_check(w->del.v[i], e);
	r = r ? r : tfs_open(&tfs, c->sys, e);
	r = r ? r : kernel_list_read(&x, &tfs, e);
	if (r)
		return r;
	for (size_t i = 0; !r && i < w->del.n; i++)
		r = remove_matching(c, w, &tfs, &x, w->del.v[i], e);
	kernel_list_deinit(&x);
	return r;
}
