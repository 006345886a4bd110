/*
 * dwarf_type.c - types of debug information for ctype.h.
 *
 * A type's id is its offset in the section; bit 63 means .debug_types; bits 56 to 62 count the dimensions of an array
 * that were already resolved.
 */
#include "obj/dwarf/parts.h"

enum { ID_DIM = 56, DIM_MAX = 127, QUALIFIERS_MAX = 64, CHILDREN_MAX = 1 << 20, NESTING_MAX = 40 };

static const uint64_t id_types = UINT64_C(1) << 63, id_off = (UINT64_C(1) << ID_DIM) - 1;

enum { ATE_address = 1, ATE_boolean, ATE_complex_float, ATE_float, ATE_signed, ATE_signed_char, ATE_unsigned,
	ATE_unsigned_char, ATE_imaginary_float, ATE_decimal_float = 0xf, ATE_UTF, ATE_UCS, ATE_ASCII };

struct ctype dwarf_type_of(const struct die *die)
{
	const struct dwarf_unit *u = die->u;

	if (!u)
		return (struct ctype){ 0 };
	return (struct ctype){ &u->file->types, (die->off & id_off) | (dwarf_unit_is_types(u) ? id_types : 0) };
}

struct ctype die_type(const struct die *die)
{
	struct die d = *die, to;

	for (unsigned i = 0; i < 8; i++) {
		struct die from = d;
		int got = die_ref(&d, DW_AT_type, &to, NULL);

		if (got == 1)
			return dwarf_type_of(&to);
		if (got < 0 || dwarf_origin(&from, &d, NULL) != 1)
			break;
	}
	return (struct ctype){ 0 };
}

static struct dwarf_file *file_of(const struct ctype_source *src)
{
	return (struct dwarf_file *)(uintptr_t)src;
}

static int entry_of(const struct ctype_source *src, uint64_t id, struct die *die, struct err *e)
{
	enum dwarf_place place = id & id_types ? DWARF_IN_TYPES : DWARF_IN_INFO;
	const struct dwarf_unit *u = dwarf_unit_holding(file_of(src), place, id & id_off);

	return u ? die_at(u, id & id_off, die, e) : err_at(e, EBADMSG, id & id_off, "a type that is not there");
}

static bool number(const struct die *die, unsigned at, uint64_t *v)
{
	struct dwarf_value x;
	enum dwarf_class class;

	if (die_attr_any(die, at, &x, NULL) != 1)
		return false;
	class = dwarf_form_class(x.form);
	*v = x.u;
	return class == DWARF_CLASS_CONST || class == DWARF_CLASS_FLAG;
}

static bool flag(const struct die *die, unsigned at)
{
	struct dwarf_value v;

	return die_attr(die, at, &v, NULL) == 1 && v.u;
}

static bool is_qualifier(unsigned tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type || tag == DW_TAG_immutable_type || tag == DW_TAG_packed_type;
}

static bool is_named(unsigned tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_template_alias;
}

static bool is_struct(unsigned tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_interface_type ||
	       tag == DW_TAG_union_type;
}

/*
 * Replace a declaration by its definition: the type unit of its signature; or the type of that name in any unit, for
 * which everything is searched, so this is done only for members.
 */
static void define(struct die *die, enum dwarf_effort effort)
{
	struct die to;

	if (die_ref(die, DW_AT_signature, &to, NULL) == 1)
		*die = to;
	if (flag(die, DW_AT_declaration) && dwarf_definition(die, effort, &to) == 1)
		*die = to;
}

/* Resolve typedefs and qualifiers; *name: that of the innermost typedef. 1, 0: void, -errno. */
static int look_through(struct die *die, struct sv *name, struct err *e)
{
	for (unsigned i = 0; i < QUALIFIERS_MAX; i++) {
		struct die to;

		if (is_named(die->tag))
			*name = sv_from(die_name(die));
		else if (!is_qualifier(die->tag))
			return 1;

		int got = die_ref(die, DW_AT_type, &to, e);

		if (got != 1)
			return got;
		*die = to;
	}
	return err_at(e, EBADMSG, die->off, "a typedef of itself");
}

static void base_type(const struct die *die, struct ctype_info *t)
{
	uint64_t encoding = 0;

	number(die, DW_AT_encoding, &encoding);
	t->kind = CTYPE_INT;
	switch (encoding) {
	case ATE_boolean:
		t->kind = CTYPE_BOOL;
		break;
	case ATE_complex_float:
	case ATE_float:
	case ATE_imaginary_float:
	case ATE_decimal_float:
		t->kind = CTYPE_FLOAT;
		t->is_signed = true;
		break;
	case ATE_signed_char:
	case ATE_unsigned_char:
	case ATE_UTF:
	case ATE_UCS:
	case ATE_ASCII:
		t->kind = CTYPE_CHAR;
		break;
	default:
		break;
	}
	t->is_signed = t->is_signed || encoding == ATE_signed || encoding == ATE_signed_char;
}

