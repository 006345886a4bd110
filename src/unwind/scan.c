/* scan.c - see scan.h. */
#include "unwind/scan.h"

/* Bytes of a frame: more is no frame, but code that was misread. */
enum { FRAME_MAX = 1 << 20 };

/* Where the frame is after the instructions so far. Offsets are from the stack pointer at the function's entry. */
struct frame {
	int64_t sp;
	uint64_t saved;                /* a bit for each register */
	int64_t off[CFI_REGS];
};

struct scan {
	const struct arch *arch;
	arch_stack_fn *stack;
	struct scan_regs regs;
	struct frame now;
	struct frame body;             /* before the epilogue that is going on */
	struct frame fresh;            /* as if a function had begun behind the last return, jump or padding */
	bool leaving;                  /* an epilogue is going on */
	bool is_broken, is_function;
};

static bool has(const struct frame *f, unsigned reg)
{
	return f->saved >> reg & 1;
}

/* What is stored later is no more what the caller had; what is stored in the caller's frame is no register of it. */
static void keep(struct frame *f, const struct arch_stack *x)
{
	for (unsigned i = 0; i < x->n_saved; i++) {
		int64_t off = f->sp + x->saved[i].off;
		unsigned reg = x->saved[i].reg;

		if (reg >= CFI_REGS || has(f, reg) || off >= 0)
			continue;
		f->saved |= UINT64_C(1) << reg;
		f->off[reg] = off;
	}
}

/* Registers below the stack pointer are gone. False: there is no such frame. */
static bool step(struct frame *f, const struct arch_stack *x)
{
	f->sp += x->change;
	keep(f, x);
	for (unsigned reg = 0; x->change > 0 && reg < CFI_REGS; reg++)
		if (has(f, reg) && f->off[reg] < f->sp)
			f->saved &= ~(UINT64_C(1) << reg);
	return f->sp <= 0 && f->sp >= -FRAME_MAX;
}

static bool stores(const struct arch_stack *x, unsigned reg)
{
	for (unsigned i = 0; i < x->n_saved; i++)
		if (x->saved[i].reg == reg)
			return true;
	return false;
}

/*
 * Behind a return is what was before its epilogue, or another function. That one has begun where the return address is
 * stored, as no function stores it twice.
 */
static void take(struct scan *s, const uint8_t *p, size_t n)
{
	struct arch_stack x = s->stack(p, n);
	bool leaves = s->arch->frame(p, n) == ARCH_FRAME_LEAVES;

	if (x.change > 0 && !s->leaving) {
		s->body = s->now;
		s->leaving = true;
	}
	s->is_broken |= x.is_unknown || !step(&s->now, &x);
	if (!step(&s->fresh, &x) || leaves || x.pads)
		s->fresh = (struct frame){ 0 };
	if (!s->is_function && stores(&x, s->regs.lr) && has(&s->fresh, s->regs.lr)) {
		s->now = s->fresh;
		s->is_broken = false;
	}
	if (x.change < 0)
		s->leaving = false;
	if (leaves && s->leaving) {
		s->now = s->body;
		s->leaving = false;
	}
}

/* Is the frame taken down, and no more, by the next return, or jump elsewhere? So it was not another function's. */
static bool is_confirmed(const struct scan *s, const uint8_t *p, size_t n)
{
	struct frame f = s->now;

	for (size_t at = 0; at + s->arch->insn_size <= n; at += s->arch->insn_size) {
		struct arch_stack x = s->stack(p + at, n - at);

		if (!f.sp && s->arch->frame(p + at, n - at) == ARCH_FRAME_LEAVES)
			return true;
		if (x.returns)
			return false;
		if (x.is_unknown || !step(&f, &x))
			return false;
	}
	return false;
}

static void to_row(const struct frame *f, struct scan_regs regs, struct cfi_row *row)
{
	*row = (struct cfi_row){
		.cfa = { .how = CFI_VALUE, .reg = (uint8_t)regs.sp, .off = -f->sp }, .ret = (uint8_t)regs.lr,
	};
	for (unsigned reg = 0; reg < CFI_REGS; reg++)
		if (has(f, reg))
			row->reg[reg] = (struct cfi_rule){ .how = CFI_SAVED, .off = f->off[reg] };
}

bool scan_row(const struct arch *arch, const struct scan_code *c, struct scan_regs regs, struct cfi_row *row)
{
	struct scan s = {
		.arch = arch, .stack = arch_stack_of(arch), .regs = regs, .is_function = c->is_function,
	};

	if (!s.stack)
		return false;
	for (size_t at = 0; at + arch->insn_size <= c->before; at += arch->insn_size) {
		take(&s, c->p + at, c->before - at);
		if (s.is_broken && s.is_function)
			return false;
	}
	if (s.is_broken || !has(&s.now, regs.lr) || (!s.is_function && !is_confirmed(&s, c->p + c->before, c->after)))
		return false;
	to_row(&s.now, regs, row);
	return true;
}
