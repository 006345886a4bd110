/* cfi_row.c - executes the instructions of call frame information up to an address. DWARF 5 chapter 6.4.2. */
#include "obj/dwarf/cfi_parts.h"

/* Depth of DW_CFA_remember_state: compilers nest one or two. */
enum { REMEMBER_MAX = 16 };

/*
 * AArch64: pseudo register that tells whether the return address is signed. DWARF for the Arm 64-bit Architecture, 4.1.
 */
enum { RA_SIGN_STATE = 34 };

struct rules {
	struct cfi_rule cfa, reg[CFI_REGS];
	bool is_signed;
};

struct machine {
	const struct cfi *c;
	const struct cfi_cie *cie;
	uint64_t pc, loc;         /* the rules of pc are wanted; those of now begin at loc */
	uint64_t from;            /* start of the rules of pc, as far as is known */
	struct rules now, first, kept[REMEMBER_MAX];   /* first: set by the CIE, for DW_CFA_restore */
	unsigned n_kept;
};

static void go_to(struct machine *m, uint64_t loc)
{
	if (loc <= m->pc)
		m->from = loc;
	m->loc = loc;
}

static void advance(struct machine *m, uint64_t by)
{
	go_to(m, m->loc + by * m->cie->code_align);
}

static int64_t factored(const struct machine *m, uint64_t off)
{
	return (int64_t)(off * (uint64_t)m->cie->data_align);
}

static void set(struct machine *m, uint64_t reg, struct cfi_rule r)
{
	if (reg < CFI_REGS)
		m->now.reg[reg] = r;
}

static void set_how(struct machine *m, uint64_t reg, enum cfi_how how, int64_t off)
{
	set(m, reg, (struct cfi_rule){ .how = (uint8_t)how, .off = off });
}

static void restore(struct machine *m, uint64_t reg)
{
	if (reg < CFI_REGS)
		m->now.reg[reg] = m->first.reg[reg];
}

static void define(struct machine *m, uint64_t reg, int64_t off)
{
	m->now.cfa = (struct cfi_rule){ .how = CFI_VALUE, .reg = (uint8_t)MIN(reg, (uint64_t)UINT8_MAX), .off = off };
}

static struct cfi_rule expression(struct cursor *s, enum cfi_how how)
{
	uint64_t n = cur_uleb(s);
	struct cfi_rule r = { .how = (uint8_t)how, .n = (uint32_t)n, .off = (int64_t)cur_off(s) };

	cur_skip(s, n);
	s->bad |= n > UINT32_MAX;
	return r;
}

/* Opcodes with an operand in their low bits. */
enum { CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0 };

/* Execute an instruction that advances loc; false: it is another one. */
static bool step_place(struct machine *m, struct cursor *s, unsigned op)
{
	switch (op) {
	case 0x01:	/* set_loc */
		go_to(m, cfi_read_pointer(m->c, s, m->cie->encoding, m->cie->addr_size));
		return true;
	case 0x02:	/* advance_loc1, 2, 4, and MIPS's 8 */
		advance(m, cur_u8(s));
		return true;
	case 0x03:
		advance(m, cur_u16(s));
		return true;
	case 0x04:
		advance(m, cur_u32(s));
		return true;
	case 0x1d:
		advance(m, cur_u64(s));
		return true;
	}
	return false;
}

static bool step_cfa(struct machine *m, struct cursor *s, unsigned op)
{
	const struct cfi_rule *cfa = &m->now.cfa;
	uint64_t reg;

	switch (op) {
	case 0x0c:	/* def_cfa */
		reg = cur_uleb(s);
		define(m, reg, (int64_t)cur_uleb(s));
		return true;
	case 0x12:	/* def_cfa_sf */
		reg = cur_uleb(s);
		define(m, reg, factored(m, (uint64_t)cur_sleb(s)));
		return true;
	case 0x0d:	/* def_cfa_register */
		define(m, cur_uleb(s), cfa->off);
		return true;
	case 0x0e:	/* def_cfa_offset */
		define(m, cfa->reg, (int64_t)cur_uleb(s));
		return true;
	case 0x13:	/* def_cfa_offset_sf */
		define(m, cfa->reg, factored(m, (uint64_t)cur_sleb(s)));
		return true;
	case 0x0f:	/* def_cfa_expression */
		m->now.cfa = expression(s, CFI_VALUE_EXPR);
		return true;
	}
	return false;
}

static void set_register(struct machine *m, uint64_t reg, uint64_t other)
{
	if (other < CFI_REGS)
		set(m, reg, (struct cfi_rule){ .how = CFI_REGISTER, .reg = (uint8_t)other });
	else
		set_how(m, reg, CFI_UNDEFINED, 0);
}