/* The k-th child with that tag: 1, 0, -errno. */
static int child_of(const struct die *die, unsigned tag, unsigned k, struct die *child)
{
	int got = die_child(die, child, NULL);

	for (unsigned i = 0; got == 1 && i < CHILDREN_MAX; i++) {
		struct die at = *child;

		if (child->tag == tag && !k--)
			return 1;
		got = die_sibling(&at, child, NULL);
	}
	return got;
}

static uint64_t elements(const struct die *range)
{
	uint64_t count, lower = 0;

	if (number(range, DW_AT_count, &count))
		return count;
	if (!number(range, DW_AT_upper_bound, &count))
		return 0;
	number(range, DW_AT_lower_bound, &lower);
	/* An upper bound of -1 in any width means an array without elements. */
	count = count - lower + 1;
	return count == UINT64_C(0x100000000) ? 0 : count;
}

static int array_type(const struct die *die, unsigned dim, struct ctype_info *t, struct err *e)
{
	struct die range, next;
	struct ctype_info element;
	uint64_t total;
	int got = child_of(die, DW_TAG_subrange_type, dim, &range);

	t->kind = CTYPE_ARRAY;
	t->count = got == 1 ? elements(&range) : 0;
	t->target = die_type(die);
	if (got == 1 && dim < DIM_MAX && child_of(die, DW_TAG_subrange_type, dim + 1, &next) == 1) {
		t->target = dwarf_type_of(die);
		t->target.id |= (uint64_t)(dim + 1) << ID_DIM;
	}
	if (!dim && number(die, DW_AT_byte_size, &t->size))
		return 0;
	if (!t->target.src || !t->count || ctype_info(t->target, &element, e))
		return 0;
	t->size = __builtin_mul_overflow(element.size, t->count, &total) ? 0 : total;
	return 0;
}

static void enum_type(const struct die *die, struct ctype_info *t)
{
	struct ctype under = die_type(die);
	struct ctype_info base;
	struct dwarf_value v;
	struct die child;

	t->kind = CTYPE_ENUM;
	if (under.src && !ctype_info(under, &base, NULL)) {
		t->is_signed = base.is_signed;
		t->size = t->size ? t->size : base.size;
		return;
	}

	int got = die_child(die, &child, NULL);

	for (unsigned i = 0; got == 1 && i < CHILDREN_MAX && !t->is_signed; i++) {
		struct die at = child;

		t->is_signed = die_attr(&child, DW_AT_const_value, &v, NULL) == 1 &&
			       (v.form == DW_FORM_sdata || v.form == DW_FORM_implicit_const) && (int64_t)v.u < 0;
		got = die_sibling(&at, &child, NULL);
	}
}

static int kind_of(const struct die *die, unsigned dim, struct ctype_info *t, struct err *e)
{
	switch (die->tag) {
	case DW_TAG_base_type:
		base_type(die, t);
		return 0;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		t->kind = CTYPE_PTR;
		t->target = die_type(die);
		t->size = t->size ? t->size : die->u->addr_size;
		return 0;
	case DW_TAG_ptr_to_member_type:
		t->kind = CTYPE_INT;
		t->size = t->size ? t->size : die->u->addr_size;
		return 0;
	case DW_TAG_array_type:
		return array_type(die, dim, t, e);
	case DW_TAG_enumeration_type:
		enum_type(die, t);
		return 0;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		t->kind = CTYPE_FUNC;
		t->target = die_type(die);
		return 0;
	case DW_TAG_union_type:
		t->kind = CTYPE_UNION;
		return 0;
	default:
		t->kind = is_struct(die->tag) ? CTYPE_STRUCT : CTYPE_NONE;
		return 0;
	}
}

static int info_read(const struct ctype_source *src, uint64_t id, struct ctype_info *t, struct err *e)
{
	struct sv name = SV(""), own;
	struct die die;
	int err = entry_of(src, id, &die, e);

	if (err)
		return err;
	err = look_through(&die, &name, e);
	if (err <= 0) {
		t->name = name;
		return err;
	}
	define(&die, DWARF_KNOWN);
	number(&die, DW_AT_byte_size, &t->size);
	own = sv_from(die_name(&die));
	t->name = own.n ? own : name;
	t->is_typedef = !own.n && name.n;
	/* A subrange of another type: Ada, Modula and the like. */
	if (die.tag == DW_TAG_subrange_type) {
		struct ctype base = die_type(&die);

		return base.src ? ctype_info(base, t, e) : 0;
	}
	return kind_of(&die, (unsigned)(id >> ID_DIM) & DIM_MAX, t, e);
}

