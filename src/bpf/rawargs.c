/* rawargs.c - names of arguments to their places. */
#include "bpf/rawargs.h"

static const struct way {
	const char *event, *field, *argument;
} ways[] = {
#define RAW(event, field, argument) { event, field, argument },
#include "bpf/rawargs.def"
#undef RAW
};

static const char *way_of(const char *event, const char *field)
{
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		if (!strcmp(ways[i].event, event) && !strcmp(ways[i].field, field))
			return ways[i].argument;
	return NULL;
}

/* The argument of that name: its number, behind the data of whoever asked, which the first one is. */
static int number_of(const struct ktypes *k, int64_t func, struct sv name, struct ctype *type)
{
	struct btf_param p;

	for (unsigned i = 1; btf_param(k->btf, func, i, &p, NULL) == 1; i++)
		if (sv_eq(name, p.name.s)) {
			*type = p.type;
			return (int)i - 1;
		}
	return -1;
}

static int member_of(struct rawarg *r, const struct ktypes *k, struct ctype pointer, struct sv path)
{
	struct ctype_info to, what;
	char name[128], members[128];

	if (ctype_info(pointer, &to, NULL) || to.kind != CTYPE_PTR || ctype_info(to.target, &what, NULL))
		return -EOPNOTSUPP;
	r->is_member = true;
	str_copy(name, sizeof(name), what.name);
	str_copy(members, sizeof(members), path);
	return ktypes_member(k, name, members, &r->member, NULL);
}

int rawarg_find(struct rawarg *r, const struct ktypes *k, const char *event, const char *field, struct err *e)
{
	const char *way = way_of(event, field);
	struct sv path = sv_from(way ? way : ""), name;
	char func[160];
	struct ctype type = { 0 };
	int64_t id;
	int at = -1;

	*r = (struct rawarg){ 0 };
	snprintf(func, sizeof(func), "__traceiter_%s", event);
	id = way && sv_cut(&path, '.', &name) ? btf_find_func(k->btf, sv_from(func)) : -1;
	if (id >= 0)
		at = number_of(k, id, name, &type);
	if (at < 0 || at > 11 || (path.s && path.n && member_of(r, k, type, path)))
		return err_set(e, EOPNOTSUPP, "from %s's arguments no way to its %s is known", event, field);
	r->off = (uint16_t)(at * 8);
	return 0;
}
