/* trace_chain.c - sonde trace: call chains, and page faults. */
#include "syscalls/trace.h"

enum { LEFT = 38 };                      /* columns in front of a frame */

int trace_chains_open(struct trace *t, struct err *e)
{
	const struct trace_want *w = t->prof->want;

	if (!w->chains.graph.on)
		return 0;
	if (callers_open(&t->callers, &t->prof->feed))
		return err_nomem(e);
	t->callers.frames.exact = false;
	return 0;
}

static bool is_shown(const struct trace *t, const struct hist_frame *f)
{
	const struct trace_want *w = t->prof->want;

	return !f->kernel || w->chains.kernel;
}

bool trace_chain_of(struct trace *t, const struct hit *h, uint32_t *chain)
{
	const struct trace_want *w = t->prof->want;
	uint64_t depth = 0;

	*chain = 0;
	if (!t->callers.is_open)
		return true;
	*chain = callers_of(&t->callers, h);
	if (*chain == CALLTREE_NONE)
		*chain = 0;
	for (uint32_t at = *chain; at; at = t->callers.tree.nodes.v[at].parent)
		depth += is_shown(t, &t->callers.frames.v.v[t->callers.tree.nodes.v[at].key]);
	return depth >= w->chains.least;
}

void trace_put_chain(struct trace *t, uint32_t chain)
{
	const struct ct_node *v = t->callers.is_open ? t->callers.tree.nodes.v : NULL;
	const struct trace_want *w = t->prof->want;
	uint64_t left = w->chains.most ? w->chains.most : UINT64_MAX;

	for (uint32_t at = v ? chain : 0; at && left; at = v[at].parent) {
		const struct hist_frame *f = &t->callers.frames.v.v[v[at].key];

		if (!is_shown(t, f))
			continue;
		left--;
		out_fill(t->out, ' ', LEFT);
		out_printf(t->out, " %s (%s)\n", frames_label(&t->callers.frames, v[at].key),
			   f->inlined ? "inlined" : f->dso);
	}
}

/* --- page faults --- */

bool trace_is_fault(const struct trace *t, const struct hit *h)
{
	const struct trace_want *w = t->prof->want;

	return w->faults && !h->event && strstr(h->tap->label, "-faults");
}

static void put_code(struct trace *t, const struct resolver_spaces *in, uint64_t ip)
{
	struct resolver *r = t->prof->feed.session.resolver;
	const struct sym_loc *at = resolver_find_in(r, in, ip >> 63 ? PERF_MISC_KERNEL : PERF_MISC_USER, ip);

	if (at && at->sym)
		out_printf(t->out, "%s+0x%llx", at->sym, (unsigned long long)(at->addr - at->start));
	else
		out_printf(t->out, "0x%llx", (unsigned long long)(at ? at->addr : ip));
}

/* As perf: "file@offset (d.)"; d: the address is mapped, ?: it is not or not known; k: a kernel address. */
static void put_data(struct trace *t, const struct resolver_spaces *in, uint64_t addr)
{
	struct resolver *r = t->prof->feed.session.resolver;
	uint8_t mode = addr >> 63 ? PERF_MISC_KERNEL : PERF_MISC_USER;
	struct resolver_place place = { .addr = addr };
	bool is_kernel, is_mapped = resolver_place(r, in, mode, addr, &place);
	const char *name = is_mapped ? resolver_file(r, in, mode, addr, &is_kernel) : NULL;

	out_printf(t->out, "%s%s0x%llx (%c%c)\n", name ? name : is_mapped ? "//anon" : "", is_mapped ? "@" : "",
		   (unsigned long long)place.addr, is_mapped ? 'd' : '?', addr >> 63 ? 'k' : '.');
}

void trace_put_fault(struct trace *t, const struct hit *h)
{
	struct resolver *r = t->prof->feed.session.resolver;
	struct resolver_spaces in = resolver_spaces(r, h->pid, h->time);

	trace_put_head(t, h);
	out_str(t->out, strstr(h->tap->label, "major") ? "majfault [" : "minfault [");
	put_code(t, &in, h->sample->ip);
	out_str(t->out, "] => ");
	put_data(t, &in, h->sample->addr);
}
