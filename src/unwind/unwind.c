/* unwind.c - see unwind.h. */
#include "unwind/unwind.h"

#include "unwind/expr.h"
#include "unwind/scan.h"

/* Rows in the cache, a power of two: most samples are at few addresses. */
enum { ROWS = 2048, RECORD_SIZE = 16 };

struct known {
	uint64_t pc;                   /* address in the file */
	const struct cfi *cfi;         /* NULL: no row from call frame information */
	bool is_go;                    /* the row is from Go's own table */
	bool in_lr, has_in_lr;         /* result of unwind_caller_in_lr(); has: it is valid */
	enum { UNSCANNED, NO_ROW, HAS_ROW } scan;   /* without rules: does scanning the code give a row? */
	/* Is a signal trampoline at pc, and behind it? See is_trampoline(). */
	enum { UNSEEN, IS_NONE, IS_TRAMPOLINE } trampoline[2];
	uint64_t function;             /* start of the function by its FDE */
	struct cfi_row row;
	uint8_t n_rules, rules[CFI_REGS];   /* registers that the function may have changed */
};

struct unwind {
	const struct arch *arch;
	unsigned fp, sp, lr, ip;       /* DWARF register numbers; lr CFI_REGS: none */
	struct known known[ROWS];
	/* The keys of `known`; NULL: free. Separate, so that unused pages of `known` are never touched. */
	struct { const struct module *module; uint64_t pc; } of[ROWS];
};

/* The frame that is being unwound. */
struct place {
	struct unwind *u;
	const struct unwind_process *p;
	struct unwind_regs now;
	struct unwind_code code;
	bool returns;                  /* now.pc is a return address */
};

static unsigned dwarf_number(const struct arch *arch, uint8_t perf_bit)
{
	for (size_t i = 0; i < arch->n_regs; i++)
		if (arch->regs[i].perf_bit == perf_bit && arch->regs[i].dwarf < CFI_REGS)
			return arch->regs[i].dwarf;
	return CFI_REGS;
}

struct unwind *unwind_new(const struct arch *arch)
{
	struct unwind *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->arch = arch;
	u->fp = dwarf_number(arch, arch->reg_fp);
	u->sp = dwarf_number(arch, arch->reg_sp);
	u->ip = dwarf_number(arch, arch->reg_ip);
	u->lr = arch->reg_lr == ARCH_NO_REG ? CFI_REGS : dwarf_number(arch, arch->reg_lr);
	return u;
}

void unwind_free(struct unwind *u)
{
	free(u);
}

/* --- by rules --- */

static const struct cfi *read_row(struct module *m, uint64_t pc, struct cfi_row *row, uint64_t *function)
{
	struct cfi_fde fde;

	for (enum module_frames i = 0; i < MODULE_FRAMES; i++) {
		const struct cfi *c = module_frames(m, i);

		if (module_function(m, i, pc, &fde) && !cfi_row(c, &fde, pc, row, NULL)) {
			*function = fde.start;
			return c;
		}
	}
	return NULL;
}

static struct cfi_rule saved_at(int64_t off)
{
	return (struct cfi_rule){ .how = CFI_SAVED, .off = off };
}

/*
 * Rules for a Go function, by the stack depth in Go's table. The return address is at the bottom of the frame, or above
 * it if calls push it (x86_64); the caller's frame pointer is below it.
 */
static bool go_row(const struct unwind *u, struct module *m, struct known *k)
{
	const struct gofuncs *g = module_go(m);
	bool pushes = u->lr == CFI_REGS;
	unsigned ret = pushes ? u->ip : u->lr;
	struct gofunc_frame f;

	if (!g || ret >= CFI_REGS || !gofuncs_frame(g, k->pc, &f))
		return false;

	int64_t depth = f.depth, at = pushes ? -8 : -depth;

	k->function = f.start;
	k->row = (struct cfi_row){
		.cfa = { .how = CFI_VALUE, .reg = (uint8_t)u->sp, .off = pushes ? depth + 8 : depth },
		.ret = (uint8_t)ret,
	};
	if (depth || pushes)
		k->row.reg[ret] = saved_at(at);
	if (depth)
		k->row.reg[u->fp] = saved_at(at - 8);
	if (f.is_outermost)
		k->row.reg[ret].how = CFI_UNDEFINED;
	return true;
}

