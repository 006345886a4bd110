/* probe_raw.c - sonde probe: definitions in the kernel's own words, which stay until they are removed. */
#include "cmd/probe/probe.h"
#include "tracing/evfile.h"
#include "probing/describe.h"
#include "probing/line.h"

struct raw {
	struct ctx *c;
	struct probe_want *w;
	struct tfs tfs;
	struct existing existing;
	VEC(struct line) v;
};

static int read_lines(struct raw *x, struct err *e)
{
	char *readme = probe_readme(x->c);
	struct line_how how = {
		.sys = x->c->sys, .readme = readme, .care = x->w->unsafe ? LINE_UNSAFE : LINE_SAFE,
	};
	int r = readme ? 0 : err_nomem(e);

	for (size_t i = 0; !r && i < x->w->add.n; i++) {
		struct line *l = vec_add(&x->v);

		r = l ? line_init(l, &how, x->w->add.v[i], e) : err_nomem(e);
		if (r && l)
			x->v.n--;
	}
	free(readme);
	return r;
}

/* Places are added to an event of the same kind, as the kernel has it; any other name is free or taken. */
static int check_name(const struct raw *x, struct line *l, struct err *e)
{
	bool taken = existing_has(&x->existing, l->d.group, l->d.event);

	for (const struct line *other = x->v.v; other < l; other++)
		taken |= line_is_same_event(other, l);
	if (!taken)
		return 0;
	if (l->d.kind == DYNEVENT_KPROBE || l->d.kind == DYNEVENT_UPROBE)
		return line_is_place(l, e);
	err_set(e, EEXIST, "there is already an event '%.*s:%.*s'", (int)l->d.group.n, l->d.group.s,
		(int)l->d.event.n, l->d.event.s);
	return err_hint(e, "remove it (-d), or give another name");
}

/* All or none. */
static int tell_kernel(struct raw *x, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < x->v.n; i++) {
		struct line *l = &x->v.v[i];

		r = check_name(x, l, e);
		r = r ? r : tfs_append(&x->tfs, dynevent_file(&l->d), l->text, e);
		if (r && l->d.kind == DYNEVENT_EPROBE) {
			struct sv event = l->d.target, system;

			if (sv_cut(&event, '.', &system) && event.n)
				evfile_explain_event(&x->tfs, system, event, e);
			r = -e->code;
		}
		for (size_t k = r ? i : 0; k--;)
			tfs_append(&x->tfs, dynevent_file(&x->v.v[k].d), x->v.v[k].removal, NULL);
	}
	return r;
}

static void put_added(struct raw *x)
{
	struct describer d;

	if (x->w->quiet)
		return;
	describer_init(&d, x->c->sys, &x->w->subject.kernel);
	out_printf(x->c->msg, "Added new event%s:\n", x->v.n > 1 ? "s" : "");
	for (size_t i = 0; i < x->v.n; i++)
		describe_put(&d, &x->v.v[i].d, x->c->msg);
	describer_deinit(&d);
	out_flush(x->c->msg);
}

int probe_raw(struct ctx *c, struct probe_want *w, struct err *e)
{
	struct raw x = { .c = c, .w = w };
	bool tell = w->action == PROBE_ADD && !w->dry_run;
	int r = read_lines(&x, e);

	if (!r && tell) {
		r = tfs_open(&x.tfs, c->sys, e);
		r = r ? r : existing_read(&x.existing, &x.tfs, e);
		r = r ? r : tell_kernel(&x, e);
		existing_deinit(&x.existing);
	}
	for (size_t i = 0; !r && w->action == PROBE_DEFINITION && i < x.v.n; i++)
		out_printf(c->out, "%s\n", x.v.v[i].text);
	if (!r && w->action == PROBE_ADD)
		put_added(&x);
	for (size_t i = 0; i < x.v.n; i++)
		line_deinit(&x.v.v[i]);
	vec_free(&x.v);
	return r;
}
