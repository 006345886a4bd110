/* rawargs.c - maps names to arguments and registers. */
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

/* Index of the argument of that name, not counting the first, which is the tracepoint's private data. */
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

/* --- probes --- */

/* The fetch of that name, "%x1" of "size=%x1:u32". */
static bool fetch_of(struct sv fetches, const char *field, struct sv *fetch)
{
	struct sv one, name;

	while (sv_cut(&fetches, ' ', &one))
		if (sv_cut(&one, '=', &name) && sv_eq(name, field))
			return sv_cut(&one, ':', fetch);
	return false;
}

/* "%x1", "$arg2", "$retval": perf's register number, or -1. */
static int register_of(const struct arch *a, struct sv text)
{
	const struct arch_reg *r;
	uint64_t n;

	if (sv_eq(text, "$retval"))
		return a->ret_reg;
	if (sv_starts(text, "$arg") && str_u64((struct sv){ text.s + 4, text.n - 4 }, 10, &n))
		return n && n <= a->n_arg_regs ? a->arg_regs[n - 1] : -1;
	r = text.n > 1 && *text.s == '%' ? arch_reg_by_name(a, text.s + 1, text.n - 1) : NULL;
	return r && (a->user_regs_mask >> r->perf_bit & 1) ? r->perf_bit : -1;
}

/* Of "+8(%x0)" take the offset, and go on with the text in parentheses. */
static bool open_memory(struct rawarg *r, struct sv *text, uint32_t size)
{
	struct sv number;
	int64_t off;

	if (!text->n || text->s[text->n - 1] != ')')
		return false;
	text->n--;
	if (!sv_cut(text, '(', &number) || !number.n)
		return false;
	number.s += *number.s == '+';
	number.n -= number.s[-1] == '+';
	r->is_member = true;
	r->member.size = size;
	if (!str_i64(number, 0, &off) || off < INT16_MIN || off > INT16_MAX)
		return false;
	r->member.off = (uint32_t)(int32_t)off;
	return true;
}

int rawarg_fetch(struct rawarg *r, const struct arch *a, struct sv fetches, const char *field, uint32_t size,
		 struct err *e)
{
	struct sv text;
	int bit;

	*r = (struct rawarg){ 0 };
	if (!fetch_of(fetches, field, &text) || !text.n ||
	    ((*text.s == '+' || *text.s == '-') && !open_memory(r, &text, size)) || (bit = register_of(a, text)) < 0)
		return err_set(e, EOPNOTSUPP, "what the probe fetches as %s is more than a program of ours can", field);
	r->off = (uint16_t)(a->probe_regs ? a->probe_regs[bit] : 8 * bit);
	return 0;
}
