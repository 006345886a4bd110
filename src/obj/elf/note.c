#include "obj/elf/note.h"

bool note_next(struct cursor *c, struct note *n)
{
	uint32_t name = cur_u32(c), desc = cur_u32(c);

	n->type = cur_u32(c);

	const char *s = (const char *)cur_bytes(c, name);

	cur_align(c, 4);
	n->desc = cur_bytes(c, desc);
	n->n = desc;
	if (c->bad)
		return false;
	n->name = (struct sv){ s, name && !s[name - 1] ? name - 1 : name };
	/* The last note may lack its padding. */
	cur_skip(c, MIN(cur_left(c), -cur_off(c) & 3));
	return true;
}
