/* levels.c - a level of rows for each key, in the layout of `perf report --hierarchy --stdio`. */
#include "base/map.h"
#include "base/sort.h"
#include "cmd/report/text.h"
#include "show/text.h"

enum { CELL_MAX = 1024, INDENT = 3 };

/* Sums over the rows that have the same first `depth` keys. Level 0 is the root. */
struct level {
	uint32_t parent, depth;
	uint32_t row;                 /* index of the first of these rows */
	uint64_t self, samples;
	double latency;
	uint64_t in_space[HIST_SPACES];
};

struct levels {
	const struct report_view *v;
	const struct report_layout *layout;
	size_t keys[REPORT_COLS_MAX], n_keys;       /* indices of the key columns, and of the others */
	size_t numbers[REPORT_COLS_MAX], n_numbers;
	VEC(struct level) all;
	struct names ids;             /* "PARENT KEY" -> index in all, less 1: the root has no name */
	struct mem_out text;
	uint32_t *order, *first;      /* children of level i: order[first[i] .. first[i + 1]), heaviest first */
	struct out *o;
};

static const char *cell_of(const struct levels *l, const struct level *at, char buf[CELL_MAX])
{
	const char *s = report_cell(l->v, at->row, l->keys[at->depth - 1], buf, CELL_MAX);

	/* Numbers come right-aligned for a column; here keys are indented by level instead. */
	while (*s == ' ')
		s++;
	return s;
}

static int add_root(struct levels *l)
{
	struct level *root = vec_add(&l->all);

	if (root)
		*root = (struct level){ .row = HIST_NO_ROW };
	return root ? 0 : -ENOMEM;
}

/* Does the last level keep each row apart? Chains belong to one row, and several functions may have the same name. */
static bool by_row(const struct levels *l)
{
	return l->v->chains.graph != GRAPH_NONE || l->v->cols->v[l->keys[l->n_keys - 1]] == COL_SYM;
}

/* The index of the level below `parent` for the row's next key; added if it is new. NAMES_NONE: no memory. */
static uint32_t child_of(struct levels *l, uint32_t parent, uint32_t row)
{
	struct level new = { .parent = parent, .depth = l->all.v[parent].depth + 1, .row = row }, *at;
	char buf[CELL_MAX];
	uint32_t id;

	l->text.n = 0;
	out_u64(&l->text.out, parent);
	out_char(&l->text.out, ' ');
	if (new.depth == l->n_keys && by_row(l))
		out_u64(&l->text.out, row);
	else
		out_str(&l->text.out, cell_of(l, &new, buf));
	mem_out_str(&l->text);
	id = l->text.out.error ? NAMES_NONE : names_add(&l->ids, l->text.v, l->text.n);
	if (id == NAMES_NONE || ++id < l->all.n)
		return id;
	at = vec_add(&l->all);
	if (!at)
		return NAMES_NONE;
	*at = new;
	return id;
}

static int add_row(struct levels *l, uint32_t row)
{
	const struct hist_row *r = &l->v->hist->rows.v[row];
	uint32_t at = 0;

	for (size_t k = 0; k < l->n_keys; k++) {
		at = child_of(l, at, row);
		if (at == NAMES_NONE)
			return -ENOMEM;
		l->all.v[at].self += r->self;
		l->all.v[at].samples += r->samples;
		l->all.v[at].latency += r->latency;
		for (unsigned i = 0; i < HIST_SPACES; i++)
			l->all.v[at].in_space[i] += r->in_space[i];
	}
	return 0;
}

static int by_weight(const void *arg, uint32_t a, uint32_t b)
{
	const struct levels *l = arg;
	const struct level *x = &l->all.v[a], *y = &l->all.v[b];
	char bufx[CELL_MAX], bufy[CELL_MAX];

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (l->v->want->keys.latency && (x->latency < y->latency || x->latency > y->latency))
		return x->latency > y->latency ? -1 : 1;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return a && b ? strcmp(cell_of(l, x, bufx), cell_of(l, y, bufy)) : 0;
}

