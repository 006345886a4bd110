/*
 * disasm.c - x86-64 instructions as text, in the AT&T syntax of GNU objdump: what compilers emit, SSE, its VEX forms,
 * BMI and the x87. Others (EVEX, XOP, AMX ...) are printed as bytes, with the right length.
 *
 * The tables follow the Intel SDM, volume 2. A row's text is a mnemonic, a blank, and operands. All is copied, except
 *   in a mnemonic                                    . v, if there is a VEX
 *   * a letter for the size, if nothing else tells     ~ a letter for the size
 *   @ a condition by the opcode's low four bits        # one of eight by bits 5-3 of the opcode, ^ by ModRM's reg
 *   ! a shift by ModRM's reg                           % ps pd ss sd by the prefix
 *   & a comparison by the immediate                    - nothing, where it is no xchg
 *   < > nothing, where VEX says 128, 256 bits
 * and, in operands, a capital letter that tells the kind of operand with a character that tells its size:
 *   E G Z  ModRM's rm (register or memory), ModRM's reg, opcode's register    R  ModRM's rm, only a register
 *   B      VEX.vvvv, a general register      A  al, ax ...        S  segment      M  ModRM's rm, only memory
 *   W V H U  vector registers (mm, xmm, ymm): ModRM's rm or memory, ModRM's reg, VEX.vvvv (nothing without VEX),
 *          ModRM's rm, only a register
 *   T      st(0) ..., ModRM's rm, only a register
 *   I      an immediate: b as it is, s of a byte, z of up to four, v all, p q pushed, w of two, e the second one
 *   J      a branch target                   O  an address
 * Sizes are b w d q, v (by prefixes: w d q), y (d q), and of vectors o (xmm), x (xmm ymm), m (mm, or x with a prefix),
 * i (mm, or xmm with a prefix), n (mm). "/" separates the texts for REX.W 0 and 1, "|" those for sizes w d q.
 */
#include "base/str.h"

#include "arch/disasm.h"
#include "arch/x86_64/decode.h"
#include "arch/x86_64/part.h"
#include "arch/x86_64/parts.h"

/* Which mandatory prefix a row is for; with VEX, its pp field. */
enum kind {
	ANY,        /* any prefix, or none; no VEX */
	NP, P66, PF3, PF2,
	MMX,        /* none: mm; 66: xmm */
	PACKED,     /* none, 66 */
	SCALAR,     /* f3, f2 */
	ALL,        /* each of the four */
};

/* Opcode maps of rows. VEX: the row is for VEX instructions only. */
enum {
	VEX = 16,
	ONE = X86_ONE, M0F = X86_0F, M38 = X86_0F38, M3A = X86_0F3A,
	V0F = VEX | M0F, V38 = VEX | M38, V3A = VEX | M3A,
};

enum { NO_REG = 8 };

struct row {
	uint8_t map, kind, mask, value;
	uint8_t reg;          /* ModRM's reg field; from c0 on the whole ModRM byte; or NO_REG: any */
	uint16_t text;        /* offset in the texts: a pointer would be four times as large */
};

#define LINE_NAME(line) text_##line
#define TEXT_NAME(line) LINE_NAME(line)

#define X86(map, kind, mask, value, reg, text) char TEXT_NAME(__LINE__)[sizeof(text)];
struct texts {
	struct general_texts {
#include "arch/x86_64/disasm.def"
	} general;
	struct vector_texts {
#include "arch/x86_64/disasm_vector.def"
	} vector;
};
#undef X86

#define X86(map, kind, mask, value, reg, text) text,
static const struct texts texts = {
	.general = {
#include "arch/x86_64/disasm.def"
	},
	.vector = {
#include "arch/x86_64/disasm_vector.def"
	},
};
#undef X86

static const struct row rows[] = {
#define X86(map, kind, mask, value, reg, text) \
	{ map, kind, mask, value, reg, offsetof(struct texts, general.TEXT_NAME(__LINE__)) },
#include "arch/x86_64/disasm.def"
#undef X86
#define X86(map, kind, mask, value, reg, text) \
	{ map, kind, mask, value, reg, offsetof(struct texts, vector.TEXT_NAME(__LINE__)) },
#include "arch/x86_64/disasm_vector.def"
#undef X86
};

