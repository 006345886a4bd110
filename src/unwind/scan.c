/* scan.c - see scan.h. */
#include "unwind/scan.h"

/* Limit of a frame's size in bytes: a larger one means that the code was misinterpreted. */
enum { FRAME_MAX = 1 << 20 };

/* The frame after the instructions so far. Offsets are relative to the stack pointer at the function's entry. */
struct frame {
	int64_t sp;
	uint64_t saved;                /* mask of registers saved at off[] */
	int64_t off[CFI_REGS];
};

struct scan {
	const struct arch *arch;
	arch_stack_fn *stack;
	struct scan_regs regs;
	struct frame now;
	struct frame body;             /* before the current epilogue */
	struct frame fresh;            /* assuming that a function began behind the last return, jump or padding */
	bool leaving;                  /* within an epilogue */
	bool is_broken, is_function;
};

static bool has(const struct frame *f, unsigned reg)
{
	return f->saved >> reg & 1;
}

/* Note saved registers. A later store has another value, and a store into the caller's frame saves no register. */
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

/* Apply an instruction; registers saved below the stack pointer are lost. False: not a plausible frame. */
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
 * After a return the state is that before the epilogue (`body`), or another function starts (`fresh`). It is another
 * function if the return address is stored again, since no function stores it twice.
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

/* Check the state: does the code up to the next return or jump remove exactly this frame? */
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
