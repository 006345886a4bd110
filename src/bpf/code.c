/* code.c - compiles expressions in two passes over the tree: what they need, and their instructions. */
#include "bpf/code.h"

/* Values have register width, sign- or zero-extended from their type. */
static void narrow(struct asm_prog *a, enum asm_reg r, unsigned size, bool is_unsigned)
{
	int32_t by = (int32_t)(64 - 8 * size);

	if (size >= 8)
		return;
	asm_imm(a, ASM_LSH, r, by);
	asm_imm(a, is_unsigned ? ASM_RSH : ASM_ARSH, r, by);
}

static int cannot(const struct code *c, const char *what, struct err *e)
{
	return err_set(e, EOPNOTSUPP, "%s: a program cannot tell %s", c->event, what);
}

/* --- fetching --- */

/* common_pid, a field of every record, is the tid. */
static bool is_tid(const struct texpr *x)
{
	return x->op == TEXPR_FIELD && !strcmp(x->field->name, "common_pid");
}

static bool is_word(const struct texpr *x)
{
	return x->op == TEXPR_WORD || is_tid(x);
}

static enum code_word word_of(const struct code *c, const struct texpr *x)
{
	return is_tid(x) ? CODE_TID : c->word(x);
}

static struct code_fetched *fetched_of(struct code *c, const struct texpr *x)
{
	for (unsigned i = 0; i < c->n_fetched; i++) {
		struct code_fetched *f = &c->fetched[i];

		if (is_word(x) ? !f->field && f->word == word_of(c, x) : f->field == x->field)
			return f;
	}
	return NULL;
}

static struct code_fetched *add_fetched(struct code *c, struct err *e)
{
	if (c->n_fetched < CODE_FETCHED)
		return memset(&c->fetched[c->n_fetched++], 0, sizeof(c->fetched[0]));
	cannot(c, "so many of its fields", e);
	return NULL;
}

/* A field that is an argument needs no slot, but is listed with those that do. */
static int look_field(struct code *c, const struct texpr *x, struct err *e)
{
	const struct tfield *f = x->field;
	struct code_fetched *to;

	if (fetched_of(c, x))
		return 0;
	if (x->op != TEXPR_FIELD || (f->kind != TFIELD_SCALAR && f->kind != TFIELD_POINTER) || f->swap ||
	    (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8))
		return cannot(c, f->name, e);
	if (!c->types && !c->fetches.s)
		return err_set(e, EOPNOTSUPP, "the kernel does not tell its types, nor where %s is", f->name);
	to = add_fetched(c, e);
	if (!to)
		return -EOPNOTSUPP;
	to->field = f;
	if (c->fetches.s)
		return rawarg_fetch(&to->raw, arch_native(), c->fetches, f->name, f->size, e);
	return rawarg_find(&to->raw, c->types, c->event, f->name, e);
}

static int look_word(struct code *c, const struct texpr *x, struct err *e)
{
	struct code_fetched *to;

	if (word_of(c, x) == CODE_OTHER)
		return cannot(c, "the result of a function", e);
	to = fetched_of(c, x) ? NULL : add_fetched(c, e);
	if (to)
		to->word = word_of(c, x);
	return fetched_of(c, x) ? 0 : -EOPNOTSUPP;
}

static bool is_divided(const struct texpr *x)
{
	return x->sub == '/' || x->sub == '%';
}

/* Shifts and divisions only by constants for which C defines the result. */
static int look_binary(struct code *c, const struct texpr *x, struct err *e)
{
	bool shifts = x->sub == TLEX_SHL || x->sub == TLEX_SHR;
	int r;

	if ((is_divided(x) || shifts) && (x->b->op != TEXPR_NUM || (is_divided(x) && !x->b->v)))
		return cannot(c, "a division or shift by what is no constant", e);
	r = code_look(c, x->a, e);
	return r ? r : code_look(c, x->b, e);
}

int code_look(struct code *c, const struct texpr *x, struct err *e)
{
	if (!x)
		return 0;
	switch ((enum texpr_op)x->op) {
	case TEXPR_NUM: return 0;
	case TEXPR_FIELD: return is_tid(x) ? look_word(c, x, e) : look_field(c, x, e);
	case TEXPR_WORD: return look_word(c, x, e);
	case TEXPR_NEG:
	case TEXPR_NOT:
	case TEXPR_INVERT:
	case TEXPR_PLUS: return code_look(c, x->a, e);
	case TEXPR_CAST: return x->type.size && !x->type.pointer ? code_look(c, x->a, e) : cannot(c, "a cast", e);
	case TEXPR_BINARY: return look_binary(c, x, e);
	default: return cannot(c, "texts, parts of arrays and the like", e);
	}
}