static bool step_register(struct machine *m, struct cursor *s, unsigned op)
{
	uint64_t reg = 0;

	if ((op >= 0x05 && op <= 0x09) || op == 0x10 || op == 0x11 || (op >= 0x14 && op <= 0x16) || op == 0x2f)
		reg = cur_uleb(s);
	switch (op) {
	case 0x05:	/* offset_extended, val_offset */
	case 0x14:
		set_how(m, reg, op == 0x05 ? CFI_SAVED : CFI_VALUE, factored(m, cur_uleb(s)));
		return true;
	case 0x11:	/* offset_extended_sf, val_offset_sf */
	case 0x15:
		set_how(m, reg, op == 0x11 ? CFI_SAVED : CFI_VALUE, factored(m, (uint64_t)cur_sleb(s)));
		return true;
	case 0x2f:	/* GNU_negative_offset_extended */
		set_how(m, reg, CFI_SAVED, factored(m, -cur_uleb(s)));
		return true;
	case 0x06:	/* restore_extended */
		restore(m, reg);
		return true;
	case 0x07:	/* undefined */
		set_how(m, reg, CFI_UNDEFINED, 0);
		return true;
	case 0x08:	/* same_value */
		set_how(m, reg, CFI_SAME, 0);
		return true;
	case 0x09:	/* register */
		set_register(m, reg, cur_uleb(s));
		return true;
	case 0x10:	/* expression, val_expression */
	case 0x16:
		set(m, reg, expression(s, op == 0x10 ? CFI_SAVED_EXPR : CFI_VALUE_EXPR));
		return true;
	}
	return false;
}

/* An unknown opcode ends the execution, since the size of its operands is unknown, too. */
static int step_other(struct machine *m, struct cursor *s, unsigned op)
{
	switch (op) {
	case 0x00:	/* nop */
		return 0;
	case 0x0a:	/* remember_state */
		if (m->n_kept == REMEMBER_MAX)
			return -EBADMSG;
		m->kept[m->n_kept++] = m->now;
		return 0;
	case 0x0b:	/* restore_state */
		if (!m->n_kept)
			return -EBADMSG;
		m->now = m->kept[--m->n_kept];
		return 0;
	case 0x2c:	/* AARCH64_negate_ra_state_with_pc */
	case 0x2d:	/* AARCH64_negate_ra_state; another machine's window_save */
		m->now.is_signed = !m->now.is_signed;
		return 0;
	case 0x2e:	/* GNU_args_size */
		cur_uleb(s);
		return 0;
	}
	return -EBADMSG;
}

static int step(struct machine *m, struct cursor *s)
{
	unsigned op = cur_u8(s), low = op & 0x3f;

	switch (op & 0xc0) {
	case CFA_ADVANCE:
		advance(m, low);
		return 0;
	case CFA_OFFSET:
		set_how(m, low, CFI_SAVED, factored(m, cur_uleb(s)));
		return 0;
	case CFA_RESTORE:
		restore(m, low);
		return 0;
	}
	return step_place(m, s, op) || step_cfa(m, s, op) || step_register(m, s, op) ? 0 : step_other(m, s, op);
}

/* Execute until loc is beyond pc: the instruction that advances it changes no rule. */
static int run(struct machine *m, struct cursor s, struct err *e)
{
	while (cur_left(&s) && m->loc <= m->pc) {
		size_t at = cur_off(&s);

		if (step(m, &s) || s.bad)
			return cfi_broken(e, at, "instruction");
	}
	return 0;
}

static bool is_signed(const struct rules *r)
{
	const struct cfi_rule *told = &r->reg[RA_SIGN_STATE];

	return r->is_signed || (told->how == CFI_VALUE_EXPR && told->n);
}

int cfi_row(const struct cfi *c, const struct cfi_fde *fde, uint64_t pc, struct cfi_row *row, struct err *e)
{
	struct machine m = { .c = c, .pc = pc, .loc = fde->start, .from = fde->start };
	struct cfi_cie cie;
	struct cursor insns;
	int err = cfi_open_fde(c, fde, &cie, &insns, e);

	m.cie = &cie;
	if (!err)
		err = run(&m, cie.insns, e);
	m.first = m.now;
	if (!err)
		err = run(&m, insns, e);
	if (err)
		return err;
	if (m.now.cfa.how == CFI_SAME || cie.ret >= CFI_REGS)
		return cfi_broken(e, fde->off, "rule for the frame address");
	*row = (struct cfi_row){
		.start = m.from, .end = m.loc > pc ? MIN(m.loc, fde->end) : fde->end, .cfa = m.now.cfa,
		.ret = (uint8_t)cie.ret, .is_signal = cie.is_signal, .is_signed = is_signed(&m.now),
	};
	memcpy(row->reg, m.now.reg, sizeof(row->reg));
	return 0;
}

struct sv cfi_expression(const struct cfi *c, const struct cfi_rule *r)
{
	struct cursor s = c->bytes;

	cur_seek(&s, (uint64_t)r->off);

	const uint8_t *p = cur_bytes(&s, r->n);

	return p ? (struct sv){ (const char *)p, r->n } : SV("");
}