static bool has_rules(const struct known *k)
{
	return k->cfi || k->is_go;
}

static void list_rules(struct known *k)
{
	k->n_rules = 0;
	for (uint8_t reg = 0; (has_rules(k) || k->scan == HAS_ROW) && reg < CFI_REGS; reg++)
		if (k->row.reg[reg].how != CFI_SAME)
			k->rules[k->n_rules++] = reg;
}

static struct known *row_at(struct unwind *u, struct module *m, uint64_t pc)
{
	size_t i = (pc >> 2 ^ pc >> 11 ^ (uintptr_t)m >> 6) % ROWS;
	struct known *k = &u->known[i];

	if (u->of[i].module == m && u->of[i].pc == pc)
		return k;
	u->of[i].module = m;
	u->of[i].pc = k->pc = pc;
	k->cfi = read_row(m, pc, &k->row, &k->function);
	k->is_go = !k->cfi && go_row(u, m, k);
	k->has_in_lr = false;
	k->scan = UNSCANNED;
	k->trampoline[0] = k->trampoline[1] = UNSEEN;
	list_rules(k);
	return k;
}

static enum unwind_end of_expr(enum unwind_expr_end end)
{
	switch (end) {
	case UNWIND_EXPR_DONE: return UNWIND_FULL;
	case UNWIND_EXPR_NO_MEMORY: return UNWIND_NO_MEMORY;
	default: return UNWIND_BROKEN;
	}
}

/* Evaluate an expression. Here and below, UNWIND_FULL means success: unwinding goes on. */
static enum unwind_end expression(const struct place *at, const struct known *k, const struct cfi_rule *r,
				  const uint64_t *cfa, uint64_t *v)
{
	struct unwind_expr x = {
		.code = cfi_expression(k->cfi, r), .addr_size = k->cfi->is64 ? 8 : 4, .swap = k->cfi->bytes.swap,
		.bias = at->code.bias, .regs = &at->now, .read = at->p->read, .arg = at->p->arg, .cfa = cfa,
	};

	return of_expr(unwind_expr(&x, v));
}

/*
 * After a step by frame record the exact stack pointer is unknown. But if the function keeps a frame record, as its
 * rules say, that is where the frame pointer points, and the CFA follows from it. False: it keeps none.
 */
static bool frame_by_record(const struct place *at, const struct known *k, uint64_t *cfa)
{
	const struct cfi_rule *fp = &k->row.reg[at->u->fp], *ret = &k->row.reg[k->row.ret];
	uint64_t record;

	if (!at->now.sp_is_least || fp->how != CFI_SAVED || ret->how != CFI_SAVED || ret->off != fp->off + 8 ||
	    !unwind_reg(&at->now, at->u->fp, &record) || record < at->now.v[at->u->sp])
		return false;
	*cfa = record - (uint64_t)fp->off;
	return true;
}

static enum unwind_end frame_address(const struct place *at, const struct known *k, uint64_t *cfa)
{
	const struct cfi_rule *r = &k->row.cfa;

	if (r->how == CFI_VALUE_EXPR)
		return expression(at, k, r, NULL, cfa);
	if (r->reg == at->u->sp && frame_by_record(at, k, cfa))
		return UNWIND_FULL;
	if (!unwind_reg(&at->now, r->reg, cfa))
		return UNWIND_NO_MEMORY;
	*cfa += (uint64_t)r->off;
	return UNWIND_FULL;
}

/* Restore the caller's value of a register; its bit in to->known stays clear if that is not possible. */
static void restore(const struct place *at, const struct known *k, unsigned reg, uint64_t cfa, struct unwind_regs *to)
{
	const struct cfi_rule *r = &k->row.reg[reg];
	uint64_t v = cfa + (uint64_t)r->off;
	bool has = true;

	switch (r->how) {
	case CFI_SAME:
		has = unwind_reg(&at->now, reg, &v);
		break;
	case CFI_UNDEFINED:
		has = false;
		break;
	case CFI_REGISTER:
		has = unwind_reg(&at->now, r->reg, &v);
		break;
	case CFI_SAVED_EXPR:
	case CFI_VALUE_EXPR:
		has = expression(at, k, r, &cfa, &v) == UNWIND_FULL;
		break;
	}
	if (has && (r->how == CFI_SAVED || r->how == CFI_SAVED_EXPR))
		has = at->p->read(at->p->arg, v, &v);
	if (has)
		unwind_reg_set(to, reg, v);
}

