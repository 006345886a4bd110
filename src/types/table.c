#include "types/table.h"

#include "types/shape.h"

enum { NAME = 1000, DIMENSIONS = 16, MEMBERS = 64, TYPES_MAX = 1 << 16 };

void types_deinit(struct types *t)
{
	vec_free(&t->v);
	map_deinit(&t->known);
	map_deinit(&t->by_name);
	names_deinit(&t->names);
}

/* Read a type; an array is replaced by its element's type. */
static bool read_type(struct ctype *type, struct ctype_info *info)
{
	for (unsigned i = 0; i < DIMENSIONS; i++) {
		if (!type->src || ctype_info(*type, info, NULL))
			return false;
		if (info->kind != CTYPE_ARRAY)
			return info->kind != CTYPE_NONE;
		*type = info->target;
	}
	return false;
}

/* Source files may have different structs of the same name: a hash of members keeps them apart. */
static uint32_t members_hash(struct ctype type, const struct ctype_info *info)
{
	struct ctype_member m;
	uint32_t hash = 0;

	if ((info->kind != CTYPE_STRUCT && info->kind != CTYPE_UNION) || !info->size)
		return 0;
	for (unsigned i = 0; i < MEMBERS && type.src->member(type.src, type.id, i, &m, NULL) > 0; i++)
		hash = (uint32_t)hash_u64((uint64_t)hash << 32 ^ hash_bytes(m.name.s, m.name.n) ^ m.bit_offset << 20);
	return hash;
}

/* The members' hash of a type, or of the type behind all its pointers and arrays. */
static uint32_t end_hash(struct ctype type, const struct ctype_info *of)
{
	struct ctype_info info = *of;

	for (unsigned i = 0; i < DIMENSIONS && (info.kind == CTYPE_PTR || info.kind == CTYPE_ARRAY); i++) {
		type = info.target;
		if (!type.src || ctype_info(type, &info, NULL))
			return 0;
	}
	return members_hash(type, &info);
}

/* The key of a type. Types without a name, or with a truncated spelling, have their id in it. */
static uint32_t name_of(struct types *t, uint32_t scope, struct ctype type, const struct ctype_info *info)
{
	char spelled[NAME], text[NAME + 80];

	ctype_spell(type, spelled, sizeof(spelled));
	snprintf(text, sizeof(text), "%s\n%u %llu %x %llx", spelled, scope, (unsigned long long)info->size,
		 end_hash(type, info),
		 strstr(spelled, "{...}") || strlen(spelled) == NAME - 1 ? (unsigned long long)type.id : 0);
	return names_add(&t->names, text, strlen(text));
}

static const char *spelled(struct types *t, uint32_t name)
{
	const char *text = names_str(&t->names, name), *end = strchr(text, '\n');

	return arena_dup(&t->names.arena, text, end ? (size_t)(end - text) : strlen(text));
}

static uint32_t add_new(struct types *t, uint32_t scope, struct ctype type)
{
	struct ctype_info info;
	struct type_entry *new;
	uint64_t *at;
	uint32_t name;

	if (!read_type(&type, &info) || t->v.n >= TYPES_MAX)
		return TYPES_NONE;
	name = name_of(t, scope, type, &info);
	at = name == NAMES_NONE ? NULL : map_add(&t->by_name, name, NULL);
	if (!at || *at)
		return at ? (uint32_t)*at : TYPES_NONE;
	new = vec_add(&t->v);
	if (!new)
		return TYPES_NONE;
	*new = (struct type_entry){ .type = type, .info = info, .name = spelled(t, name), .scope = scope };
	/* Asking for members of a declared type would search the whole file for its definition. */
	new->is_open = info.size && shape_is_open(type);
	if (!new->name) {
		t->v.n--;
		return TYPES_NONE;
	}
	*at = t->v.n;
	return (uint32_t)t->v.n;
}

uint32_t types_add(struct types *t, uint32_t scope, struct ctype type)
{
	uint64_t *at;
	bool is_new;
	uint32_t id;

	if (!type.src)
		return TYPES_NONE;
	at = map_add(&t->known, hash_u64(type.id ^ hash_u64((uintptr_t)type.src)), &is_new);
	if (!at)
		return TYPES_NONE;
	if (!is_new)
		return (uint32_t)*at;
	id = add_new(t, scope, type);
	at = map_get(&t->known, hash_u64(type.id ^ hash_u64((uintptr_t)type.src)));
	if (at)
		*at = id;
	return id;
}

uint32_t types_target(struct types *t, uint32_t type)
{
	const struct type_entry *e = types_at(t, type);

	return e->info.kind == CTYPE_PTR ? types_add(t, e->scope, e->info.target) : TYPES_NONE;
}
