/* spot.c - tables of a unit sorted by address: rows of the line table, and code of functions. */
#include "obj/dwarf/spot.h"

#include "base/find.h"
#include "base/sort.h"
#include "obj/dwarf/line.h"
#include "obj/dwarf/parts.h"

/* Limits for one unit: more than the largest have. What exceeds them is dropped. */
enum { ROWS_MAX = 1 << 20, CODES_MAX = 1 << 19 };

/* How many candidates that begin before an address are checked: those that contain it are among the nearest. */
enum { LOOK_BACK = 1 << 12 };

/* Covers the addresses from addr to the next row. */
struct row {
	uint64_t addr;
	uint32_t file;
	uint32_t line : 31;
	uint32_t is_end : 1;           /* end of a sequence: covers nothing */
};

/* A piece of a function's code, out of line or inlined. */
struct code {
	uint64_t start, end;
	uint64_t reach;                /* the largest end of all entries up to this one */
	uint64_t off;                  /* offset of the entry */
	uint64_t outer;                /* offset of the out-of-line function's entry */
	uint32_t call_file, call_line;
	uint16_t depth;                /* in the tree of entries */
	bool is_inlined;
};

struct spot_unit {
	const struct dwarf_unit *u;
	VEC(struct row) rows;          /* of the line table; sorted by address */
	VEC(struct code) codes;
	size_t near;                   /* index behind the row that was found last */
	bool has_rows;
};

struct dwarf_spots {
	struct dwarf *d;
	VEC(struct spot_unit) units;
	size_t bytes;                  /* memory used by all tables */
	size_t last;                   /* the unit of the last query: mostly the next one's, too */
};

struct dwarf_spots *dwarf_spots_new(struct dwarf *d)
{
	struct dwarf_spots *s = calloc(1, sizeof(*s));

	if (s)
		s->d = d;
	return s;
}

static void unit_forget(struct spot_unit *u)
{
	vec_free(&u->rows);
	vec_free(&u->codes);
}

static void forget(struct dwarf_spots *s)
{
	for (size_t i = 0; i < s->units.n; i++)
		unit_forget(&s->units.v[i]);
	s->units.n = s->bytes = s->last = 0;
}

void dwarf_spots_free(struct dwarf_spots *s)
{
	if (!s)
		return;
	forget(s);
	vec_free(&s->units);
	free(s);
}

/* --- the line table --- */

static int add_row(void *arg, const struct dwarf_row *r)
{
	struct spot_unit *to = arg;
	struct row *row = to->rows.n < ROWS_MAX ? vec_add(&to->rows) : NULL;

	if (!row)
		return to->rows.n < ROWS_MAX ? -ENOMEM : 1;
	*row = (struct row){
		.addr = r->addr, .file = r->file, .line = r->line & INT32_MAX, .is_end = r->end_sequence,
	};
	return 0;
}

/* A sequence may end where another one begins. Rows with one address keep the program's order: the last one counts. */
static int by_addr(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->is_end != y->is_end)
		return x->is_end ? -1 : 1;
	return 0;
}

/* Sequences are sorted internally: a sort is only needed when they are not in ascending order. */
static bool is_sorted(const struct spot_unit *u)
{
	for (size_t i = 1; i < u->rows.n; i++)
		if (by_addr(&u->rows.v[i - 1], &u->rows.v[i]) > 0)
			return false;
	return true;
}

static int row_order(const void *arg, uint32_t a, uint32_t b)
{
	const struct spot_unit *u = arg;

	return by_addr(&u->rows.v[a], &u->rows.v[b]);
}

/* 0 or -ENOMEM. */
static int sort_rows(struct spot_unit *u)
{
	size_t n = u->rows.n;
	struct row *sorted;
	uint32_t *order;
	int r = -ENOMEM;

	if (is_sorted(u))
		return 0;
	sorted = malloc(n * sizeof(*sorted));
	order = malloc(2 * n * sizeof(*order));
	for (uint32_t i = 0; sorted && order && i < n; i++)
		order[i] = i;
	if (sorted && order) {
		sort_u32(order, order + n, n, row_order, u);
		for (size_t i = 0; i < n; i++)
			sorted[i] = u->rows.v[order[i]];
		memcpy(u->rows.v, sorted, n * sizeof(*sorted));
		r = 0;
	}
	free(sorted);
	free(order);
	return r;
}