enum { MNEMONIC = 6 };

struct line {
	const struct x86_code *c;
	const uint8_t *p;
	uint64_t addr;
	struct arch_disasm *d;
	uint8_t rex_used;
	bool opsize_used, memory_used, vvvv_used, rep_used;
	char suffix;              /* size letter of the memory operand, 0: there is none */
	struct part name, operands;
	char name_text[PART];
};

static unsigned rex(struct line *l, unsigned bit)
{
	l->rex_used |= (uint8_t)bit;
	return l->c->rex & bit ? 8 : 0;
}

/* --- sizes --- */

static bool is_wide(struct line *l)
{
	return rex(l, X86_W);
}

/* w, l, q */
static char size_of(struct line *l)
{
	if (is_wide(l))
		return 'q';
	if (!(l->c->prefixes & X86_OPSIZE))
		return 'l';
	l->opsize_used = true;
	return 'w';
}

static char size_named(struct line *l, char size)
{
	switch (size) {
	case 'v': return size_of(l);
	case 'y': return is_wide(l) ? 'q' : 'l';
	case 'd': return 'l';
	}
	return size;
}

static uint64_t masked(int64_t v, char size)
{
	return size == 'q' ? (uint64_t)v : (uint64_t)v & (size == 'b' ? 0xff : size == 'w' ? 0xffff : 0xffffffff);
}

/* --- registers --- */

/* b w l q */
static const struct word general[4][16] = {
	{ WORD("%al"), WORD("%cl"), WORD("%dl"), WORD("%bl"), WORD("%spl"), WORD("%bpl"), WORD("%sil"), WORD("%dil"),
	  WORD("%r8b"), WORD("%r9b"), WORD("%r10b"), WORD("%r11b"), WORD("%r12b"), WORD("%r13b"), WORD("%r14b"),
	  WORD("%r15b") },
	{ WORD("%ax"), WORD("%cx"), WORD("%dx"), WORD("%bx"), WORD("%sp"), WORD("%bp"), WORD("%si"), WORD("%di"),
	  WORD("%r8w"), WORD("%r9w"), WORD("%r10w"), WORD("%r11w"), WORD("%r12w"), WORD("%r13w"), WORD("%r14w"),
	  WORD("%r15w") },
	{ WORD("%eax"), WORD("%ecx"), WORD("%edx"), WORD("%ebx"), WORD("%esp"), WORD("%ebp"), WORD("%esi"),
	  WORD("%edi"), WORD("%r8d"), WORD("%r9d"), WORD("%r10d"), WORD("%r11d"), WORD("%r12d"), WORD("%r13d"),
	  WORD("%r14d"), WORD("%r15d") },
	{ WORD("%rax"), WORD("%rcx"), WORD("%rdx"), WORD("%rbx"), WORD("%rsp"), WORD("%rbp"), WORD("%rsi"),
	  WORD("%rdi"), WORD("%r8"), WORD("%r9"), WORD("%r10"), WORD("%r11"), WORD("%r12"), WORD("%r13"), WORD("%r14"),
	  WORD("%r15") },
};
/* Without REX, byte registers 4 to 7 are these instead of %spl, %bpl, %sil, %dil. */
static const struct word high[4] = { WORD("%ah"), WORD("%ch"), WORD("%dh"), WORD("%bh") };

static void put_general(struct line *l, unsigned number, char size)
{
	unsigned row = size == 'q' ? 3 : size == 'l' ? 2 : size == 'w' ? 1 : 0;

	if (!row && number / 4 == 1 && !(l->c->prefixes & (X86_REX | X86_VECTOR)))
		put_word(&l->operands, &high[number - 4]);
	else
		put_word(&l->operands, &general[row][number & 15]);
}

