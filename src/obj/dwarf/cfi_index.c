/* cfi_index.c - see cfi_index.h. */
#include "obj/dwarf/cfi_index.h"

#include "base/find.h"

/* Skip functions that the linker discarded, which have address 0. */
static int add(void *arg, const struct cfi_fde *fde)
{
	struct cfi_index *x = arg;
	struct cfi_fde *f = fde->start ? vec_add(&x->functions) : NULL;

	if (!f)
		return fde->start ? -ENOMEM : 0;
	*f = *fde;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct cfi_fde *f = a, *g = b;
	uint64_t x = f->start, y = g->start;

	/* Keep the order of equal ones. */
	if (x == y) {
		x = f->off;
		y = g->off;
	}
	return (x > y) - (x < y);
}

int cfi_index_init(struct cfi_index *x, const struct cfi *c)
{
	int r;

	*x = (struct cfi_index){ 0 };
	r = cfi_each(c, add, x, NULL);
	if (x->functions.n)
		qsort(x->functions.v, x->functions.n, sizeof(x->functions.v[0]), by_start);
	return r == -ENOMEM ? r : 0;
}

void cfi_index_deinit(struct cfi_index *x)
{
	vec_free(&x->functions);
}

bool cfi_index_find(const struct cfi_index *x, uint64_t pc, struct cfi_fde *fde)
{
	size_t n = find_upto(x->functions.v, x->functions.n, start, pc);

	if (!n || pc >= x->functions.v[n - 1].end)
		return false;
	*fde = x->functions.v[n - 1];
	return true;
}