/* --- functions --- */

struct reading {
	struct spot_unit *to;
	struct code like;
};

static int add_code(void *arg, const struct dwarf_range *r)
{
	struct reading *x = arg;
	struct code *c = x->to->codes.n < CODES_MAX ? vec_add(&x->to->codes) : NULL;

	if (!c)
		return x->to->codes.n < CODES_MAX ? -ENOMEM : 1;
	*c = x->like;
	c->start = r->start;
	c->end = r->end;
	return 0;
}

static uint32_t number(const struct die *die, unsigned at)
{
	struct dwarf_value v;

	return die_attr(die, at, &v, NULL) == 1 ? (uint32_t)MIN(v.u, (uint64_t)UINT32_MAX) : 0;
}

static uint64_t outer_of(const struct dwarf_walk *w)
{
	for (unsigned i = w->depth; i-- > 0;)
		if (w->up[i].tag == DW_TAG_subprogram)
			return w->up[i].off;
	return w->die.off;
}

/* An error ends the list: what was read before is used. */
static int read_codes(struct spot_unit *to)
{
	struct reading x = { .to = to };
	struct dwarf_walk w;

	dwarf_walk_init(&w, to->u);
	while (dwarf_walk_next(&w, NULL) == 1) {
		bool is_inlined = w.die.tag == DW_TAG_inlined_subroutine;

		if (!is_inlined && w.die.tag != DW_TAG_subprogram)
			continue;
		x.like = (struct code){
			.off = w.die.off, .outer = is_inlined ? outer_of(&w) : w.die.off,
			.depth = (uint16_t)w.depth, .is_inlined = is_inlined,
			.call_file = is_inlined ? number(&w.die, DW_AT_call_file) : 0,
			.call_line = is_inlined ? number(&w.die, DW_AT_call_line) : 0,
		};
		if (dwarf_ranges_each(&w.die, add_code, &x, NULL) == -ENOMEM)
			return -ENOMEM;
	}
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct code *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->off < y->off ? -1 : x->off > y->off;
}

static void sort_codes(struct spot_unit *u)
{
	uint64_t reach = 0;

	if (u->codes.n)
		qsort(u->codes.v, u->codes.n, sizeof(*u->codes.v), by_start);
	for (size_t i = 0; i < u->codes.n; i++)
		u->codes.v[i].reach = reach = MAX(reach, u->codes.v[i].end);
}

/* --- units --- */

static int read_rows(struct spot_unit *to)
{
	to->has_rows = true;
	return dwarf_each_row(to->u, add_row, to, NULL) == -ENOMEM || sort_rows(to) ? -ENOMEM : 0;
}

static size_t bytes_of(const struct spot_unit *u)
{
	return u->rows.cap * sizeof(*u->rows.v) + u->codes.cap * sizeof(*u->codes.v);
}

/* NULL: no memory. */
static struct spot_unit *unit_put(struct dwarf_spots *s, struct spot_unit *new)
{
	struct spot_unit *at;

	if (s->bytes + bytes_of(new) > DWARF_SPOTS_BYTES)
		forget(s);
	at = vec_add(&s->units);
	if (at) {
		*at = *new;
		s->bytes += bytes_of(at);
		s->last = s->units.n - 1;
	}
	return at;
}

static struct spot_unit *unit_new(struct dwarf_spots *s, const struct dwarf_unit *u, bool lines)
{
	struct spot_unit new = { .u = u }, *at = NULL;

	if (!read_codes(&new) && (!lines || !read_rows(&new))) {
		sort_codes(&new);
		at = unit_put(s, &new);
	}
	if (!at)
		unit_forget(&new);
	return at;
}