static void put_vector(struct line *l, unsigned number, char size)
{
	bool by_prefix = size == 'm' || size == 'i';
	bool is_mm = size == 'n' || (by_prefix && !l->c->vector && !(l->c->prefixes & X86_OPSIZE));
	bool is_ymm = l->c->wide && (size == 'x' || size == 'm');

	if (is_mm)
		number &= 7;
	put_bytes(&l->operands, is_mm ? "%mm" : is_ymm ? "%ymm" : "%xmm", is_mm ? 3 : 4);
	if (number > 9)
		put_char(&l->operands, '1');
	put_char(&l->operands, (char)('0' + number % 10));
}

static bool put_segment(struct line *l)
{
	static const char names[6][4] = { "%es", "%cs", "%ss", "%ds", "%fs", "%gs" };
	unsigned number = x86_reg(l->c);

	if (number >= ARRAY_SIZE(names))
		return false;
	put_text(&l->operands, names[number]);
	return true;
}

/* --- memory --- */

static void put_override(struct line *l)
{
	if (l->c->prefixes & X86_FS)
		put_text(&l->operands, "%fs:");
	else if (l->c->prefixes & X86_GS)
		put_text(&l->operands, "%gs:");
	l->memory_used = true;
}

/* The operand of a SIB byte. A missing index is printed (%riz) if the same base could be encoded without a SIB. */
static void put_sib(struct line *l, bool has_base, char size)
{
	const struct x86_code *c = l->c;
	unsigned number = (c->sib >> 3 & 7) | rex(l, X86_X), scale = c->sib >> 6, base = c->sib & 7;

	put_char(&l->operands, '(');
	if (has_base)
		put_general(l, base | rex(l, X86_B), size);
	if (number != 4 || scale || (has_base && base != 4)) {
		put_char(&l->operands, ',');
		if (number == 4)
			put_text(&l->operands, size == 'q' ? "%riz" : "%eiz");
		else
			put_general(l, number, size);
		put_char(&l->operands, ',');
		put_char(&l->operands, "1248"[scale]);
	}
	put_char(&l->operands, ')');
}

static void put_relative(struct line *l, char size)
{
	uint64_t to = l->addr + l->c->len + (uint64_t)(int64_t)l->c->disp;

	put_signed(&l->operands, l->c->disp);
	put_text(&l->operands, size == 'q' ? "(%rip)" : "(%eip)");
	l->d->kind = ARCH_DISASM_LITERAL;
	l->d->address = size == 'q' ? to : (uint32_t)to;
}

static bool put_memory(struct line *l)
{
	const struct x86_code *c = l->c;
	char size = c->prefixes & X86_ADDR ? 'l' : 'q';
	unsigned mod = x86_mod(c), base = (c->has_sib ? c->sib : c->modrm) & 7;
	bool has_base = mod || base != 5;
	bool has_index = c->has_sib && ((c->sib >> 3 & 7) != 4 || c->sib >> 6 || c->rex & X86_X);

	if (mod == 3)
		return false;
	put_override(l);
	if (!has_base && !c->has_sib) {
		put_relative(l, size);
		return true;
	}
	if (!has_base && !has_index) {
		put_hex(&l->operands, size == 'q' ? (uint64_t)(int64_t)c->disp : (uint32_t)c->disp);
		return true;
	}
	if (mod || !has_base)
		put_signed(&l->operands, c->disp);
	if (c->has_sib) {
		put_sib(l, has_base, size);
		return true;
	}
	put_char(&l->operands, '(');
	put_general(l, base | rex(l, X86_B), size);
	put_char(&l->operands, ')');
	return true;
}

/* --- operands --- */

static bool put_target(struct line *l)
{
	uint64_t to = l->addr + l->c->len + (uint64_t)l->c->imm;

	/* Intel and AMD differ on branches with an operand size prefix. */
	if (l->c->prefixes & X86_OPSIZE && !is_wide(l))
		return false;
	put_digits(&l->operands, to);
	l->d->kind = ARCH_DISASM_BRANCH;
	l->d->address = to;
	return true;
}

