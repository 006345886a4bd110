/* kenums.c - caches types by name; finds values and names by iterating over a type. */
#include "bpf/kenums.h"

void kenums_deinit(struct kenums *k)
{
	for (size_t i = 0; i < k->of.n; i++)
		free(k->of.v[i].type);
	vec_free(&k->of);
	ktypes_close(&k->types);
	*k = (struct kenums){ .sys = k->sys };
}

/* Each type is searched in BTF only once. */
static struct ctype find(struct kenums *k, const char *type)
{
	struct kenum *one;
	char *copy;

	if (!k->sys || !kenums_is_enum(type))
		return (struct ctype){ 0 };
	for (size_t i = 0; i < k->of.n; i++)
		if (!strcmp(k->of.v[i].type, type))
			return k->of.v[i].is;
	if (!k->was_read)
		ktypes_open(&k->types, k->sys, NULL);
	k->was_read = true;
	one = k->types.btf ? vec_add(&k->of) : NULL;
	if (!one)
		return (struct ctype){ 0 };
	copy = strdup(type);
	if (!copy) {
		k->of.n--;
		return (struct ctype){ 0 };
	}
	*one = (struct kenum){ copy, btf_find_type(k->types.btf, sv_from(type + 5)) };
	return one->is;
}

struct sv kenums_name(struct kenums *k, const char *type, uint64_t value)
{
	struct ctype t = find(k, type);
	struct btf_enumerator one;

	for (unsigned i = 0; btf_enumerator(t, i, &one, NULL) > 0; i++)
		if (one.value == value || (value <= UINT32_MAX && (uint32_t)one.value == value))
			return one.name;
	return SV("");
}

int kenums_value(struct kenums *k, const char *type, struct sv name, uint64_t *value, struct nearest *near)
{
	struct ctype t = find(k, type);
	struct btf_enumerator one;
	unsigned i = 0;

	nearest_init(near, name);
	for (; btf_enumerator(t, i, &one, NULL) > 0; i++) {
		if (one.name.n == name.n && !memcmp(one.name.s, name.s, name.n)) {
			*value = one.value;
			return 0;
		}
		nearest_feed(near, one.name.s);
	}
	return i ? -ENOENT : -EOPNOTSUPP;
}
