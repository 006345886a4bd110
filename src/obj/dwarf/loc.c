/* loc.c - locations of variables: location lists, frame bases, and the end of prologues. */
#include "obj/dwarf/cfi.h"
#include "obj/dwarf/expr.h"
#include "obj/dwarf/line.h"
#include "obj/dwarf/parts.h"

/* Limit for chains of origins: entry, abstract instance, declaration; real ones are no longer. */
enum { ORIGINS_MAX = 8 };

static void gone(struct loc *loc, const char *why)
{
	*loc = (struct loc){ .kind = LOC_GONE, .why = why };
}

/*
 * Find an attribute of an entry or its origins; *die becomes the entry that has it, in whose unit the value is valid.
 * 1, 0, -errno.
 */
static int find_attr(struct die *die, unsigned at, struct dwarf_value *v, struct err *e)
{
	for (unsigned i = 0; i < ORIGINS_MAX; i++) {
		struct die of = *die;
		int got = die_attr(die, at, v, e);

		if (got)
			return got;
		got = dwarf_origin(&of, die, e);
		if (got <= 0)
			return got;
	}
	return 0;
}

/* --- location lists --- */

struct list {
	const struct dwarf_unit *u;
	struct cursor c;
	uint64_t base, pc;
	struct sv found, otherwise;   /* expression for pc, and the default location */
};

static int cut(const struct list *l, struct err *e)
{
	return err_at(e, EBADMSG, cur_off(&l->c), "location list is broken");
}

static void take(struct list *l, uint64_t n, struct sv *to)
{
	const char *p = (const char *)cur_bytes(&l->c, n);

	if (p)
		*to = (struct sv){ p, (size_t)n };
}

static void take_range(struct list *l, uint64_t n, uint64_t start, uint64_t end)
{
	struct sv ignored;

	take(l, n, l->pc >= start && l->pc < end ? &l->found : &ignored);
}

/* .debug_loc: pairs of addresses relative to the unit's start; all ones and a new base; two zeros at the end. */
static int search_pairs(struct list *l, struct err *e)
{
	uint64_t ones = l->u->addr_size == 8 ? UINT64_MAX : UINT32_MAX;

	while (!l->found.s) {
		uint64_t start = dwarf_address(l->u, &l->c), end = dwarf_address(l->u, &l->c);

		if (l->c.bad)
			return cut(l, e);
		if (!start && !end)
			return 0;
		if (start == ones)
			l->base = end;
		else
			take_range(l, cur_u16(&l->c), l->base + start, l->base + end);
	}
	return 0;
}

static uint64_t indexed(struct list *l)
{
	uint64_t addr = 0;

	if (!dwarf_addr_at(l->u, cur_uleb(&l->c), &addr))
		l->c.bad = true;
	return addr;
}

/* .debug_loclists, and GNU's older .debug_loc.dwo, in which some lengths have a fixed size. DW_LLE_* */
static int search_entries(struct list *l, struct err *e)
{
	bool old = l->u->version < 5;

	while (!l->found.s) {
		unsigned kind = cur_u8(&l->c);
		uint64_t start = 0, end = 0;

		switch (kind) {
		case 0:	/* end_of_list */
			l->found = l->otherwise;
			return l->c.bad ? cut(l, e) : 0;
		case 1:	/* base_addressx */
			l->base = indexed(l);
			continue;
		case 6:	/* base_address */
			l->base = dwarf_address(l->u, &l->c);
			continue;
		case 9:	/* GNU_view_pair */
			cur_uleb(&l->c);
			cur_uleb(&l->c);
			continue;
		case 2:	/* startx_endx */
			start = indexed(l);
			end = indexed(l);
			break;
		case 3:	/* startx_length */
			start = indexed(l);
			end = start + (old ? cur_u32(&l->c) : cur_uleb(&l->c));
			break;
		case 4:	/* offset_pair */
			start = l->base + cur_uleb(&l->c);
			end = l->base + cur_uleb(&l->c);
			break;
		case 5:	/* default_location */
			take(l, cur_uleb(&l->c), &l->otherwise);
			continue;
		case 7:	/* start_end */
			start = dwarf_address(l->u, &l->c);
			end = dwarf_address(l->u, &l->c);
			break;
		case 8:	/* start_length */
			start = dwarf_address(l->u, &l->c);
			end = start + cur_uleb(&l->c);
			break;
		default:
			return cut(l, e);
		}
		take_range(l, old ? cur_u16(&l->c) : cur_uleb(&l->c), start, end);
		if (l->c.bad)
			return cut(l, e);
	}
	return 0;
}