static int put_in_order(struct levels *l)
{
	size_t n = l->all.n;

	l->order = malloc(n * 2 * sizeof(*l->order));
	l->first = calloc(n + 1, sizeof(*l->first));
	if (!l->order || !l->first)
		return -ENOMEM;
	/* All levels except the root have a parent. */
	for (uint32_t i = 1; i < n; i++) {
		l->order[i - 1] = i;
		l->first[l->all.v[i].parent + 1]++;
	}
	for (size_t i = 0; i < n; i++)
		l->first[i + 1] += l->first[i];
	sort_u32(l->order, l->order + n, n - 1, by_weight, l);
	return 0;
}

/* --- text --- */

static unsigned numbers_width(const struct levels *l)
{
	unsigned width = 0;

	for (size_t i = 0; i < l->n_numbers; i++)
		width += l->layout->width[l->numbers[i]] + 2;
	return width;
}

static unsigned inner_indent(const struct levels *l)
{
	return l->n_keys ? (unsigned)(l->n_keys - 1) * INDENT : 0;
}

static void put_heads(const struct levels *l)
{
	struct out *o = l->o;
	unsigned heads = 0, deepest = 0;

	out_str(o, "# ");
	out_fill(o, ' ', inner_indent(l));
	for (size_t i = 0; i < l->n_numbers; i++) {
		out_right(o, report_head_of(l->v, l->numbers[i]), l->layout->width[l->numbers[i]]);
		out_str(o, "  ");
	}
	for (size_t i = 0; i < l->n_keys; i++) {
		struct sv head = sv_trim(sv_from(report_head_of(l->v, l->keys[i])));

		deepest = MAX(deepest, (unsigned)i * INDENT + l->layout->width[l->keys[i]]);
		heads += (i ? 3 : 0) + (unsigned)head.n;
		out_str(o, i ? " / " : "");
		out_sv(o, head);
	}
	out_str(o, "\n# ");
	out_fill(o, '.', inner_indent(l) + numbers_width(l) - (l->n_numbers ? 2 : 0));
	out_str(o, "  ");
	out_fill(o, '.', MAX(heads, deepest));
	out_str(o, "\n#\n");
}

static void put_number(const struct levels *l, const struct level *at, size_t col)
{
	unsigned width = l->layout->width[col];
	enum report_col c = l->v->cols->v[col];

	switch (c) {
	case COL_SAMPLES:
		out_u64w(l->o, at->samples, width);
		break;
	case COL_PERIOD:
		out_u64w(l->o, at->self, width);
		break;
	case COL_LATENCY:
		text_percent(l->o, report_latency(l->v, at->latency), width);
		break;
	default:
		text_percent(l->o, report_percent(l->v, report_is_space(c) ? at->in_space[c - COL_SYS] : at->self),
			     width);
	}
}

static void put_level(const struct levels *l, const struct level *at)
{
	size_t col = l->keys[at->depth - 1];
	char buf[CELL_MAX];
	struct sv text = sv_from(cell_of(l, at, buf));
	size_t columns = text_columns(text);

	out_fill(l->o, ' ', (at->depth - 1) * INDENT);
	for (size_t i = 0; i < l->n_numbers; i++) {
		out_str(l->o, "  ");
		put_number(l, at, l->numbers[i]);
	}
	out_fill(l->o, ' ', inner_indent(l) + 2);
	text_put(l->o, text, TEXT_ALL, TEXT_PLAIN);
	/* As in perf, all keys but symbols are padded to their width. */
	if (l->v->cols->v[col] != COL_SYM && columns < l->layout->width[col])
		out_fill(l->o, ' ', l->layout->width[col] - columns);
	out_char(l->o, '\n');
}

