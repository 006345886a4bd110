/* stacks.c - see stacks.h. */
#include "source/stacks.h"

/* perf_event.h: registers of a 64-bit task. */
enum { ABI_64 = 2 };

/* One sample being worked on. */
struct work {
	struct stacks *s;
	const struct sample_layout *l;
	const struct sample *sample;
	struct resolver_spaces in;
	struct unwind_regs regs;
};

void stacks_init(struct stacks *s, struct resolver *r, const struct arch *arch)
{
	s->unwind = NULL;
	s->resolver = r;
	s->arch = arch;
	s->stats = (struct stacks_stats){ 0 };
}

void stacks_deinit(struct stacks *s)
{
	unwind_free(s->unwind);
	s->unwind = NULL;
}

/* Of a task of 32 bits there is nothing that these rules hold for. */
static bool read_regs(struct work *w)
{
	struct cursor c = cur_from(w->sample->user_regs.p, w->sample->user_regs.n);
	const struct arch *arch = w->s->arch;

	c.swap = w->l->swap;
	if (w->sample->user_abi != ABI_64)
		return false;
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(w->l->regs_user >> bit & 1))
			continue;

		uint64_t v = cur_u64(&c);

		if (bit == arch->reg_ip)
			w->regs.pc = v;
		if (bit < arch->n_regs && arch->regs[bit].dwarf < CFI_REGS)
			unwind_reg_set(&w->regs, arch->regs[bit].dwarf, v);
	}
	return !c.bad;
}

static uint64_t stack_pointer(const struct work *w)
{
	return w->regs.v[w->s->arch->regs[w->s->arch->reg_sp].dwarf];
}

static bool read_stack(void *arg, uint64_t addr, uint64_t *v)
{
	const struct work *w = arg;
	struct cursor c = cur_from(w->sample->stack.p, w->sample->stack.n);
	uint64_t off = addr - stack_pointer(w);

	c.swap = w->l->swap;
	cur_seek(&c, off);
	*v = cur_u64(&c);
	return !c.bad;
}

static bool code_at(void *arg, uint64_t pc, struct unwind_code *code)
{
	struct work *w = arg;

	code->module = resolver_module(w->s->resolver, &w->in.user, pc, &code->bias);
	return code->module || resolver_is_mapped(&w->in.user, pc);
}

/* Entries of the sample's own chain up to the user's part, which begins with a marker; copied into ours. */
static size_t kernel_part(const struct work *w)
{
	size_t n = 0;

	for (uint64_t i = 0; i < w->sample->n_chain && n < STACKS_CHAIN / 2; i++) {
		uint64_t v = sample_chain(w->l, w->sample, i);

		if (v == PERF_CONTEXT_USER)
			break;
		w->s->chain[n++] = v;
	}
	return n;
}

static void use(struct work *w, struct sample *to, size_t n)
{
	for (size_t i = 0; i < n && w->l->swap; i++)
		w->s->chain[i] = __builtin_bswap64(w->s->chain[i]);
	to->chain = (struct bytes){ (const uint8_t *)w->s->chain, n * sizeof(*w->s->chain) };
	to->n_chain = n;
}

static void unwind_it(struct work *w, struct sample *to)
{
	struct unwind_process p = { read_stack, code_at, w };
	struct unwind_frame f[STACKS_CHAIN / 2 - 1];
	enum unwind_end end;
	size_t n = kernel_part(w), frames = unwind_stack(w->s->unwind, &p, &w->regs, f, ARRAY_SIZE(f), &end);

	w->s->chain[n++] = PERF_CONTEXT_USER;
	for (size_t i = 0; i < frames; i++)
		w->s->chain[n++] = f[i].pc;
	w->s->stats.unwound++;
	w->s->stats.ends[end]++;
	w->s->stats.frames += frames;
	use(w, to, n);
}

/*
 * A leaf, a function that has not begun its frame yet, or that has taken it down: the chain goes from it to the
 * caller's caller.
 */
static void repair(struct work *w, struct sample *to)
{
	size_t marker = kernel_part(w), n = marker;
	uint64_t pc = sample_chain(w->l, w->sample, marker + 1), bias, lr;
	struct module *m = resolver_module(w->s->resolver, &w->in.user, pc, &bias);

	if (!m || !unwind_reg(&w->regs, w->s->arch->regs[w->s->arch->reg_lr].dwarf, &lr) ||
	    sample_chain(w->l, w->sample, marker) != PERF_CONTEXT_USER || w->sample->n_chain >= STACKS_CHAIN)
		return;
	lr = w->s->arch->strip(lr);
	if (!resolver_is_mapped(&w->in.user, lr) || !unwind_caller_in_lr(w->s->unwind, m, pc - bias))
		return;
	w->s->chain[n++] = PERF_CONTEXT_USER;
	w->s->chain[n++] = pc;
	w->s->chain[n++] = lr;
	for (uint64_t i = marker + 2; i < w->sample->n_chain; i++)
		w->s->chain[n++] = sample_chain(w->l, w->sample, i);
	w->s->stats.repaired++;
	use(w, to, n);
}

int stacks_complete(struct stacks *s, const struct sample_layout *l, struct sample *sample)
{
	struct work w = { .s = s, .l = l, .sample = sample };

	if (!sample->user_regs.n || !s->arch || !read_regs(&w))
		return 0;
	if (!s->unwind)
		s->unwind = unwind_new(s->arch);
	if (!s->unwind)
		return -ENOMEM;
	w.in = resolver_spaces(s->resolver, sample->pid);
	if (sample->stack.n && w.regs.known >> s->arch->regs[s->arch->reg_sp].dwarf & 1)
		unwind_it(&w, sample);
	else if (s->arch->frame && l->sample_type & PERF_SAMPLE_CALLCHAIN)
		repair(&w, sample);
	return 0;
}