static void fetch_word(struct asm_prog *a, enum code_word w)
{
	asm_call(a, w == CODE_CPU ? BPF_CPU_ID : BPF_PID_TGID);
	if (w == CODE_PID)
		asm_imm(a, ASM_RSH, R0, 32);
	narrow(a, R0, 4, false);
}

void code_fetch(struct code *c, struct asm_label *failed)
{
	struct asm_prog *a = c->a;

	for (unsigned i = 0; i < c->n_fetched; i++) {
		struct code_fetched *f = &c->fetched[i];

		if (f->field && !f->raw.is_member)
			continue;
		f->slot = asm_slot(a);
		if (!f->field) {
			fetch_word(a, f->word);
			asm_store(a, ASM_8, R10, f->slot, R0);
			continue;
		}
		asm_imm(a, ASM_MOV, R1, 0);
		asm_store(a, ASM_8, R10, f->slot, R1);
		asm_address(a, R1, f->slot);
		asm_imm(a, ASM_MOV, R2, (int32_t)MIN(f->raw.member.size, 8u));
		asm_load(a, ASM_8, R3, CODE_CONTEXT, (int16_t)f->raw.off);
		asm_imm(a, ASM_ADD, R3, (int32_t)f->raw.member.off);
		asm_call(a, c->read);
		/* A probe records 0 for memory that it cannot read. */
		if (!c->fetches.s)
			asm_jump_imm(a, ASM_JNE, R0, 0, failed);
	}
}

/* --- values --- */

static const struct texpr_type truth_type = { .size = 4 };

static struct texpr_type emit(struct code *c, const struct texpr *x, unsigned d);

/* Promotion as in tracefs/eval.c. */
static struct texpr_type emit_field(struct code *c, const struct texpr *x, enum asm_reg d)
{
	const struct tfield *f = x->field;
	const struct code_fetched *from = fetched_of(c, x);

	if (from->raw.is_member)
		asm_load(c->a, ASM_8, d, R10, from->slot);
	else
		asm_load(c->a, ASM_8, d, CODE_CONTEXT, (int16_t)from->raw.off);
	narrow(c->a, d, f->size, !f->is_signed);
	if (f->kind == TFIELD_POINTER)
		return x->type;
	if (f->size < 4)
		return (struct texpr_type){ .size = 4 };
	return (struct texpr_type){ .size = (uint8_t)f->size, .is_unsigned = !f->is_signed };
}

/* 1 or 0: x TEST y; y NULL: 0. */
static struct texpr_type emit_test(struct asm_prog *a, enum asm_test test, enum asm_reg x, const enum asm_reg *y)
{
	struct asm_label yes = { 0 };

	asm_imm(a, ASM_MOV, R0, 1);
	if (y)
		asm_jump_reg(a, test, x, *y, &yes);
	else
		asm_jump_imm(a, test, x, 0, &yes);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_here(a, &yes);
	asm_reg(a, ASM_MOV, x, R0);
	return truth_type;
}

static enum asm_test test_of(int op, bool is_unsigned)
{
	switch (op) {
	case TLEX_EQ: return ASM_JEQ;
	case TLEX_NE: return ASM_JNE;
	case '<': return is_unsigned ? ASM_JLT : ASM_JSLT;
	case '>': return is_unsigned ? ASM_JGT : ASM_JSGT;
	case TLEX_LE: return is_unsigned ? ASM_JLE : ASM_JSLE;
	default: return is_unsigned ? ASM_JGE : ASM_JSGE;
	}
}

static bool is_test(int op)
{
	return op == TLEX_EQ || op == TLEX_NE || op == '<' || op == '>' || op == TLEX_LE || op == TLEX_GE;
}

/* && and ||: expressions have no side effects, so both operands are evaluated. */
static struct texpr_type emit_logical(struct code *c, const struct texpr *x, enum asm_reg d)
{
	enum asm_reg other = (enum asm_reg)(d + 1);

	emit(c, x->a, d);
	emit_test(c->a, ASM_JNE, d, NULL);
	emit(c, x->b, other);
	emit_test(c->a, ASM_JNE, other, NULL);
	asm_reg(c->a, x->sub == TLEX_OR ? ASM_OR : ASM_AND, d, other);
	return truth_type;
}