static bool is_shown(const struct levels *l, const struct level *at)
{
	return report_percent(l->v, at->self) >= l->v->want->percent_limit;
}

static void put_none(const struct levels *l, uint32_t depth)
{
	out_fill(l->o, ' ', inner_indent(l) + depth * INDENT + numbers_width(l) + 2);
	out_printf(l->o, "no entry >= %.2f%%\n", l->v->want->percent_limit);
}

/* The recursion is no deeper than the number of key columns. */
static int put_below(const struct levels *l, uint32_t parent)
{
	uint32_t shown = 0;
	int r = 0;

	for (uint32_t i = l->first[parent]; !r && i < l->first[parent + 1]; i++) {
		const struct level *at = &l->all.v[l->order[i]];

		if (!is_shown(l, at))
			continue;
		shown++;
		put_level(l, at);
		r = at->depth == l->n_keys ? report_row_chains(l->v, at->row, l->o) : put_below(l, l->order[i]);
	}
	if (!shown && parent)
		put_none(l, l->all.v[parent].depth);
	return r;
}

static void levels_deinit(struct levels *l)
{
	vec_free(&l->all);
	names_deinit(&l->ids);
	mem_out_deinit(&l->text);
	free(l->order);
	free(l->first);
}

/* Build the levels from the rows, and sort them. 0 or -ENOMEM. */
static int levels_init(struct levels *l, const struct report_view *v)
{
	int r;

	*l = (struct levels){ .v = v };
	mem_out_init(&l->text);
	for (size_t i = 0; i < v->cols->n; i++) {
		if (report_is_number(v->cols->v[i]))
			l->numbers[l->n_numbers++] = i;
		else
			l->keys[l->n_keys++] = i;
	}
	r = add_root(l);
	for (size_t i = 0; !r && i < v->hist->rows.n; i++)
		r = add_row(l, v->order[i]);
	return r ? r : put_in_order(l);
}

int report_levels(const struct report_view *v, struct out *o)
{
	struct report_rows rows = { .v = v->order, .n = v->hist->rows.n, .n_events = 1 };
	struct report_layout layout = report_layout_of(v, &rows);
	struct levels l;
	int r = levels_init(&l, v);

	l.layout = &layout;
	l.o = o;
	if (!r && !v->want->quiet) {
		report_count_line(v, &rows, o);
		put_heads(&l);
	}
	if (!r)
		r = put_below(&l, 0);
	out_str(o, "\n\n");
	levels_deinit(&l);
	return r;
}

/* --- JSON --- */

static void json_numbers(const struct levels *l, const struct level *at, struct json *j)
{
	json_key(j, "overhead");
	json_fixed(j, report_percent(l->v, at->self), 4);
	json_member_u64(j, "samples", at->samples);
	json_member_u64(j, "period", at->self);
	if (l->v->latency > 0) {
		json_key(j, "latency");
		json_fixed(j, report_latency(l->v, at->latency), 4);
	}
}

static int json_below(const struct levels *l, struct report_view *v, uint32_t parent, struct json *j)
{
	int r = 0;

	for (uint32_t i = l->first[parent]; !r && i < l->first[parent + 1]; i++) {
		const struct level *at = &l->all.v[l->order[i]];

		if (!is_shown(l, at))
			continue;
		json_line(j);
		json_begin_object(j);
		json_numbers(l, at, j);
		report_json_key(v, at->row, l->keys[at->depth - 1], j);
		if (at->depth == l->n_keys) {
			r = report_json_chains(v, at->row, j);
		} else {
			json_key(j, "rows");
			json_begin_array(j);
			r = json_below(l, v, l->order[i], j);
			json_end(j);
		}
		json_end(j);
	}
	return r;
}

int report_levels_json(struct report_view *v, struct json *j)
{
	struct levels l;
	int r = levels_init(&l, v);

	r = r ? r : json_below(&l, v, 0, j);
	levels_deinit(&l);
	return r;
}