/* push, pop and ret have 64-bit operands; their 16-bit forms, which no compiler emits, are not decoded. */
static bool is_stack(const struct line *l, char size)
{
	return size != 'q' || !(l->c->prefixes & X86_OPSIZE) || l->c->rex & X86_W;
}

static bool put_immediate(struct line *l, char what)
{
	int64_t v = l->c->imm;
	bool is_any = what == 's' || what == 'z' || what == 'v';
	char size = is_any ? size_of(l) : what == 'p' || what == 'q' ? 'q' : what == 'w' ? 'w' : 'b';

	if (what == 'p' && l->c->prefixes & X86_OPSIZE)
		return false;
	put_text(&l->operands, "$0x");
	put_digits(&l->operands, what == 'e' ? l->c->imm2 : masked(v, size));
	return true;
}

static bool put_rm(struct line *l, char size)
{
	char s = size_named(l, size);

	if (!is_stack(l, size))
		return false;
	if (x86_mod(l->c) == 3) {
		put_general(l, (l->c->modrm & 7) | rex(l, X86_B), s);
		return true;
	}
	l->suffix = s;
	return put_memory(l);
}

static bool put_vector_rm(struct line *l, char size)
{
	if (x86_mod(l->c) != 3)
		return put_memory(l);
	put_vector(l, (l->c->modrm & 7) | rex(l, X86_B), size);
	return true;
}

static bool put_opcode_reg(struct line *l, char size)
{
	if (!is_stack(l, size))
		return false;
	put_general(l, (l->c->op & 7) | rex(l, X86_B), size_named(l, size));
	return true;
}

static bool put_operand(struct line *l, char what, char size)
{
	const struct x86_code *c = l->c;

	switch (what) {
	case 'E': return put_rm(l, size);
	case 'R': return x86_mod(c) == 3 && put_rm(l, size);
	case 'M': return put_memory(l);
	case 'W': return put_vector_rm(l, size);
	case 'U': return x86_mod(c) == 3 && put_vector_rm(l, size);
	case 'Z': return put_opcode_reg(l, size);
	case 'I': return put_immediate(l, size);
	case 'J': return put_target(l);
	case 'S': return put_segment(l);
	case 'G':
		put_general(l, x86_reg(c) | rex(l, X86_R), size_named(l, size));
		return true;
	case 'A':
		put_general(l, 0, size_named(l, size));
		return true;
	case 'V':
		put_vector(l, x86_reg(c) | rex(l, X86_R), size);
		return true;
	case 'B':
		l->vvvv_used = true;
		put_general(l, c->vvvv, size_named(l, size));
		return true;
	case 'H':
		l->vvvv_used = true;
		put_vector(l, c->vvvv, size);
		return true;
	case 'T':
		put_text(&l->operands, "%st(");
		put_char(&l->operands, (char)('0' + (c->modrm & 7)));
		put_char(&l->operands, ')');
		return x86_mod(c) == 3;
	case 'O':
		put_override(l);
		put_hex(&l->operands, (uint64_t)c->imm);
		return true;
	}
	return false;
}

/* Leave an operand out, with the comma beside it. Returns the length of its text in the row. */
static unsigned leave_out(struct line *l, const char *text, const char *end)
{
	struct part *t = &l->operands;

	if (text + 2 < end)
		return 3;
	t->n--;
	return 2;
}

/* "Ib,Eb": capital letters are operands; H is left out without VEX. */
static bool put_operands(struct line *l, const char *text, const char *end)
{
	while (text < end) {
		if (*text == 'H' && !l->c->vector) {
			text += leave_out(l, text, end);
			continue;
		}
		if (*text < 'A' || *text > 'Z') {
			put_char(&l->operands, *text++);
			continue;
		}
		if (!put_operand(l, text[0], text[1]))
			return false;
		text += 2;
	}
	return true;
}

/* --- mnemonics --- */

static const char sums[8][4] = { "add", "or", "adc", "sbb", "and", "sub", "xor", "cmp" };
static const char shifts[8][4] = { "rol", "ror", "rcl", "rcr", "shl", "shr", "shl", "sar" };
static const char conditions[16][3] = {
	"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g",
};
static const char comparisons[8][6] = { "eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord" };
static const char kinds[4][3] = { "ps", "pd", "ss", "sd" };

