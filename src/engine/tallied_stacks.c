/* tallied_stacks.c - convert a stack of a BPF program to the call chain of a sample. */
#include "engine/tallied_stacks.h"

#include "engine/tallied.h"

enum { ABI_64 = 2, CALLS_MOST = 8 };

static bool is_exec(const struct side *s)
{
	return s->type == PERF_REC_COMM && s->comm.exec;
}

static bool is_end(const struct side *s)
{
	return s->type == PERF_REC_EXIT && s->pid == s->tid;
}

static bool is_map(const struct side *s)
{
	return (s->type == PERF_REC_MMAP || s->type == PERF_REC_MMAP2) && !s->map.kernel;
}

/* The first map after an exec replaces the old space: that was valid until now. */
static void replace_space(struct tallied_stacks *s, uint32_t pid, uint64_t now)
{
	const uint64_t *first = map_get(&s->of, pid);

	for (size_t at = first ? *first : 0; at; at = s->v.v[at - 1].next)
		s->v.v[at - 1].until = MIN(s->v.v[at - 1].until, now);
}

static int keep_space(struct tallied_stacks *s, struct feed *f, uint32_t pid, uint64_t until)
{
	struct tallied_space *to;
	uint64_t *at;

	if (s->v.n == TALLIED_SPACES)
		return 0;
	to = vec_add(&s->v);
	at = to ? map_add(&s->of, pid, NULL) : NULL;
	if (!at)
		return -ENOMEM;
	while (*at)
		at = &s->v.v[*at - 1].next;
	*to = (struct tallied_space){
		.until = until, .space = resolver_space_keep(resolver_spaces(f->session.resolver, pid, 0).user),
	};
	*at = s->v.n;
	return 0;
}

int tallied_stacks_note(struct tallied_stacks *s, struct feed *f)
{
	const struct side *d = &f->item.side;

	if (!f->tally)
		return 0;
	if (is_map(d))
		replace_space(s, d->pid, f->item.sample.time);
	if (is_exec(d))
		return keep_space(s, f, d->pid, UINT64_MAX);
	return is_end(d) ? keep_space(s, f, d->pid, f->item.sample.time) : 0;
}

void tallied_stacks_deinit(struct tallied_stacks *s)
{
	for (size_t i = 0; i < s->v.n; i++)
		resolver_space_drop(&s->v.v[i].space);
	vec_free(&s->v);
	map_deinit(&s->of);
}

/* Functions of the kernel between a tracepoint and the BPF program. */
static bool is_of_programs(const char *name)
{
	return !strncmp(name, "bpf_trace_run", 13) || !strncmp(name, "__bpf_trace_", 12) ||
	       !strncmp(name, "__traceiter_", 12);
}

/* Number of innermost addresses that belong to the call of the program. */
static size_t calls_of_program(const struct feed *f, const uint64_t *v, size_t n)
{
	size_t behind = 0;

	for (size_t i = 0; i < MIN(n, (size_t)CALLS_MOST); i++) {
		const struct sym_loc *l = resolver_find(f->session.resolver, 0, PERF_MISC_KERNEL, v[i]);

		if (l && l->sym && is_of_programs(l->sym))
			behind = i + 1;
	}
	return behind;
}

struct chain {
	uint64_t v[2 * TALLY_DEPTH + 2];
	size_t n;
};

static void add_part(struct chain *c, uint64_t mode, const uint64_t *v, size_t n)
{
	if (!n)
		return;
	c->v[c->n++] = mode;
	memcpy(c->v + c->n, v, n * sizeof(*v));
	c->n += n;
}

static void make_chain(const struct feed *f, const struct tally_stack *s, struct chain *c)
{
	uint64_t v[TALLY_DEPTH];
	size_t n = tally_frames(f->tally, s->kernel, v), behind = calls_of_program(f, v, n);

	add_part(c, PERF_CONTEXT_KERNEL, v + behind, n - behind);
	n = tally_frames(f->tally, s->user, v);
	add_part(c, PERF_CONTEXT_USER, v, n);
}

/* The registers of a sample with this mask: only LR is set, which completes chains. */
static struct bytes put_regs(const struct feed *f, uint64_t mask, uint64_t lr, uint64_t v[static 64])
{
	size_t n = 0;

	for (unsigned bit = 0; bit < 64; bit++)
		if (mask >> bit & 1)
			v[n++] = bit == f->session.arch->reg_lr ? lr : 0;
	return (struct bytes){ (const uint8_t *)v, n * sizeof(*v) };
}

/* The address spaces of the process when the stack first occurred. */
static struct resolver_spaces spaces_of(struct tallied_stacks *t, const struct feed *f, const struct tally_stack *s)
{
	struct resolver_spaces in = resolver_spaces(f->session.resolver, s->pid, 0);
	const uint64_t *first = map_get(&t->of, s->pid);

	for (size_t at = first ? *first : 0; at; at = t->v.v[at - 1].next)
		if (s->since < t->v.v[at - 1].until) {
			in.user = t->v.v[at - 1].space;
			break;
		}
	return in;
}

uint32_t tallied_callers(struct tallied_stacks *t, struct callers *c, const struct tally_stack *s)
{
	struct feed *f = c->feed;
	const struct perf_event *ev = tallied_event(f, s->event);
	struct chain chain = { .n = 0 };
	struct sample sample = { .pid = s->pid, .tid = s->pid };
	struct hit h = { .pid = s->pid, .perf = ev, .sample = &sample };
	struct resolver_spaces in = spaces_of(t, f, s);
	uint64_t regs[64];

	make_chain(f, s, &chain);
	if (!ev || !chain.n)
		return 0;
	sample.cpumode = chain.v[0] == PERF_CONTEXT_KERNEL ? PERF_MISC_KERNEL : PERF_MISC_USER;
	sample.ip = chain.v[1];
	sample.n_chain = chain.n;
	sample.chain = (struct bytes){ (const uint8_t *)chain.v, chain.n * sizeof(*chain.v) };
	if (s->lr) {
		sample.user_abi = ABI_64;
		sample.user_regs = put_regs(f, ev->layout.regs_user, s->lr, regs);
		if (stacks_complete_in(&f->session.stacks, &ev->layout, &sample, &in))
			return CALLTREE_NONE;
	}
	return callers_in(c, &h, &in);
}