/*
 * Unwind by rules. A function that has called another one has saved its return address: if the rules at a return
 * address still have it in the register, they are wrong, or belong to the code behind a call that never returns.
 */
static enum unwind_end leave_by_rules(struct place *at, const struct known *k)
{
	const struct cfi_rule *ret = &k->row.reg[k->row.ret];
	struct unwind_regs to = at->now;
	uint64_t cfa, sp = at->now.v[at->u->sp];
	enum unwind_end end = frame_address(at, k, &cfa);

	if (end != UNWIND_FULL)
		return end;
	if (ret->how == CFI_UNDEFINED)
		return UNWIND_OUTERMOST;
	if (ret->how == CFI_SAME && at->returns)
		return UNWIND_BROKEN;
	/* The CFA must grow, except at a signal frame: a handler may have a stack of its own, at any address. */
	if (!k->row.is_signal && (cfa < sp || (cfa == sp && at->returns)))
		return UNWIND_BROKEN;
	for (unsigned i = 0; i < k->n_rules; i++)
		to.known &= ~(1ULL << k->rules[i]);
	unwind_reg_set(&to, at->u->sp, cfa);
	for (unsigned i = 0; i < k->n_rules; i++)
		restore(at, k, k->rules[i], cfa, &to);
	if (!unwind_reg(&to, k->row.ret, &to.pc))
		return UNWIND_NO_MEMORY;
	to.sp_is_least = false;
	at->now = to;
	at->returns = !k->row.is_signal;
	return UNWIND_FULL;
}

/* --- signal frames --- */

static bool has_trampoline(const struct place *at)
{
	const struct arch_signal *s = at->u->arch->signal;
	struct cursor code = module_code(at->code.module, at->now.pc - at->code.bias);

	return !code.bad && cur_left(&code) >= s->n_code && !memcmp(code.pos, s->code, s->n_code);
}

static bool is_trampoline(const struct place *at, struct known *k)
{
	if (k->trampoline[at->returns] == UNSEEN)
		k->trampoline[at->returns] = has_trampoline(at) ? IS_TRAMPOLINE : IS_NONE;
	return k->trampoline[at->returns] == IS_TRAMPOLINE;
}

/* By the layout of the signal frame: the vDSO's rules for it lead to a wrong place, and C libraries have none. */
static enum unwind_end leave_by_signal(struct place *at)
{
	const struct arch_signal *s = at->u->arch->signal;
	struct unwind_regs to = { 0 };
	uint64_t sp, v;

	if (!unwind_reg(&at->now, at->u->sp, &sp) || !at->p->read(at->p->arg, sp + s->pc, &to.pc))
		return UNWIND_NO_MEMORY;
	for (unsigned i = 0; i < s->n_regs; i++)
		if (at->p->read(at->p->arg, sp + s->regs[i].off, &v))
			unwind_reg_set(&to, s->regs[i].dwarf, v);
	at->now = to;
	at->returns = false;
	return UNWIND_FULL;
}

/* --- by frame records --- */

/* Does the caller have rules? Then its frame pointer register may hold any value. */
static bool caller_has_rules(const struct place *at, uint64_t ret)
{
	struct unwind_code code;
	uint64_t pc = at->u->arch->strip(ret) - 1;

	return at->p->code(at->p->arg, pc, &code) && code.module &&
	       has_rules(row_at(at->u, code.module, pc - code.bias));
}

/* {caller's frame record, return address}, as the procedure call standards of both architectures have it. */
static enum unwind_end leave_by_record(struct place *at)
{
	struct unwind_regs to = { 0 };
	uint64_t fp, sp = at->now.v[at->u->sp], next, ret;

