#include "obj/dwarf/things.h"

#include "obj/dwarf/parts.h"

enum { OP_addr = 0x03, OP_addrx = 0xa1, OP_GNU_addr_index = 0xfb };

/* Is the location just an address (DW_OP_addr)? */
static bool address_of(const struct die *die, uint64_t *addr)
{
	struct dwarf_value v;
	struct cursor c;
	unsigned op;

	if (die_attr(die, DW_AT_location, &v, NULL) != 1 || dwarf_is_list(die->u, &v) || !v.block.n)
		return false;
	c = die->u->bytes;
	c.start = c.pos = (const uint8_t *)v.block.s;
	c.end = c.start + v.block.n;
	c.bad = false;
	op = cur_u8(&c);
	if (op == OP_addr)
		*addr = dwarf_address(die->u, &c);
	else if ((op != OP_addrx && op != OP_GNU_addr_index) || !dwarf_addr_at(die->u, cur_uleb(&c), addr))
		return false;
	return !c.bad && !cur_left(&c);
}

static bool read_thing(const struct dwarf_walk *w, struct dwarf_thing *t)
{
	bool is_outer = w->depth == 1;

	*t = (struct dwarf_thing){ .die = w->die };
	switch (w->die.tag) {
	case DW_TAG_variable:
		t->kind = DWARF_THING_VARIABLE;
		t->has_addr = address_of(&w->die, &t->addr);
		t->type = t->has_addr || is_outer ? die_type(&w->die) : t->type;
		return t->has_addr || is_outer;
	case DW_TAG_subprogram:
		t->kind = DWARF_THING_FUNCTION;
		t->type = is_outer ? die_type(&w->die) : t->type;
		return is_outer;
	case DW_TAG_structure_type:
		t->kind = DWARF_THING_STRUCT;
		t->type = dwarf_type_of(&w->die);
		return is_outer;
	default:
		return false;
	}
}

/* Functions may have static variables below them, and scopes have named entities. */
static bool is_worth_entering(unsigned tag)
{
	return tag == DW_TAG_compile_unit || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_namespace;
}

int dwarf_each_thing(const struct dwarf_unit *u, int (*each)(void *arg, const struct dwarf_thing *t), void *arg)
{
	struct dwarf_walk w;
	int r = 0;

	dwarf_walk_init(&w, u);
	while (!r && dwarf_walk_next(&w, NULL) == 1) {
		struct dwarf_thing t;

		if (read_thing(&w, &t))
			r = each(arg, &t);
		if (w.die.has_children && !is_worth_entering(w.die.tag))
			dwarf_walk_jump(&w);
	}
	return r;
}