/* The mandatory prefix as VEX.pp numbers it: 0 none, 1 66, 2 f3, 3 f2. */
static unsigned prefix_of(const struct x86_code *c)
{
	if (c->vector)
		return c->pp;
	return c->prefixes & X86_REPNE ? 3 : c->prefixes & X86_REP ? 2 : c->prefixes & X86_OPSIZE ? 1 : 0;
}

static bool put_mnemonic(struct line *l, char what)
{
	const struct x86_code *c = l->c;
	struct part *t = &l->name;

	switch (what) {
	case '#': put_text(t, sums[c->op >> 3 & 7]); break;
	case '^': put_text(t, sums[x86_reg(c)]); break;
	case '!': put_text(t, shifts[x86_reg(c)]); break;
	case '@': put_text(t, conditions[c->op & 15]); break;
	case '%': put_text(t, kinds[prefix_of(c)]); break;
	case '~': put_char(t, size_of(l)); break;
	case '.':
		if (c->vector)
			put_char(t, 'v');
		break;
	case '*':
		if (l->suffix)
			put_char(t, l->suffix);
		break;
	case '&':
		if (c->imm < 0 || (size_t)c->imm >= ARRAY_SIZE(comparisons))
			return false;
		put_text(t, comparisons[c->imm]);
		break;
	case '<': return !c->wide;
	case '>': return c->wide;
	case '-': return !(c->rex & X86_B) && !(c->prefixes & X86_OPSIZE);
	default: put_char(t, what);
	}
	return true;
}

static size_t upto_next(const char *text)
{
	size_t n = 0;

	while (text[n] && text[n] != '/' && text[n] != '|')
		n++;
	return n;
}

/* The alternative that applies, of several in the row's text. */
static struct sv alternative(struct line *l, const char *text)
{
	size_t n = upto_next(text);
	unsigned which = 0;

	if (text[n] == '|') {
		char size = size_of(l);

		which = size == 'w' ? 0 : size == 'l' ? 1 : 2;
	} else if (text[n]) {
		which = is_wide(l);
	}
	while (which--) {
		text += n + 1;
		n = upto_next(text);
	}
	return (struct sv){ text, n };
}

static bool put_row(struct line *l, const char *several)
{
	struct sv text = alternative(l, several);
	size_t name = 0;

	while (name < text.n && text.s[name] != ' ')
		name++;
	if (!text.n || (name < text.n && !put_operands(l, text.s + name + 1, text.s + text.n)))
		return false;
	for (size_t i = 0; i < name; i++)
		if (!put_mnemonic(l, text.s[i]))
			return false;
	return !l->c->vector || l->vvvv_used || !l->c->vvvv;
}

/* --- which row --- */

static bool fits_prefix(struct line *l, enum kind kind)
{
	const struct x86_code *c = l->c;
	unsigned prefix = prefix_of(c);

	if (kind == ANY)
		return !c->vector;
	/* With both prefixes, processors differ. */
	if (c->prefixes & X86_REP && c->prefixes & X86_REPNE)
		return false;
	if ((kind <= PF2 && prefix != (unsigned)kind - NP) || ((kind == MMX || kind == PACKED) && prefix > 1) ||
	    (kind == SCALAR && prefix < 2))
		return false;
	l->rep_used = prefix > 1;
	l->opsize_used = prefix == 1;
	return true;
}

/* Does the row fit map, opcode, VEX and ModRM's reg? Rows for a whole ModRM byte are compared with that later. */
static bool fits_opcode(const struct x86_code *c, const struct row *r)
{
	bool with = r->map & VEX || ((const char *)&texts)[r->text] == '.', without = !(r->map & VEX);
	bool fits_reg = r->reg == NO_REG || x86_reg(c) == (r->reg < NO_REG ? r->reg : r->reg >> 3 & 7);

	return (r->map & 15) == c->map && (c->op & r->mask) == r->value && (c->vector ? with : without) && fits_reg;
}

