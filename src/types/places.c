/* places.c - locations of kernel functions' parameters, from BTF; sorting of locations. */
#include "types/places.h"

#include "base/sort.h"

void places_deinit(struct type_places *p)
{
	vec_free(&p->v);
}

static int earlier(const void *arg, uint32_t a, uint32_t b)
{
	const struct type_place *v = arg;

	return (v[a].start > v[b].start) - (v[a].start < v[b].start);
}

int places_sort(struct type_places *p)
{
	uint32_t *order = malloc((p->v.n + 1) * 2 * sizeof(*order));
	struct type_place *sorted = calloc(p->v.n + 1, sizeof(*sorted));

	if (!order || !sorted) {
		free(order);
		free(sorted);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < p->v.n; i++)
		order[i] = i;
	sort_u32(order, order + p->v.n + 1, p->v.n, earlier, p->v.v);
	for (size_t i = 0; i < p->v.n; i++)
		sorted[i] = p->v.v[order[i]];
	free(order);
	free(p->v.v);
	p->v.v = sorted;
	p->v.cap = p->v.n + 1;
	return 0;
}

/* The number of argument registers of a parameter; 0: it is in memory or in floating point registers. */
static unsigned registers_of(const struct type_places *p, struct ctype type)
{
	struct ctype_info info;

	if (ctype_info(type, &info, NULL) || info.kind == CTYPE_FLOAT)
		return 0;
	if (info.size <= 8)
		return 1;
	if (info.size <= 16)
		return 2;
	/* Larger ones: AAPCS64 passes the address in a register, x86_64 passes them on the stack. */
	return p->arch == &arch_aarch64;
}

int places_btf(struct type_places *p, const struct btf *b, int64_t func, uint64_t start)
{
	struct btf_param param;
	unsigned reg = 0;

	p->is_whole = true;
	for (unsigned i = 0; func > 0 && reg < p->arch->n_arg_regs && btf_param(b, func, i, &param, NULL) > 0; i++) {
		unsigned n = registers_of(p, param.type);
		struct type_place *new;

		if (n == 1) {
			new = vec_add(&p->v);
			if (!new)
				return -ENOMEM;
			*new = (struct type_place){
				.start = start, .end = start + 1, .kind = PLACE_ENTRY,
				.reg = p->arch->regs[p->arch->arg_regs[reg]].dwarf,
				.type = types_add(p->types, p->scope, param.type),
			};
		}
		reg += n;
	}
	return 0;
}