static struct texpr_type emit_shift(struct code *c, const struct texpr *x, enum asm_reg d)
{
	struct texpr_type t = emit(c, x->a, d);
	int32_t by = (int32_t)MIN(x->b->v, 64u);

	if (by >= t.size * 8)
		asm_imm(c->a, ASM_MOV, d, 0);
	else
		asm_imm(c->a, x->sub == TLEX_SHL ? ASM_LSH : t.is_unsigned ? ASM_RSH : ASM_ARSH, d, by);
	narrow(c->a, d, t.size, t.is_unsigned);
	return (struct texpr_type){ .size = t.size, .is_unsigned = t.is_unsigned };
}

static enum asm_op op_of(int op)
{
	switch (op) {
	case '+': return ASM_ADD;
	case '-': return ASM_SUB;
	case '*': return ASM_MUL;
	case '&': return ASM_AND;
	case '|': return ASM_OR;
	case '^': return ASM_XOR;
	case '/': return ASM_DIV;
	default: return ASM_MOD;
	}
}

/* The wider type counts; of two types of one size the unsigned one. */
static struct texpr_type emit_binary(struct code *c, const struct texpr *x, enum asm_reg d)
{
	enum asm_reg other = (enum asm_reg)(d + 1);
	struct texpr_type s = emit(c, x->a, d), u = emit(c, x->b, other), t = { .size = MAX(s.size, u.size) };

	t.is_unsigned = (s.size == t.size && s.is_unsigned) || (u.size == t.size && u.is_unsigned);
	narrow(c->a, d, t.size, t.is_unsigned);
	narrow(c->a, other, t.size, t.is_unsigned);
	if (is_test(x->sub))
		return emit_test(c->a, test_of(x->sub, t.is_unsigned), d, &other);
	/* BPF only has unsigned division; pointer arithmetic counts in elements. */
	if ((is_divided(x) && !t.is_unsigned) || ((x->sub == '+' || x->sub == '-') && (s.pointer || u.pointer)))
		c->a->error = EOPNOTSUPP;
	asm_reg(c->a, op_of(x->sub), d, other);
	narrow(c->a, d, t.size, t.is_unsigned);
	return t;
}

static struct texpr_type emit_unary(struct code *c, const struct texpr *x, enum asm_reg d)
{
	struct texpr_type t = emit(c, x->a, d);

	if (x->op == TEXPR_NOT)
		return emit_test(c->a, ASM_JEQ, d, NULL);
	if (x->op != TEXPR_PLUS)
		asm_imm(c->a, ASM_XOR, d, -1);
	if (x->op == TEXPR_NEG)
		asm_imm(c->a, ASM_ADD, d, 1);
	narrow(c->a, d, t.size, t.is_unsigned);
	return t;
}

static struct texpr_type emit_cast(struct code *c, const struct texpr *x, enum asm_reg d)
{
	struct texpr_type t = x->type;

	emit(c, x->a, d);
	if (t.is_bool)
		return emit_test(c->a, ASM_JNE, d, NULL);
	narrow(c->a, d, t.size, t.is_unsigned);
	return t.size < 4 ? (struct texpr_type){ .size = 4 }
			  : (struct texpr_type){ .size = t.size, .is_unsigned = t.is_unsigned };
}

static struct texpr_type emit(struct code *c, const struct texpr *x, unsigned d)
{
	if (d > R5) {
		c->a->error = EOPNOTSUPP;
		return truth_type;
	}
	if (is_word(x)) {
		asm_load(c->a, ASM_8, d, R10, fetched_of(c, x)->slot);
		return truth_type;
	}
	switch ((enum texpr_op)x->op) {
	case TEXPR_NUM: asm_mov64(c->a, d, x->v); return x->type;
	case TEXPR_FIELD: return emit_field(c, x, d);
	case TEXPR_CAST: return emit_cast(c, x, d);
	case TEXPR_BINARY: break;
	default: return emit_unary(c, x, d);
	}
	if (x->sub == TLEX_AND || x->sub == TLEX_OR)
		return emit_logical(c, x, d);
	if (x->sub == TLEX_SHL || x->sub == TLEX_SHR)
		return emit_shift(c, x, d);
	return emit_binary(c, x, d);
}

int code_value(struct code *c, const struct texpr *x, struct texpr_type *type, struct err *e)
{
	*type = emit(c, x, R1);
	return c->a->error == EOPNOTSUPP ? cannot(c, "a division with a sign, or what is nested so deeply", e) : 0;
}
