/* probe_verbatim.c - sonde probe: definitions in the kernel's syntax, which stay until they are removed. */
#include "cmd/probe/probe.h"
#include "probing/describe.h"
#include "probing/verbatim.h"

struct typed {
	struct ctx *c;
	struct probe_want *w;
	struct tfs tfs;
	struct kernel_list list;
	VEC(struct verbatim) v;
};

static int read_lines(struct typed *x, struct err *e)
{
	char *readme = kernel_list_readme(x->c->sys);
	struct verbatim_how how = {
		.sys = x->c->sys, .readme = readme, .care = x->w->unsafe ? VERBATIM_UNSAFE : VERBATIM_SAFE,
	};
	int r = readme ? 0 : err_nomem(e);

	for (size_t i = 0; !r && i < x->w->add.n; i++) {
		struct verbatim *l = vec_add(&x->v);

		r = l ? verbatim_init(l, &how, x->w->add.v[i], e) : err_nomem(e);
		if (r && l)
			x->v.n--;
	}
	free(readme);
	return r;
}

/* Define all or none: if one fails, remove those before it. */
static int tell_kernel(struct typed *x, struct err *e)
{
	bool again;
	int r = 0;

	for (size_t i = 0; !r && i < x->v.n; i++) {
		r = kernel_list_add_verbatim(&x->list, &x->v.v[i], KERNEL_LIST_SHARED, &again, e);
		for (size_t k = r ? i : 0; k--;)
			tfs_append(&x->tfs, dynevent_file(&x->v.v[k].d), x->v.v[k].removal, NULL);
	}
	return r;
}

static void put_added(struct typed *x)
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

int probe_verbatim(struct ctx *c, struct probe_want *w, struct err *e)
{
	struct typed x = { .c = c, .w = w };
	bool tell = w->action == PROBE_ADD && !w->dry_run;
	int r = read_lines(&x, e);

	if (!r && tell) {
		r = tfs_open(&x.tfs, c->sys, e);
		r = r ? r : kernel_list_read(&x.list, &x.tfs, e);
		r = r ? r : tell_kernel(&x, e);
		kernel_list_deinit(&x.list);
	}
	for (size_t i = 0; !r && w->action == PROBE_DEFINITION && i < x.v.n; i++)
		out_printf(c->out, "%s\n", x.v.v[i].text);
	if (!r && w->action == PROBE_ADD)
		put_added(&x);
	for (size_t i = 0; i < x.v.n; i++)
		verbatim_deinit(&x.v.v[i]);
	vec_free(&x.v);
	return r;
}