/* The expression of a location attribute at pc; empty when there is none. */
static int expression_at(const struct dwarf_unit *u, const struct dwarf_value *v, uint64_t pc, struct sv *code,
			 struct err *e)
{
	struct list l = { .u = u, .base = u->low_pc, .pc = pc };

	*code = v->block;
	if (!dwarf_is_list(u, v))
		return 0;
	l.c = dwarf_unit_section(u, u->version >= 5 ? DWARF_LOCLISTS : DWARF_LOC);
	cur_seek(&l.c, v->u);

	int err = l.c.bad ? cut(&l, e) : u->version >= 5 || u->is_split ? search_entries(&l, e) : search_pairs(&l, e);

	*code = l.found;
	return err;
}

/* --- frames --- */

struct frame {
	const struct dwarf_func *f;   /* NULL: for a global variable */
	uint64_t pc;
	bool at_entry;
};

/* CFA = register + off, with DWARF's register number. */
struct cfa {
	unsigned reg;
	int64_t off;
};

/* The CFA at every function's entry on these architectures, described or not: registers in DWARF's numbers. */
static bool cfa_at_entry(unsigned machine, struct cfa *cfa)
{
	*cfa = machine == ELF_AARCH64 ? (struct cfa){ 31, 0 } : (struct cfa){ 7, 8 };
	return machine == ELF_AARCH64 || machine == ELF_X86_64;
}

bool dwarf_frames(struct dwarf *d, struct cfi *c)
{
	const struct elf *f = d->want.elf;

	*c = (struct cfi){ .bytes = dwarf_section(d, DWARF_FRAME), .is64 = f->is64, .machine = f->machine };
	return cur_left(&c->bytes) > 0;
}

static int cfa_of(const struct cfi *c, uint64_t pc, struct cfa *cfa, struct err *e)
{
	struct cfi_fde fde;
	int got = cfi_find(c, pc, &fde, e);

	if (got <= 0)
		return got;

	struct cfi_row row;
	int err = cfi_row(c, &fde, pc, &row, e);

	if (!err && row.cfa.how != CFI_VALUE)
		err = err_set(e, EOPNOTSUPP, "the frame address is an expression");
	*cfa = (struct cfa){ row.cfa.reg, row.cfa.off };
	return err ? err : 1;
}

/* Find the CFA at a pc: 1, 0: unknown, -errno. */
static int find_cfa(struct dwarf *d, const struct frame *f, struct cfa *cfa, struct err *e)
{
	const struct elf *main_file = d->want.elf, *code = d->want.code ? d->want.code : main_file;
	struct cfi c;
	int got = 0;

	if (f->at_entry && cfa_at_entry(main_file->machine, cfa))
		return 1;
	/* .eh_frame of a relocatable file has no addresses. */
	if (code->type != ELF_REL && !cfi_init(&c, code, NULL))
		got = cfa_of(&c, f->pc, cfa, e);
	if (got)
		return got;
	return dwarf_frames(d, &c) ? cfa_of(&c, f->pc, cfa, e) : 0;
}

static int frame_cfa(const struct frame *f, struct loc *loc, struct err *e)
{
	struct cfa cfa;
	int got = find_cfa(f->f->outer.u->d, f, &cfa, e);

	if (got > 0)
		*loc = (struct loc){ .kind = LOC_VALUE, .reg = cfa.reg, .off = cfa.off };
	else if (!got || got == -EOPNOTSUPP)
		gone(loc, "nothing tells where the function's frame is");
	return got < 0 && got != -EOPNOTSUPP ? got : 0;
}