	if (!unwind_reg(&at->now, at->u->fp, &fp))
		return UNWIND_NO_RULES;
	if (!fp)
		return UNWIND_OUTERMOST;
	if (fp % 8 || fp < sp)
		return UNWIND_NO_RULES;
	if (!at->p->read(at->p->arg, fp, &next) || !at->p->read(at->p->arg, fp + 8, &ret))
		return UNWIND_NO_MEMORY;
	if (!ret)
		return UNWIND_OUTERMOST;
	if (next && next <= fp && !caller_has_rules(at, ret))
		return UNWIND_BROKEN;
	to.pc = ret;
	unwind_reg_set(&to, at->u->fp, next);
	unwind_reg_set(&to, at->u->sp, fp + RECORD_SIZE);
	/* If calls push the return address (x86_64), the record ends the frame, and the stack pointer is exact. */
	to.sp_is_least = at->u->arch->frame;
	at->now = to;
	at->returns = true;
	return UNWIND_FULL;
}

/* --- the caller of a chain's innermost frame --- */

enum { FUNCTION_MAX = 1 << 18 };   /* limit of bytes to read */

/* The start of the function at pc, by its symbol. */
static bool begins(struct module *m, uint64_t pc, uint64_t *start)
{
	const struct sym *s = module_functions(m, FUNCTIONS_BEST, NULL) ? NULL : symtab_find(&m->functions, pc);

	*start = s ? s->addr : 0;
	return s;
}

/*
 * Read the function's instructions linearly. The link register has the return address up to the instruction that sets
 * up the frame record, and again behind the epilogue. After a return the state is that of the function's body again.
 * is_saved: the rules say that it is on the stack, so an instruction must have stored it.
 */
static bool in_lr_by_code(const struct arch *arch, const struct module *m, uint64_t start, uint64_t pc, bool is_saved)
{
	struct cursor code = module_code(m, start);
	bool in_lr = true, saved = false;
	uint64_t size = pc - start;

	if (code.bad || pc < start || size > FUNCTION_MAX || size > cur_left(&code))
		return false;
	for (uint64_t at = 0; at < size; at += arch->insn_size) {
		switch (arch->frame(code.pos + at, cur_left(&code) - at)) {
		case ARCH_FRAME_SAVES:
			saved = true;
			break;
		case ARCH_FRAME_BEGINS:
		case ARCH_FRAME_CALLS:
			in_lr = false;
			break;
		case ARCH_FRAME_ENDS:
			in_lr = true;
			break;
		case ARCH_FRAME_LEAVES:
			in_lr = in_lr && !saved;
			break;
		case ARCH_FRAME_OTHER:
			break;
		}
	}
	return in_lr && (saved || !is_saved);
}

static bool find_in_lr(const struct unwind *u, struct module *m, const struct known *k)
{
	uint64_t start = k->function;

	if (has_rules(k) && k->row.ret == u->lr && k->row.reg[u->lr].how == CFI_SAME)
		return true;
	return (has_rules(k) || begins(m, k->pc, &start)) && in_lr_by_code(u->arch, m, start, k->pc, has_rules(k));
}

bool unwind_caller_in_lr(struct unwind *u, struct module *m, uint64_t pc)
{
	struct known *k = u->arch->frame ? row_at(u, m, pc) : NULL;

	if (!k)
		return false;
	if (!k->has_in_lr)
		k->in_lr = find_in_lr(u, m, k);
	k->has_in_lr = true;
	return k->in_lr;
}

/* Unwind by the link register: in a PLT stub, or in a leaf function without rules, which have no frame. */
static bool leave_by_lr(struct place *at)
{
	uint64_t lr;

	if (at->returns || !at->code.module || !unwind_reg(&at->now, at->u->lr, &lr) ||
	    !unwind_caller_in_lr(at->u, at->code.module, at->now.pc - at->code.bias))
		return false;
	at->now.pc = lr;
	at->returns = true;
	return true;
}

/* --- by the code alone --- */

/* Bytes before the pc to scan if no symbol has the function's start. */
enum { SCANNED_MAX = 1 << 14 };

