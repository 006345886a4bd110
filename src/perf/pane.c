/* pane.c - see pane.h. */
#include "perf/pane.h"

void pane_read(const struct pane_file *f, struct pane *p, uint64_t off, size_t most)
{
	uint64_t left = off < f->all.n ? f->all.n - off : 0, n = most < p->cap ? most : p->cap;

	p->from = off;
	p->n = f->read(f->arg, p->v, (size_t)(n < left ? n : left), off);
}

bool pane_holds(struct bytes b, bool swap, uint64_t off)
{
	struct perf_rec head;

	if (off > b.n || b.n - off < sizeof(head))
		return false;
	memcpy(&head, b.p + off, sizeof(head));
	return (swap ? __builtin_bswap16(head.size) : head.size) <= b.n - off;
}

struct bytes pane_record(const struct pane_file *f, struct pane *p, bool swap, uint64_t off, size_t most)
{
	struct bytes b = pane_look(f, p, off, sizeof(struct perf_rec), most);

	if (!pane_holds(b, swap, off))
		b = pane_look(f, p, off, PANE_RECORD, MAX(most, (size_t)PANE_RECORD));
	if (pane_holds(b, swap, off))
		b.n = f->all.n;
	return b;
}