/* The first row that may match instructions with this opcode and ModRM reg, from the cache; or ARRAY_SIZE(rows). */
static size_t first_row(const struct x86_code *c, struct arch_disasm_memo *m)
{
	uint32_t key = c->op | x86_reg(c) << 8 | (uint32_t)c->map << 12 | (c->vector ? 1u << 16 : 0);
	uint16_t *known = arch_disasm_memo_row(m, key);
	size_t i = 0;

	if (*known)
		return *known - 1u;
	while (i < ARRAY_SIZE(rows) && !fits_opcode(c, &rows[i]))
		i++;
	*known = (uint16_t)(i + 1);
	return i;
}

static void start_again(struct line *l)
{
	l->rex_used = 0;
	l->opsize_used = l->memory_used = l->vvvv_used = l->rep_used = false;
	l->suffix = 0;
	l->name.n = l->operands.n = 0;
	memset(l->name.text, ' ', MNEMONIC + 1);
	l->d->kind = ARCH_DISASM_OTHER;
}

/* Print the instruction with the first row that matches. */
static bool decode(struct line *l, struct arch_disasm_memo *m)
{
	for (size_t i = first_row(l->c, m); i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];

		if (!fits_opcode(l->c, r) || (r->reg > NO_REG && l->c->modrm != r->reg))
			continue;
		start_again(l);
		if (fits_prefix(l, r->kind) && put_row(l, (const char *)&texts + r->text))
			return true;
	}
	start_again(l);
	return false;
}

/* --- prefixes that the instruction does not use: objdump prints their names in front --- */

static bool is_string(const struct x86_code *c)
{
	return c->map == X86_ONE && ((c->op >= 0xa4 && c->op <= 0xa7) || (c->op >= 0xaa && c->op <= 0xaf));
}

static bool compares(const struct x86_code *c)
{
	return c->op == 0xa6 || c->op == 0xa7 || c->op == 0xae || c->op == 0xaf;
}

static bool is_indirect(const struct x86_code *c)
{
	return c->map == X86_ONE && c->op == 0xff && (x86_reg(c) == 2 || x86_reg(c) == 4);
}

static bool is_branch(const struct line *l)
{
	const struct x86_code *c = l->c;

	return l->d->kind == ARCH_DISASM_BRANCH || (c->map == X86_ONE && (c->op & 0xfe) == 0xc2) || is_indirect(c);
}

static const char *name_of(const struct line *l, uint8_t b)
{
	const struct x86_code *c = l->c;

	switch (b) {
	case 0x26: return "es ";
	case 0x2e: return "cs ";
	case 0x36: return "ss ";
	case 0x3e: return is_indirect(c) ? "notrack " : "ds ";
	case 0x64: return l->memory_used ? "" : "fs ";
	case 0x65: return l->memory_used ? "" : "gs ";
	case 0x66: return "data16 ";
	case 0x67: return l->memory_used ? "" : "addr32 ";
	case 0xf0: return "lock ";
	case 0xf2: return l->rep_used ? "" : is_branch(l) ? "bnd " : "repnz ";
	case 0xf3: return l->rep_used ? "" : is_string(c) && !compares(c) ? "rep " : "repz ";
	}
	return "";
}

/* Print the names of unused prefixes. Of several 66 the last one counts as used. */
static void put_prefixes(const struct line *l, struct part *t)
{
	const struct x86_code *c = l->c;
	unsigned unused = c->prefixes & X86_REX ? c->rex & ~l->rex_used & 15u : 0;
	unsigned sizes = 0;

	for (unsigned i = 0; i < c->n_legacy; i++)
		sizes += l->p[i] == 0x66;
	for (unsigned i = 0; i < c->n_legacy; i++)
		if (l->p[i] != 0x66 || --sizes || !l->opsize_used)
			put_text(t, name_of(l, l->p[i]));
	if (!unused)
		return;
	put_text(t, "rex.");
	for (unsigned i = 0; i < 4; i++)
		if (c->rex & 8 >> i)
			put_char(t, "WRXB"[i]);
	put_char(t, ' ');
}