static int ask(void *arg, enum dwarf_expr_ask what, struct loc *loc, struct err *e);
static int ask_in_base(void *arg, enum dwarf_expr_ask what, struct loc *loc, struct err *e);

static int frame_base(const struct frame *f, struct loc *loc, struct err *e)
{
	struct die die = f->f->outer;
	struct dwarf_value v;
	int got = find_attr(&die, DW_AT_frame_base, &v, e);
	struct dwarf_expr x = { .u = die.u, .at_entry = f->at_entry, .ask = ask_in_base, .arg = (void *)(uintptr_t)f };

	if (got > 0)
		got = expression_at(die.u, &v, f->pc, &x.code, e);
	if (!got)
		got = dwarf_expr_eval(&x, loc, e);
	if (!got)
		dwarf_expr_address(loc);
	return got;
}

static int ask(void *arg, enum dwarf_expr_ask what, struct loc *loc, struct err *e)
{
	const struct frame *f = arg;

	if (!f->f) {
		gone(loc, "in a frame of a function that is not known");
		return 0;
	}
	return what == DWARF_EXPR_CFA ? frame_cfa(f, loc, e) : frame_base(f, loc, e);
}

/* In a frame base's expression: only the CFA is available, not the frame base itself. */
static int ask_in_base(void *arg, enum dwarf_expr_ask what, struct loc *loc, struct err *e)
{
	if (what == DWARF_EXPR_CFA)
		return ask(arg, what, loc, e);
	return err_set(e, EBADMSG, "a frame base refers to itself");
}

/* --- variables --- */

static int constant(const struct dwarf_var *var, struct loc *loc, struct err *e)
{
	struct die die = var->die;
	struct dwarf_value v;
	int got = find_attr(&die, DW_AT_const_value, &v, e);

	gone(loc, "optimised out");
	if (got <= 0)
		return got;
	*loc = (struct loc){ .kind = LOC_CONST, .off = (int64_t)v.u };
	/* data16 has the class of a constant, but its value is a block. */
	if (v.block.n && !dwarf_expr_constant(die.u, v.block, &loc->off))
		gone(loc, "a constant of more than 8 bytes");
	if (dwarf_form_class(v.form) == DWARF_CLASS_STRING)
		gone(loc, "a constant text");
	return 0;
}

static uint64_t size_of(const struct dwarf_var *var)
{
	struct ctype type = die_type(&var->die);
	struct ctype_info info;

	return type.src && !ctype_info(type, &info, NULL) ? info.size : 0;
}

static int locate(const struct dwarf_func *f, const struct dwarf_var *v, uint64_t pc, struct loc *loc, struct err *e)
{
	struct die die = v->die;
	struct dwarf_value where;
	struct frame frame = { .f = f, .pc = pc };
	uint64_t entry;
	int got = find_attr(&die, DW_AT_location, &where, e);

	if (got <= 0)
		return got ? got : constant(v, loc, e);
	frame.at_entry = f && dwarf_entry_pc(&f->outer, &entry) > 0 && entry == pc;

	struct dwarf_expr x = { .u = die.u, .size = size_of(v), .at_entry = frame.at_entry, .ask = ask, .arg = &frame };

	got = expression_at(die.u, &where, pc, &x.code, e);
	if (got || x.code.n)
		return got ? got : dwarf_expr_eval(&x, loc, e);
	gone(loc, "optimised out here");
	return 0;
}

static bool is_stack_pointer(unsigned machine, unsigned reg)
{
	struct cfa cfa;

	return cfa_at_entry(machine, &cfa) && reg == cfa.reg;
}

static bool is_list(const struct dwarf_var *var)
{
	struct die die = var->die;
	struct dwarf_value v;

	return find_attr(&die, DW_AT_location, &v, NULL) <= 0 || dwarf_is_list(die.u, &v);
}