/* The code from the function's start, if a symbol has that. */
static bool code_of_function(struct module *m, uint64_t pc, struct scan_code *c)
{
	struct cursor code;
	uint64_t start;

	if (!begins(m, pc, &start))
		return false;
	code = module_code(m, start);
	*c = (struct scan_code){ .p = code.pos, .before = (size_t)(pc - start), .is_function = true };
	return !code.bad && pc - start <= MIN((uint64_t)cur_left(&code), (uint64_t)FUNCTION_MAX);
}

/* SCANNED_MAX bytes of code before pc, or fewer at the start of a segment. */
static bool code_around(struct module *m, uint64_t pc, struct scan_code *c)
{
	for (uint64_t n = SCANNED_MAX; n >= 4; n /= 2) {
		struct cursor code = module_code(m, pc - MIN(n, pc));

		if (code.bad || pc < n || cur_left(&code) < n)
			continue;
		*c = (struct scan_code){
			.p = code.pos, .before = (size_t)n,
			.after = (size_t)MIN(cur_left(&code) - n, (uint64_t)SCANNED_MAX),
		};
		return true;
	}
	return false;
}

static bool scan(const struct unwind *u, struct module *m, uint64_t pc, struct cfi_row *row)
{
	struct scan_code c;

	return (code_of_function(m, pc, &c) || code_around(m, pc, &c)) &&
	       scan_row(u->arch, &c, (struct scan_regs){ u->sp, u->lr }, row);
}

/* Does scanning the code give a row? At a return address the state before the call counts. */
static bool has_scanned_row(const struct place *at, struct known *k, uint64_t pc)
{
	const struct arch *arch = at->u->arch;

	if (!arch->frame || has_rules(k))
		return false;
	if (k->scan == UNSCANNED) {
		k->scan = scan(at->u, at->code.module, pc - pc % arch->insn_size, &k->row) ? HAS_ROW : NO_ROW;
		list_rules(k);
	}
	return k->scan == HAS_ROW;
}

/* --- */

static enum unwind_end leave_somehow(struct place *at, enum unwind_how *how)
{
	uint64_t pc = at->now.pc - at->code.bias - at->returns;
	struct known *k = at->code.module ? row_at(at->u, at->code.module, pc) : NULL;
	uint64_t cfa;

	*how = UNWIND_SIGNAL;
	if (k && is_trampoline(at, k) && !at->now.sp_is_least)
		return leave_by_signal(at);
	*how = UNWIND_RULES;
	if (k && has_rules(k))
		return leave_by_rules(at, k);
	*how = UNWIND_LINK;
	if (leave_by_lr(at))
		return UNWIND_FULL;
	*how = UNWIND_SCAN;
	if (k && has_scanned_row(at, k, pc) && (!at->now.sp_is_least || frame_by_record(at, k, &cfa)))
		return leave_by_rules(at, k);
	*how = UNWIND_RECORD;
	return leave_by_record(at);
}

/* Unwind one frame: *f is the caller, if there is one. */
static enum unwind_end leave(struct place *at, struct unwind_frame *f)
{
	enum unwind_how how;
	enum unwind_end end;

	if (!at->p->code(at->p->arg, at->now.pc - at->returns, &at->code))
		return UNWIND_UNMAPPED;
	end = leave_somehow(at, &how);
	if (end != UNWIND_FULL)
		return end;
	if (!at->now.pc)
		return UNWIND_OUTERMOST;
	at->now.pc = at->u->arch->strip(at->now.pc);
	*f = (struct unwind_frame){ at->now.pc, (uint8_t)how, at->returns };
	return UNWIND_FULL;
}

size_t unwind_stack(struct unwind *u, const struct unwind_process *p, const struct unwind_regs *from,
		    struct unwind_frame *f, size_t max, enum unwind_end *end)
{
	struct place at = { .u = u, .p = p, .now = *from };
	size_t n = 0;

	*end = UNWIND_FULL;
	if (!max)
		return 0;
	f[n++] = (struct unwind_frame){ from->pc, UNWIND_SAMPLED, false };
	while (*end == UNWIND_FULL && n < max) {
		*end = leave(&at, &f[n]);
		n += *end == UNWIND_FULL;
	}
	return n;
}