/* Prefixes with another meaning in front of these instructions, or that versions of objdump print differently. */
static bool is_odd(const struct x86_code *c)
{
	bool is_jcc = (c->map == X86_ONE && c->op >> 4 == 7) || (c->map == X86_0F && c->op >> 4 == 8);
	unsigned both = X86_FS | X86_GS;
	/* 16-bit pushf, popf, ret, enter, leave */
	bool is_short = c->map == X86_ONE && c->prefixes & X86_OPSIZE && memchr("\x9c\x9d\xc2\xc3\xc8\xc9", c->op, 6);

	return is_short || (c->prefixes & both) == both || (is_jcc && c->prefixes & X86_LOCK_SEG) ||
	       (c->prefixes & X86_LOCK_SEG && c->prefixes & (X86_REP | X86_REPNE)) || c->n_legacy > 9;
}

/* --- the whole line --- */

static_assert(MNEMONIC + 1 + PART < ARCH_DISASM_TEXT, "operands have room where they are written first");

static void put_unknown(const struct line *l, struct part *t)
{
	put_text(t, ".byte  ");
	for (unsigned i = 0; i < l->c->len; i++) {
		put_text(t, i ? ",0x" : "0x");
		put_char(t, "0123456789abcdef"[l->p[i] >> 4]);
		put_char(t, "0123456789abcdef"[l->p[i] & 15]);
	}
}

/* Operands were written where they stand behind a mnemonic of at most MNEMONIC bytes; behind a longer one move them. */
static void make_room(struct line *l, size_t front)
{
	size_t at = MIN(MAX(front, (size_t)MNEMONIC) + 1, (size_t)PART);

	l->operands.n = MIN(l->operands.n, PART - at);
	if (at > MNEMONIC + 1)
		memmove(l->d->text + at, l->operands.text, l->operands.n);
}

/* name.text is preset to blanks, so that one copy of fixed size writes most mnemonics with their padding. */
static void put_name(const struct line *l, struct part *t)
{
	if (l->operands.n && !t->n && l->name.n <= MNEMONIC) {
		memcpy(t->text, l->name.text, MNEMONIC + 1);
		t->n = MNEMONIC + 1;
		return;
	}
	put_bytes(t, l->name.text, l->name.n);
	for (bool more = l->operands.n; more; more = t->n <= MNEMONIC)
		put_char(t, ' ');
}

static void put_line(struct line *l, struct part *t)
{
	char prefixes_text[PART];
	struct part prefixes = { 0, prefixes_text };

	put_prefixes(l, &prefixes);
	make_room(l, prefixes.n + l->name.n);
	if (prefixes.n)
		put_bytes(t, prefixes.text, prefixes.n);
	put_name(l, t);
	t->n += l->operands.n;
	if (l->d->kind == ARCH_DISASM_LITERAL) {
		put_text(t, "        # ");
		put_digits(t, l->d->address);
	}
}

bool arch_x86_64_disasm(const uint8_t *p, size_t n, uint64_t addr, struct arch_disasm_memo *m, struct arch_disasm *d)
{
	struct part t = { 0, d->text };
	struct x86_code c;
	struct line l;

	if (!n)
		return false;
	*d = (struct arch_disasm){ .text = d->text, .reg = ARCH_NO_REG };
	l.c = &c;
	l.p = p;
	l.addr = addr;
	l.d = d;
	l.name.text = l.name_text;
	l.operands.text = d->text + MNEMONIC + 1;
	if (!x86_decode(p, n, &c)) {
		c.len = 1;
		d->is_unknown = true;
		put_text(&t, "(bad)");
	} else if (c.vector == 0x62 || c.vector == 0x8f || is_odd(&c) || !decode(&l, m)) {
		d->is_unknown = true;
		put_unknown(&l, &t);
	} else {
		put_line(&l, &t);
	}
	d->len = c.len;
	d->n_text = (uint8_t)t.n;
	d->text[t.n] = '\0';
	return true;
}
