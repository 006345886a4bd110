#include "types/unit.h"

#include "base/find.h"

/* A limit that no real unit reaches. */
enum { THINGS_MAX = 1 << 18 };

void unit_deinit(struct type_unit *t)
{
	map_deinit(&t->named);
	vec_free(&t->things);
	vec_free(&t->at);
	*t = (struct type_unit){ 0 };
}

static uint64_t key_of(enum dwarf_thing_kind kind, struct sv name)
{
	return (uint64_t)hash_bytes(name.s, name.n) << 32 | (uint64_t)(name.n & 0xffffff) << 4 | kind;
}

static int by_address(const void *a, const void *b)
{
	const struct unit_thing *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static int add_name(struct type_unit *t, const struct dwarf_thing *thing, const struct unit_thing *new)
{
	const char *name = die_name(&thing->die);
	struct unit_thing *kept;
	uint64_t *at;

	if (!*name)
		return 0;
	at = map_add(&t->named, key_of(thing->kind, sv_from(name)), NULL);
	kept = at && !*at ? vec_add(&t->things) : NULL;
	if (!at || (!*at && !kept))
		return -ENOMEM;
	if (!kept)
		return 0;
	*kept = *new;
	*at = t->things.n;
	return 0;
}

static int add(void *arg, const struct dwarf_thing *thing)
{
	struct type_unit *t = arg;
	struct unit_thing new = { .addr = thing->addr, .type = thing->type }, *kept;
	struct ctype_info info;

	if (!thing->type.src || t->things.n + t->at.n >= THINGS_MAX)
		return 0;
	if (add_name(t, thing, &new))
		return -ENOMEM;
	if (!thing->has_addr || ctype_info(thing->type, &info, NULL) || !info.size)
		return 0;
	kept = vec_add(&t->at);
	if (!kept)
		return -ENOMEM;
	new.size = info.size;
	*kept = new;
	return 0;
}

int unit_read(struct type_unit *t, const struct dwarf_unit *u)
{
	int r;

	if (t->u == u)
		return 0;
	unit_deinit(t);
	r = dwarf_each_thing(u, add, t);
	if (t->at.n)
		qsort(t->at.v, t->at.n, sizeof(*t->at.v), by_address);
	t->u = u;
	return r < 0 ? r : 0;
}

struct ctype unit_named(const struct type_unit *t, enum dwarf_thing_kind kind, struct sv name)
{
	const uint64_t *at = t->u ? map_get(&t->named, key_of(kind, name)) : NULL;

	return at && *at ? t->things.v[*at - 1].type : (struct ctype){ 0 };
}

const struct unit_thing *unit_at(const struct type_unit *t, uint64_t addr)
{
	size_t n = find_upto(t->at.v, t->at.n, addr, addr);

	return n && addr - t->at.v[n - 1].addr < t->at.v[n - 1].size ? &t->at.v[n - 1] : NULL;
}