static struct spot_unit *unit_known(struct dwarf_spots *s, const struct dwarf_unit *u)
{
	for (size_t k = 0; k < s->units.n; k++) {
		size_t i = (s->last + k) % s->units.n;

		if (s->units.v[i].u != u)
			continue;
		s->last = i;
		return &s->units.v[i];
	}
	return NULL;
}

static struct spot_unit *unit_of(struct dwarf_spots *s, const struct dwarf_unit *u, bool lines)
{
	struct spot_unit *known = unit_known(s, u);

	if (!known)
		return unit_new(s, u, lines);
	if (!lines || known->has_rows)
		return known;
	if (read_rows(known))
		return NULL;
	s->bytes += known->rows.cap * sizeof(*known->rows.v);
	return known;
}

/* --- an address --- */

/* Is i the first row that begins behind pc? */
static bool is_behind(const struct spot_unit *u, size_t i, uint64_t pc)
{
	return i && i <= u->rows.n && u->rows.v[i - 1].addr <= pc && (i == u->rows.n || u->rows.v[i].addr > pc);
}

/* Sequential queries hit the same row again, or the next one. */
static struct row row_at(struct spot_unit *u, uint64_t pc)
{
	size_t i = u->near;

	if (!is_behind(u, i, pc) && !is_behind(u, ++i, pc))
		i = find_upto(u->rows.v, u->rows.n, addr, pc);
	u->near = i;
	return i && !u->rows.v[i - 1].is_end ? u->rows.v[i - 1] : (struct row){ 0 };
}

/* Functions that contain pc, innermost first; if several share the code, the first one and what is inlined in it. */
static size_t codes_at(const struct spot_unit *u, uint64_t pc, const struct code *found[DWARF_INLINE_DEPTH])
{
	size_t first = find_upto(u->codes.v, u->codes.n, start, pc), n = 0, looked = 0;
	uint64_t outer = UINT64_MAX;

	for (size_t i = first; i-- > 0 && u->codes.v[i].reach > pc && looked++ < LOOK_BACK;)
		if (u->codes.v[i].end > pc && !u->codes.v[i].is_inlined)
			outer = MIN(outer, u->codes.v[i].off);
	looked = 0;
	for (size_t i = first; i-- > 0 && u->codes.v[i].reach > pc && looked++ < LOOK_BACK;) {
		const struct code *c = &u->codes.v[i];
		size_t at = n;

		if (c->end <= pc || c->outer != outer || n == DWARF_INLINE_DEPTH)
			continue;
		for (; at && found[at - 1]->depth < c->depth; at--)
			found[at] = found[at - 1];
		found[at] = c;
		n++;
	}
	return n;
}

int dwarf_spots_at(struct dwarf_spots *s, uint64_t pc, enum dwarf_spots_what what,
		   struct dwarf_spot v[DWARF_INLINE_DEPTH])
{
	const struct code *found[DWARF_INLINE_DEPTH];
	const struct dwarf_unit *of = dwarf_unit_of(s->d, pc, NULL);
	struct spot_unit *u = of ? unit_of(s, of, what == DWARF_SPOTS_LINES) : NULL;
	struct row row;
	size_t n;

	if (!u)
		return of ? -ENOMEM : 0;
	row = row_at(u, pc);
	n = codes_at(u, pc, found);
	for (size_t i = 0; i < MAX(n, (size_t)1); i++) {
		v[i] = (struct dwarf_spot){ .u = of, .file = row.file, .line = row.line };
		if (i) {
			v[i].file = found[i - 1]->call_file;
			v[i].line = found[i - 1]->call_line;
		}
		if (i >= n)
			continue;
		v[i].is_inlined = found[i]->is_inlined;
		if (die_at(of, found[i]->off, &v[i].func, NULL))
			v[i].func = (struct die){ 0 };
	}
	return n || row.line ? (int)MAX(n, (size_t)1) : 0;
}
