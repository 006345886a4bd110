/* stacks.c - see stacks.h. */
#include "source/stacks.h"

#include "base/fmt.h"

/* PERF_SAMPLE_REGS_ABI_64 of linux/perf_event.h. */
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
	s->marks = false;
}

void stacks_deinit(struct stacks *s)
{
	unwind_free(s->unwind);
	s->unwind = NULL;
}

static bool read_regs(const struct work *w, struct bytes from, uint64_t mask, struct unwind_regs *to)
{
	struct cursor c = cur_from(from.p, from.n);
	const struct arch *arch = w->s->arch;

	c.swap = w->l->swap;
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;

		uint64_t v = cur_u64(&c);

		if (bit == arch->reg_ip)
			to->pc = v;
		if (bit < arch->n_regs && arch->regs[bit].dwarf < CFI_REGS)
			unwind_reg_set(to, arch->regs[bit].dwarf, v);
	}
	return !c.bad;
}

/* Unwinding rules are for 64-bit tasks only. */
static bool has_user_regs(struct work *w)
{
	return w->sample->user_regs.n && w->sample->user_abi == ABI_64 &&
	       read_regs(w, w->sample->user_regs, w->l->regs_user, &w->regs);
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

/* Is it a trampoline for function returns (kretprobe, function graph)? The kernel's chain has the true caller then. */
static bool is_return_hook(const char *name)
{
	return strstr(name, "trampoline") || !strcmp(name, "return_to_handler");
}

/*
 * A probe at a function's first instruction: only the link register has the caller. The kernel's chain follows the
 * caller's frame record, so it continues with the caller's caller (at least up to Linux 6.18).
 */
static bool kernel_caller(const struct work *w, uint64_t *lr)
{
	const struct arch *arch = w->s->arch;
	const struct sample *sample = w->sample;
	const struct sym_loc *at;
	struct unwind_regs regs = { 0 };

	if (!arch->frame || !sample->intr_regs.n || sample->intr_abi != ABI_64 || sample->n_chain < 2 ||
	    sample_chain(w->l, sample, 0) != PERF_CONTEXT_KERNEL ||
	    !read_regs(w, sample->intr_regs, w->l->regs_intr, &regs) ||
	    !unwind_reg(&regs, arch->regs[arch->reg_lr].dwarf, lr))
		return false;
	at = resolver_find_in(w->s->resolver, &w->in, PERF_MISC_KERNEL, sample_chain(w->l, sample, 1));
	if (!at || !at->kernel || !at->sym || at->start != at->addr)
		return false;
	at = resolver_find_in(w->s->resolver, &w->in, PERF_MISC_KERNEL, *lr);
	return at && at->kernel && at->sym && !is_return_hook(at->sym);
}

/*
 * Copy the kernel's part of the sample's chain, up to the marker of the user's part or to its end, and insert the
 * missing caller. *n: number of entries written. Returns how many entries of the sample's chain were copied.
 */
static uint64_t kernel_part(const struct work *w, size_t *n)
{
	uint64_t taken = 0, lr;
	bool misses = kernel_caller(w, &lr);

	for (*n = 0; taken < w->sample->n_chain && *n < STACKS_CHAIN / 2 - 1; taken++) {
		uint64_t v = sample_chain(w->l, w->sample, taken);

		if (v == PERF_CONTEXT_USER)
			break;
		w->s->chain[(*n)++] = v;
		if (taken == 1 && misses)
			w->s->chain[(*n)++] = lr;
	}
	return taken;
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
	size_t n, frames = unwind_stack(w->s->unwind, &p, &w->regs, f, ARRAY_SIZE(f), &end);
	uint64_t taken = kernel_part(w, &n);

	w->s->stats.repaired += n > taken;
	w->s->chain[n++] = PERF_CONTEXT_USER;
	for (size_t i = 0; i < frames; i++) {
		bool scanned = f[i].how == UNWIND_SCAN;

		if (scanned && w->s->marks)
			w->s->chain[n++] = SAMPLE_SCANNED;
		w->s->chain[n++] = f[i].pc;
		w->s->stats.scanned += scanned;
	}
	w->s->stats.unwound++;
	w->s->stats.ends[end]++;
	w->s->stats.frames += frames;
	use(w, to, n);
}

/*
 * The caller that a user chain misses, which goes from the function to its caller's caller if the function is a leaf,
 * or has not set up its frame record yet, or has removed it. marker: index of the marker of the user's part.
 */
static bool user_caller(struct work *w, uint64_t marker, uint64_t *lr)
{
	uint64_t pc = sample_chain(w->l, w->sample, marker + 1), bias;
	struct module *m;

	if (!has_user_regs(w) || sample_chain(w->l, w->sample, marker) != PERF_CONTEXT_USER ||
	    !unwind_reg(&w->regs, w->s->arch->regs[w->s->arch->reg_lr].dwarf, lr))
		return false;
	*lr = w->s->arch->strip(*lr);
	m = resolver_module(w->s->resolver, &w->in.user, pc, &bias);
	return m && resolver_is_mapped(&w->in.user, *lr) && unwind_caller_in_lr(w->s->unwind, m, pc - bias);
}

static void repair(struct work *w, struct sample *to)
{
	size_t n;
	uint64_t taken, lr = 0;
	bool misses;

	if (w->sample->n_chain + 2 > STACKS_CHAIN)
		return;
	taken = kernel_part(w, &n);
	misses = user_caller(w, taken, &lr);
	if (n == taken && !misses)
		return;
	for (uint64_t i = taken; i < w->sample->n_chain; i++) {
		w->s->chain[n++] = sample_chain(w->l, w->sample, i);
		if (i == taken + 1 && misses)
			w->s->chain[n++] = lr;
	}
	w->s->stats.repaired++;
	use(w, to, n);
}

/* --call-graph lr: the sampled address, and LR if it is in the same half of the address space. */
static void chain_by_lr(struct work *w, struct sample *to)
{
	const struct arch *arch = w->s->arch;
	const struct sample *from = w->sample;
	bool of_user = !(w->l->sample_type & PERF_SAMPLE_REGS_INTR);
	struct bytes regs = of_user ? from->user_regs : from->intr_regs;
	uint64_t lr = 0, mask = of_user ? w->l->regs_user : w->l->regs_intr;
	size_t n = 0;

	w->s->chain[n++] = from->cpumode == PERF_MISC_KERNEL ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER;
	w->s->chain[n++] = from->ip;
	if (regs.n && (of_user ? from->user_abi : from->intr_abi) == ABI_64 && read_regs(w, regs, mask, &w->regs) &&
	    unwind_reg(&w->regs, arch->regs[arch->reg_lr].dwarf, &lr)) {
		lr = arch->strip(lr);
		if (lr && lr >> 63 == from->ip >> 63)
			w->s->chain[n++] = lr;
	}
	use(w, to, n);
}

int stacks_complete(struct stacks *s, const struct sample_layout *l, struct sample *sample)
{
	struct resolver_spaces in = { 0 };

	if (s->arch && !(l->is_lr && s->arch->frame))
		in = resolver_spaces(s->resolver, sample->pid, sample->time);
	return stacks_complete_in(s, l, sample, &in);
}

int stacks_complete_in(struct stacks *s, const struct sample_layout *l, struct sample *sample,
		       const struct resolver_spaces *in)
{
	struct work w = { .s = s, .l = l, .sample = sample, .in = *in };

	if (!s->arch)
		return 0;
	if (l->is_lr && s->arch->frame) {
		chain_by_lr(&w, sample);
		return 0;
	}
	if (!s->unwind)
		s->unwind = unwind_new(s->arch);
	if (!s->unwind)
		return -ENOMEM;
	if (sample->stack.n && has_user_regs(&w) && w.regs.known >> s->arch->regs[s->arch->reg_sp].dwarf & 1) {
		unwind_it(&w, sample);
		return 0;
	}
	s->stats.foreign += sample->stack.n != 0;
	if (s->arch->frame && l->sample_type & PERF_SAMPLE_CALLCHAIN)
		repair(&w, sample);
	return 0;
}

static void tell(uint64_t n, const char *what, void (*say)(void *arg, const char *line), void *arg)
{
	char number[32], line[200];

	if (!n)
		return;
	snprintf(line, sizeof(line), "%s %s", fmt_grouped(number, sizeof(number), n), what);
	say(arg, line);
}

void stacks_tell(const struct stacks_stats *s, void (*say)(void *arg, const char *line), void *arg)
{
	static const char *const why[UNWIND_ENDS] = {
		[UNWIND_FULL] = "stacks have more frames than are shown",
		[UNWIND_UNMAPPED] = "stacks end early: their last frame is where no code is",
		[UNWIND_NO_MEMORY] = "stacks end early: what was copied of them when they were recorded ends there",
		[UNWIND_NO_RULES] = "stacks end early: nothing tells how their last frame is laid out",
		[UNWIND_BROKEN] = "stacks end early: what tells how their last frame is laid out makes no sense",
	};

	for (size_t i = 0; i < UNWIND_ENDS; i++)
		if (why[i])
			tell(s->ends[i], why[i], say, arg);
	tell(s->scanned, "frames were found by the code of what they called: no rules and no frame record tell of them",
	     say, arg);
	tell(s->foreign, "stacks are of 32-bit programs: they were not followed", say, arg);
}