/*
 * A parameter in the function's own frame is described as there from the first instruction on, although it has yet to
 * be stored. (What the caller put on the stack has a higher address.) For unoptimised code, probes of variables are
 * placed behind the prologue, see below.
 */
static bool is_not_yet_stored(const struct dwarf_func *f, const struct dwarf_var *v, uint64_t pc, const struct loc *loc)
{
	unsigned machine = v->die.u->d->want.elf->machine, fp = machine == ELF_AARCH64 ? 29 : 6;
	uint64_t entry;

	return f && v->is_param && loc->kind == LOC_MEM && !loc->n_derefs &&
	       (is_stack_pointer(machine, loc->reg) ? loc->off < 0 : loc->reg == fp) &&
	       dwarf_entry_pc(&f->outer, &entry) > 0 && entry == pc && !is_list(v) && dwarf_is_optimised(f);
}

int dwarf_locate(const struct dwarf_func *f, const struct dwarf_var *v, uint64_t pc, struct loc *loc, struct err *e)
{
	int err = locate(f, v, pc, loc, e);

	if (!err && is_not_yet_stored(f, v, pc, loc))
		gone(loc, "not yet stored at the function's first instruction");
	return err;
}

/* --- prologues --- */

/* The optimisation level in DW_AT_producer of GNU's compilers: the last one counts. */
static const char *level(const char *producer)
{
	const char *found = NULL;

	for (const char *s = producer; (s = strstr(s, " -O")); s += 3)
		found = s + 3;
	return found;
}

/* Is the frame base the CFA, which is valid everywhere, rather than a register that the prologue sets? */
static bool base_is_cfa(const struct dwarf_func *f)
{
	enum { OP_CALL_FRAME_CFA = 0x9c };
	struct die die = f->outer;
	struct dwarf_value v;

	return find_attr(&die, DW_AT_frame_base, &v, NULL) > 0 && v.block.n == 1 &&
	       (uint8_t)v.block.s[0] == OP_CALL_FRAME_CFA;
}

/*
 * Is the parameter described as in the function's own frame from its first instruction on, where it is not yet? Not so
 * parameters on the caller's stack; and location lists are exact.
 */
static int is_stored_later(void *arg, const struct dwarf_var *var)
{
	const struct dwarf_func *f = arg;
	struct loc loc;

	if (var->depth || is_list(var) || locate(f, var, f->entry, &loc, NULL) || loc.kind != LOC_MEM)
		return 0;
	return loc.off < 0 || !base_is_cfa(f) || !is_stack_pointer(var->die.u->d->want.elf->machine, loc.reg);
}

bool dwarf_is_optimised(const struct dwarf_func *f)
{
	const char *o = level(f->outer.u->producer);

	if (o)
		return *o != '0';
	return dwarf_each_variable(f, f->entry, is_stored_later, (void *)(uintptr_t)f, NULL) <= 0;
}

struct prologue {
	const struct dwarf_func *f;
	uint64_t end, to;
	bool inside;
};

/* Find the end of the prologue: the row marked as such, or the function's second row, as debuggers do. */
static int find_end(void *arg, const struct dwarf_row *r)
{
	struct prologue *p = arg;

	if (r->addr == p->f->entry && !r->end_sequence)
		p->inside = true;
	if (!p->inside)
		return 0;
	if (r->end_sequence || r->addr >= p->end)
		return 1;
	if (!r->prologue_end && r->addr == p->f->entry)
		return 0;
	p->to = r->addr;
	return 1;
}

uint64_t dwarf_after_prologue(const struct dwarf_func *f)
{
	struct prologue p = { .f = f, .to = f->entry, .end = f->entry };
	struct dwarf_range v[16];
	int n = f->is_inlined || dwarf_is_optimised(f) ? 0 : die_ranges(&f->die, v, ARRAY_SIZE(v), NULL);

	for (int i = 0; i < n; i++) {
		if (f->entry >= v[i].start && f->entry < v[i].end)
			p.end = v[i].end;
	}
	if (p.end > f->entry)
		dwarf_each_row(f->die.u, find_end, &p, NULL);
	return p.to;
}
