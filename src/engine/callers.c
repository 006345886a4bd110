/* callers.c - a chain's number is a node of a call tree. */
#include "engine/callers.h"

int callers_open(struct callers *c, struct feed *f)
{
	int r;

	*c = (struct callers){ .feed = f };
	r = frames_init(&c->frames, &f->session);
	if (r)
		return r;
	c->frames.exact = true;
	r = calltree_init(&c->tree);
	if (r)
		frames_deinit(&c->frames);
	c->is_open = !r;
	return r;
}

void callers_close(struct callers *c)
{
	if (!c->is_open)
		return;
	calltree_deinit(&c->tree);
	frames_deinit(&c->frames);
	c->is_open = false;
}

uint32_t callers_of(struct callers *c, const struct hit *h)
{
	struct resolver_spaces in;

	if (!h->sample || !h->sample->n_chain)
		return 0;
	in = resolver_spaces(c->feed->session.resolver, h->pid, h->time);
	return callers_in(c, h, &in);
}

uint32_t callers_in(struct callers *c, const struct hit *h, const struct resolver_spaces *in)
{
	struct chain_frame chain[CHAIN_MAX];
	size_t n;
	uint32_t node = 0;

	n = sample_frames(&h->perf->layout, h->sample, chain, c->most && c->most < CHAIN_MAX ? c->most : CHAIN_MAX);
	while (n-- > 0 && node != CALLTREE_NONE) {
		uint32_t frame = frames_at(&c->frames, in, &chain[n]), of[SYM_SPOTS_MAX];
		size_t k;

		if (frame == NAMES_NONE)
			return CALLTREE_NONE;
		k = frames_of(&c->frames, frame, of);
		for (size_t i = 0; i < k && node != CALLTREE_NONE; i++)
			node = calltree_child(&c->tree, node, of[i]);
	}
	return node;
}

void callers_put(struct callers *c, uint32_t stack, struct out *o)
{
	const struct ct_node *v = c->tree.nodes.v;

	for (uint32_t at = stack; at; at = v[at].parent) {
		const struct hist_frame *f = &c->frames.v.v[v[at].key];

		out_str(o, "    ");
		out_zero_hex(o, f->addr, 16);
		out_printf(o, " %s (%s)\n", frames_label(&c->frames, v[at].key), f->dso_short);
	}
}

void callers_put_short(struct callers *c, uint32_t stack, unsigned most, struct out *o)
{
	const struct ct_node *v = c->tree.nodes.v;
	unsigned n = 0;

	for (uint32_t at = stack; at; at = v[at].parent) {
		if (n++ == most) {
			out_str(o, " <- ...");
			return;
		}
		out_printf(o, "%s%s", n > 1 ? " <- " : "", frames_label(&c->frames, v[at].key));
	}
}

void callers_put_arrows(struct callers *c, uint32_t stack, uint64_t most, bool (*skip)(const struct hist_frame *f),
			struct out *o)
{
	const struct ct_node *v = c->tree.nodes.v;
	bool first = true;

	for (uint32_t at = stack; at && most; at = v[at].parent, most--) {
		const struct hist_frame *f = &c->frames.v.v[v[at].key];

		if (skip(f))
			continue;
		out_str(o, first ? "" : " <- ");
		out_str(o, f->sym ? f->sym : "[unknown]");
		first = false;
	}
}

bool callers_any(struct callers *c, uint32_t stack, bool (*is)(void *arg, const char *label), void *arg)
{
	const struct ct_node *v = c->tree.nodes.v;

	for (uint32_t at = stack; at; at = v[at].parent)
		if (is(arg, frames_label(&c->frames, v[at].key)))
			return true;
	return false;
}

int callers_flame(struct callers *c, uint32_t stack, const char *first, uint64_t weight, struct flame *f)
{
	const struct ct_node *v = c->tree.nodes.v;
	struct flame_frame frames[FRAMES_DEPTH + 1];
	size_t depth = 0, n, at;

	for (uint32_t i = stack; i && depth < FRAMES_DEPTH; i = v[i].parent)
		depth++;
	n = depth + (first != NULL);
	at = n;
	if (first)
		frames[0] = (struct flame_frame){ first, FLAME_PLAIN };
	for (uint32_t i = stack; i && at > (first != NULL); i = v[i].parent)
		frames[--at] = (struct flame_frame){ frames_label(&c->frames, v[i].key),
						     flame_kind_of(&c->frames.v.v[v[i].key]) };
	return flame_add(f, frames, n, weight);
}
