/* die.c - attributes of an entry itself, and of the entries to which it refers. */
#include "obj/dwarf/parts.h"

/*
 * Limit for chains of references (abstract origin, its specification, the signature's entry ...): real ones have three.
 */
enum { HOPS = 8 };

int die_attr(const struct die *die, unsigned at, struct dwarf_value *v, struct err *e)
{
	const struct dwarf_unit *u = die->u;
	struct cursor c = u->bytes, specs = u->abbrevs->bytes;

	cur_seek(&c, die->off);

	const struct dwarf_abbrev *a = dwarf_abbrev_find(u->abbrevs, cur_uleb(&c));

	cur_seek(&specs, a ? a->specs : UINT64_MAX);
	while (a && !c.bad && !specs.bad) {
		uint64_t name = cur_uleb(&specs);
		unsigned form = (unsigned)cur_uleb(&specs);
		int64_t implicit = form == DW_FORM_implicit_const ? cur_sleb(&specs) : 0;
		int err;

		if (!name && !form)
			return 0;
		if (name == at)
			err = dwarf_form_read(u, form, implicit, &c, v) ? -EBADMSG : 1;
		else
			err = dwarf_form_skip(u, form, &c);
		if (err > 0)
			return 1;
		c.bad |= err < 0;
	}
	return err_at(e, EBADMSG, die->off, "debug information of %.100s is damaged", u->name);
}

/* File and unit of the target of a reference. */
static const struct dwarf_unit *referred(const struct dwarf_unit *u, const struct dwarf_value *v, uint64_t *off)
{
	struct dwarf_file *f = u->file;

	*off = v->u;
	switch (v->form) {
	case DW_FORM_ref_sig8:
		u = dwarf_type_unit(f, v->u);
		*off = u ? u->off + u->type_off : 0;
		return u;
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		return f->d->alt ? dwarf_unit_holding(f->d->alt, DWARF_IN_INFO, v->u) : NULL;
	case DW_FORM_ref_addr:
		if (v->u < u->first || v->u >= u->end || dwarf_unit_is_types(u))
			return dwarf_unit_holding(f, DWARF_IN_INFO, v->u);
		return u;
	default:
		return u;
	}
}

/* The entry to which a value of class DWARF_CLASS_REF refers. 1, 0: not there, -errno. */
static int dwarf_deref(const struct dwarf_unit *u, const struct dwarf_value *v, struct die *to, struct err *e)
{
	uint64_t off;

	if (dwarf_form_class(v->form) != DWARF_CLASS_REF)
		return 0;
	u = referred(u, v, &off);
	return u ? die_at(u, off, to, e) ? -EBADMSG : 1 : 0;
}

int die_ref(const struct die *die, unsigned at, struct die *to, struct err *e)
{
	struct dwarf_value v;
	int got = die_attr(die, at, &v, e);

	return got == 1 ? dwarf_deref(die->u, &v, to, e) : got;
}

int dwarf_origin(const struct die *die, struct die *to, struct err *e)
{
	int got = die_ref(die, DW_AT_abstract_origin, to, e);

	return got ? got : die_ref(die, DW_AT_specification, to, e);
}

int die_attr_any(const struct die *die, unsigned at, struct dwarf_value *v, struct err *e)
{
	struct die d = *die;
	int got = die_attr(&d, at, v, e);

	for (unsigned i = 0; !got && i < HOPS; i++) {
		struct die from = d;

		got = dwarf_origin(&from, &d, e);
		if (got != 1)
			return got;
		got = die_attr(&d, at, v, e);
	}
	return got;
}

static const char *text_of(const struct die *die, unsigned at)
{
	struct dwarf_value v;

	return die_attr_any(die, at, &v, NULL) == 1 && dwarf_form_class(v.form) == DWARF_CLASS_STRING ? v.block.s : "";
}

const char *die_name(const struct die *die)
{
	return text_of(die, DW_AT_name);
}

const char *die_linkage_name(const struct die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);

	return *name ? name : text_of(die, DW_AT_MIPS_linkage_name);
}