/* Recurses only into elements of arrays and base types of enumerations. */
static int type_info(const struct ctype_source *src, uint64_t id, struct ctype_info *t, struct err *e)
{
	struct dwarf_file *f = file_of(src);
	int err;

	*t = (struct ctype_info){ 0 };
	if (f->nesting == NESTING_MAX)
		return err_at(e, EBADMSG, id & id_off, "a type of itself");
	f->nesting++;
	err = info_read(src, id, t, e);
	f->nesting--;
	return err;
}

/* Offset of a member: a constant, or an expression that adds one. False: only known at run time. */
static bool member_bytes(const struct die *m, uint64_t *bytes)
{
	struct dwarf_value v;
	struct cursor c;
	uint8_t op;

	*bytes = 0;
	if (die_attr(m, DW_AT_data_member_location, &v, NULL) != 1)
		return true;
	if (dwarf_form_class(v.form) == DWARF_CLASS_CONST && v.form != DW_FORM_data16) {
		*bytes = v.u;
		return true;
	}
	if (dwarf_form_class(v.form) != DWARF_CLASS_BLOCK)
		return false;
	c = cur_from(v.block.s, v.block.n);
	op = cur_u8(&c);
	*bytes = cur_uleb(&c);
	return (op == 0x23 || op == 0x10) && !c.bad && !(cur_left(&c) && *c.pos != 0x22);
}

static void member_bits(const struct die *die, struct ctype_member *m)
{
	uint64_t bits = 0, off, storage = 0;
	struct ctype_info t;

	if (!number(die, DW_AT_bit_size, &bits) || bits > 4096)
		return;
	m->bits = (unsigned)bits;
	if (number(die, DW_AT_data_bit_offset, &off)) {
		m->bit_offset = off;
		return;
	}
	if (!number(die, DW_AT_bit_offset, &off))
		return;
	if (die->u->bytes.swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)) {
		m->bit_offset += off;
		return;
	}
	/* DW_AT_bit_offset counts from the most significant bit of the storage unit. */
	if (!number(die, DW_AT_byte_size, &storage) && m->type.src && !ctype_info(m->type, &t, NULL))
		storage = t.size;
	m->bit_offset += storage * 8 - off - bits;
}

/* Is this child a member or base class of the struct? */
static bool is_member(const struct die *c)
{
	struct dwarf_value v;

	if (c->tag == DW_TAG_inheritance)
		return true;
	/* A static member is only declared here. */
	return c->tag == DW_TAG_member && !(flag(c, DW_AT_external) && flag(c, DW_AT_declaration)) &&
	       die_attr(c, DW_AT_const_value, &v, NULL) != 1;
}

/* The i-th member, continuing the previous search. */
static int member_find(struct dwarf_file *f, const struct die *die, unsigned want, struct die *m, struct err *e)
{
	unsigned i = 0;
	int got;

	if (f->member.id == die->off + 1 && f->member.unit == die->u && f->member.i < want) {
		struct die at;

		i = f->member.i + 1;
		got = die_at(die->u, f->member.off, &at, e);
		got = got ? got : die_sibling(&at, m, e);
	} else {
		got = die_child(die, m, e);
	}
	while (got == 1) {
		struct die at = *m;

		if (is_member(m) && i++ == want)
			break;
		got = die_sibling(&at, m, e);
	}
	if (got == 1) {
		f->member.id = die->off + 1;
		f->member.unit = die->u;
		f->member.off = m->off;
		f->member.i = want;
	}
	return got;
}

static int type_member(const struct ctype_source *src, uint64_t id, unsigned i, struct ctype_member *m, struct err *e)
{
	struct sv name;
	struct die die, child;
	uint64_t bytes;
	int got = entry_of(src, id, &die, e);

	got = got ? got : look_through(&die, &name, e);
	if (got != 1)
		return got;
	define(&die, DWARF_SEARCH);
	if (!is_struct(die.tag))
		return 0;
	got = member_find(file_of(src), &die, i, &child, e);
	if (got != 1)
		return got;
	*m = (struct ctype_member){ .type = die_type(&child) };
	m->name = child.tag == DW_TAG_inheritance ? SV("") : sv_from(die_name(&child));
	/* The offset of a virtual base is only known at run time: its members cannot be accessed. */
	if (!member_bytes(&child, &bytes))
		m->type = (struct ctype){ 0 };
	m->bit_offset = bytes * 8;
	member_bits(&child, m);
	return 1;
}

const struct ctype_source dwarf_types = { .info = type_info, .member = type_member };
