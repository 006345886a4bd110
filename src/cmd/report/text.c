/* text.c - rows and trees in the layout of `perf report --stdio`. */
#include "cmd/report/text.h"
#include "show/text.h"
#include "show/tree.h"
#include "sys/jobs.h"

enum { CELL_MAX = 1024, LABEL_MAX = 700, UNKNOWN_WIDTH = 16, TREE_MARGIN = 12 };

/* A part is up to PART_ROWS rows without chains, or one row with chains. Fewer than PARTS_MIN rows are one part. */
enum { PART_ROWS = 512, PARTS_MIN = 16 };

/* A part keeps the memory of a tree for the next row, unless the tree has more nodes than this. */
enum { TREE_KEPT = 1 << 14 };

/* Below this limit of branches (percent), one row's text may exceed the recording's size: it is not buffered. */
static const double light = 0.05;

const char *report_value(const struct report_view *v, uint32_t row, size_t col)
{
	return hist_value(v->profile->groups.v[v->hist->rows.v[row].group].values, v->cols->value[col]);
}

const char *report_cell(const struct report_view *v, uint32_t row, size_t col, char *buf, size_t size)
{
	const struct hist_row *r = &v->hist->rows.v[row];
	const struct hist_group *g = &v->profile->groups.v[r->group];
	const struct hist_frame *f = &v->profile->frames.v.v[r->frame];
	enum report_col c = v->cols->v[col];
	const char *text;

	switch (c) {
	case COL_PID:
	case COL_TID:
	case COL_THREAD:
		snprintf(buf, size, "%7d:%s", (int)(c == COL_PID ? g->pid : g->tid), g->comm);
		return buf;
	case COL_COMM:
		return g->comm;
	case COL_DSO:
		return v->want->verbose ? f->dso : f->dso_short;
	case COL_SYM:
		memcpy(buf, f->kernel ? "[k] " : "[.] ", 4);
		text = frames_label_text(&v->profile->frames, r->frame, buf + 4, MIN(size - 4, (size_t)LABEL_MAX));
		if (text != buf + 4)
			str_copy(buf + 4, size - 4, sv_from(text));
		return buf;
	case COL_SRCLINE:
		return f->line ? f->line : "[unknown]";
	case COL_SRCFILE:
		return f->file ? f->file : "[unknown]";
	case COL_TYPE: case COL_TYPEOFF: case COL_TYPECLN: case COL_SYMOFF:
		text = hist_touched(f, c - COL_TYPE);
		return text ? text : "[unknown]";
	case COL_CPU:
		snprintf(buf, size, "%03d", (int)g->cpu);
		return buf;
	case COL_SOCKET:
		snprintf(buf, size, "%6.3d", (int)g->socket);
		return buf;
	case COL_PARALLELISM:
		snprintf(buf, size, "%11u", g->parallelism);
		return buf;
	case COL_PARENT:
		return g->parent ? g->parent : "[other]";
	case COL_VALUE:
		return report_value(v, row, col) + 1;
	default:
		return "";
	}
}

static bool is_right(const struct report_view *v, size_t col)
{
	return report_is_number(v->cols->v[col]) || (v->cols->v[col] == COL_VALUE && report_field(v, col)->field);
}

const char *report_head_of(const struct report_view *v, size_t col)
{
	const struct value_field *f;

	if (v->cols->v[col] != COL_VALUE)
		return report_col_head(v->cols->v[col], v->mode);
	f = report_field(v, col);
	return f->field ? f->field->name : f->made ? f->made->head : "Trace output";
}

/* The least width of a column, as in perf: numeric fields have room for hexadecimal digits. */
static unsigned head_width(const struct report_view *v, size_t col)
{
	enum report_col c = v->cols->v[col];
	unsigned n = (unsigned)strlen(report_head_of(v, col));
	const struct tfield *f;

	if (report_is_number(c))
		return c <= COL_LATENCY ? MAX(n, 8u) : 12;
	if (c == COL_VALUE && report_field(v, col)->made)
		return report_field(v, col)->made->width;
	f = c == COL_VALUE ? report_field(v, col)->field : NULL;
	return f ? MAX(n, f->is_string ? f->size : f->size * 2 + 2) : n;
}

static bool is_dynamic(const struct tfield *f)
{
	return f && f->is_string && (f->kind == TFIELD_DATA_LOC || f->kind == TFIELD_REL_LOC);
}

static void widen(const struct report_view *v, uint32_t row, struct report_layout *l)
{
	char buf[CELL_MAX];

	for (size_t i = 0; i < v->cols->n; i++) {
		enum report_col c = v->cols->v[i];
		const char *cell;
		unsigned n;

		if (report_is_number(c))
			continue;
		cell = report_cell(v, row, i, buf, sizeof(buf));
		n = (unsigned)strlen(cell);
		/* A text has no more columns than bytes, so count columns only if the bytes do not fit. */
		if (n > l->width[i])
			n = (unsigned)text_columns((struct sv){ cell, n });
		if (c == COL_DSO && !v->profile->frames.v.v[v->hist->rows.v[row].frame].known)
			n = MAX(n, (unsigned)UNKNOWN_WIDTH);
		/* perf counts the NUL of a dynamic field, too; text in quotes has two more columns anyway. */
		n += c == COL_VALUE && *cell != '"' && is_dynamic(report_field(v, i)->field);
		l->width[i] = MAX(l->width[i], n);
	}
}

/* Widen the columns so that these rows fit. */
static void fit(const struct report_view *v, const struct report_rows *rows, struct report_layout *l)
{
	for (size_t i = 0; i < rows->n * rows->n_events; i++)
		if (rows->v[i] != HIST_NO_ROW)
			widen(&v[i % rows->n_events], rows->v[i], l);
}

struct report_layout report_layout_of(const struct report_view *v, const struct report_rows *rows)
{
	size_t n = rows->n_events;
	struct report_layout l = { { 0 } };

	for (size_t i = 0; i < v->cols->n; i++)
		l.width[i] = head_width(v, i) * (report_is_number(v->cols->v[i]) ? (unsigned)n : 1);
	if (v->fitted) {
		fit(v, rows, &l);
		return l;
	}
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < v[k].hist->rows.n; i++)
			if (report_named(&v[k], (uint32_t)i))
				widen(&v[k], (uint32_t)i, &l);
	return l;
}

/* Print the name of one event, or the names of several as perf does for a group. */
static void put_names(const struct report_view *v, const struct report_rows *rows, struct out *o)
{
	out_printf(o, "event%s '", rows->n_events > 1 ? "s" : "");
	if (rows->group)
		out_printf(o, "%s { ", rows->group);
	for (size_t i = 0; i < rows->n_events; i++)
		out_printf(o, "%s%s", i ? ", " : "", v[i].event->label);
	out_str(o, rows->group ? " }'\n" : "'\n");
}

void report_count_line(const struct report_view *v, const struct report_rows *rows, struct out *o)
{
	static const char units[] = " KMG";
	uint64_t n = 0, weight = 0;
	unsigned unit = 0;

	for (size_t i = 0; i < rows->n_events; i++) {
		n += v[i].samples;
		weight += v[i].weight;
	}
	for (; n > 1000 && unit < 3; unit++)
		n /= 1000;
	out_printf(o, "# Samples: %llu%c of ", (unsigned long long)n, units[unit]);
	put_names(v, rows, o);
	out_printf(o, "# Event count (approx.): %llu\n", (unsigned long long)weight);
	if (v->want->socket.chosen)
		out_printf(o, "# Processor Socket: %d\n", v->want->socket.id);
	out_str(o, "#\n");
}

void report_column_heads(const struct report_view *v, const struct report_layout *l, struct out *o)
{
	out_char(o, '#');
	for (size_t i = 0; i < v->cols->n; i++) {
		const char *head = report_head_of(v, i);

		out_str(o, i ? "  " : " ");
		if (is_right(v, i))
			out_right(o, head, l->width[i]);
		else
			out_left(o, head, l->width[i]);
	}
	out_str(o, "\n#");
	for (size_t i = 0; i < v->cols->n; i++) {
		out_str(o, i ? "  " : " ");
		out_fill(o, '.', l->width[i]);
	}
	out_str(o, "\n#\n");
}

static void put_number(const struct report_view *v, uint32_t row, size_t col, unsigned width, struct out *o)
{
	static const struct hist_row none;
	const struct hist_row *r = row == HIST_NO_ROW ? &none : &v->hist->rows.v[row];
	enum report_col c = v->cols->v[col];

	if (c == COL_CHILDREN || c == COL_OVERHEAD)
		text_percent(o, report_percent(v, c == COL_CHILDREN ? r->total : r->self), width);
	else if (report_is_space(c))
		text_percent(o, report_percent(v, r->in_space[c - COL_SYS]), width);
	else if (c == COL_LATENCY)
		text_percent(o, report_latency(v, r->latency), width);
	else
		out_u64w(o, c == COL_SAMPLES ? r->samples : r->self, width);
}

/* Is the last column padded? As in perf, symbols and fields are not, and of computed values only numbers are. */
static bool ends_padded(const struct report_view *v, size_t col)
{
	enum report_col c = v->cols->v[col];
	const struct value_made *made = c == COL_VALUE ? report_field(v, col)->made : NULL;

	return c == COL_VALUE ? made && made->kind == HIST_NUMBER : c != COL_SYM;
}

static void put_text(const struct report_view *v, uint32_t row, size_t i, const struct report_layout *l, struct out *o)
{
	char buf[CELL_MAX];
	struct sv text = sv_from(report_cell(v, row, i, buf, sizeof(buf)));

	if (is_right(v, i))
		out_fill(o, ' ', l->width[i] - text_columns(text));
	text_put(o, text, TEXT_ALL, TEXT_PLAIN);
	if (!is_right(v, i) && (i + 1 < v->cols->n || ends_padded(v, i)))
		out_fill(o, ' ', l->width[i] - text_columns(text));
}

void report_put_row(const struct report_view *v, const uint32_t *row, size_t n, const struct report_layout *l,
		    struct out *o)
{
	size_t has = report_has(row);

	for (size_t i = 0; i < v->cols->n; i++) {
		out_str(o, "  ");
		if (!report_is_number(v->cols->v[i]))
			put_text(&v[has], row[has], i, l, o);
		for (size_t k = 0; report_is_number(v->cols->v[i]) && k < n; k++)
			put_number(&v[k], row[k], i, l->width[i] / (unsigned)n, o);
	}
	out_char(o, '\n');
}

/* --- chains ----------------------------------------------------------------------------------- */

/* A range of rows, with the memory of the thread that prints them. */
struct part {
	const struct report_view *v;
	const struct report_rows *rows;
	const struct report_layout *layout;
	size_t from, to;
	struct branches branches;
	VEC(struct ct_sum) sums;  /* weights of the nodes of branches.tree */
	VEC(struct tree_node) tree;
	struct arena labels;      /* labels of a tree's nodes without a symbol */
	struct mem_out text;
	struct out *o;            /* &text.out, or the final output */
	int err;
};

static const char *label_of(struct part *p, uint32_t frame)
{
	const struct frames *f = &p->v->profile->frames;
	const struct hist_frame *of = &f->v.v[frame];
	const char *label = of->label;
	char buf[LABEL_MAX], both[CELL_MAX];

	if (!label || p->v->with_dsos) {
		label = frames_label_text(f, frame, buf, sizeof(buf));
		if (p->v->with_dsos)
			snprintf(both, sizeof(both), "%s %.300s", label, of->dso_short);
		label = p->v->with_dsos ? both : label;
		label = arena_dup(&p->labels, label, strlen(label));
	}
	return label ? label : "[unknown]";
}

/* The nodes of branches.tree for tree_print(), in memory that the part owns. NULL: no memory. */
static struct tree_node *tree_from(struct part *p, const struct tree_want *w)
{
	const struct calltree *from = &p->branches.tree;
	const struct ct_sum *s;
	struct tree_node *t;

	if (vec_reserve(&p->sums, from->nodes.n) || vec_reserve(&p->tree, from->nodes.n))
		return NULL;
	calltree_sum_into(from, p->sums.v);
	s = p->sums.v;
	t = p->tree.v;
	for (size_t i = 0; i < from->nodes.n; i++)
		t[i] = (struct tree_node){
			.label = !i || tree_hides(w, s[0].total, s[i].total) ? "" : label_of(p, from->nodes.v[i].key),
			.weight = s[i].total,
			.child = s[i].first,
			.next = s[i].next,
		};
	return t;
}

/* A single root with all the weight is the row's own symbol, which the row shows already: leave it out. */
static void hide_root(struct tree_node *t)
{
	uint32_t only = t[0].child;

	if (only && !t[only].next && t[only].weight == t[0].weight)
		t[0].child = t[only].child;
}

static int put_tree(struct part *p)
{
	const struct report_view *v = p->v;
	struct out *o = p->o;
	struct tree_want w = {
		.style = v->chains.graph == GRAPH_FRACTAL ? TREE_FRACTAL : TREE_GRAPH,
		.total = v->total, .min_percent = v->chains.min_percent, .margin = TREE_MARGIN,
	};
	struct tree_node *t = tree_from(p, &w);
	uint64_t before = o->total;

	if (!t)
		return -ENOMEM;
	tree_sort(t, p->branches.tree.nodes.n, &w);
	if (report_first_key(v->cols) == COL_SYM)
		hide_root(t);
	/* If the whole tree is below the limit, print nothing. */
	if (report_percent(v, t[0].weight) >= w.min_percent)
		tree_print(t, &w, o);
	if (o->total != before)
		out_char(o, '\n');
	arena_clear(&p->labels);
	if (p->tree.cap > TREE_KEPT) {
		vec_free(&p->tree);
		vec_free(&p->sums);
		branches_deinit(&p->branches);
	}
	return 0;
}

struct line {
	uint64_t weight;
	uint32_t node;
};

static int by_weight(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* Print the path from the root of the shown tree to the node. */
static void put_path(struct part *p, uint32_t node)
{
	const struct ct_node *v = p->branches.tree.nodes.v;
	bool flat = p->v->chains.graph == GRAPH_FLAT;
	uint32_t path[FRAMES_DEPTH + 1];
	struct out *o = p->o;
	char buf[LABEL_MAX];
	size_t n = 0;

	for (uint32_t at = node; at && n < ARRAY_SIZE(path); at = v[at].parent)
		path[n++] = v[at].key;
	while (n) {
		const char *label = frames_label_text(&p->v->profile->frames, path[--n], buf, sizeof(buf));

		if (flat)
			out_str(o, "                ");
		text_put(o, sv_from(label), TEXT_ALL, TEXT_PLAIN);
		if (flat)
			out_char(o, '\n');
		else if (n)
			out_char(o, ';');
	}
}

/* Flat and folded: print a line for each distinct chain, heaviest first. */
static int put_lines(struct part *p)
{
	const struct report_view *v = p->v;
	const struct calltree *t = &p->branches.tree;
	struct out *o = p->o;
	struct line *lines = calloc(t->nodes.n, sizeof(*lines));
	size_t n = 0;

	if (!lines)
		return -ENOMEM;
	for (uint32_t i = 1; i < t->nodes.n; i++)
		if (t->nodes.v[i].self && report_percent(v, t->nodes.v[i].self) >= v->chains.min_percent)
			lines[n++] = (struct line){ t->nodes.v[i].self, i };
	qsort(lines, n, sizeof(*lines), by_weight);
	for (size_t i = 0; i < n; i++) {
		if (v->chains.graph == GRAPH_FLAT)
			out_str(o, "           ");
		text_percent(o, report_percent(v, lines[i].weight), 0);
		out_char(o, v->chains.graph == GRAPH_FLAT ? '\n' : ' ');
		put_path(p, lines[i].node);
		out_char(o, '\n');
	}
	free(lines);
	return 0;
}

static bool has_chains(const struct report_view *v, uint32_t row)
{
	return row != HIST_NO_ROW && v->chains.graph != GRAPH_NONE &&
	       report_percent(v, report_row_weight(v, row)) >= v->chains.min_percent;
}

/* Trees need no branches lighter than this; less 1 for rounding. A line is a whole chain, so lines need all. */
static uint64_t least_branch(const struct report_view *v)
{
	double least = v->chains.min_percent / 100 * (double)v->total - 1;

	return v->chains.graph == GRAPH_TREE && least > 0 ? (uint64_t)least : 0;
}

/* Print the call chains below a row. */
static int put_chains(struct part *p, uint32_t row)
{
	const struct report_view *v = p->v;
	int r;

	if (!has_chains(v, row))
		return 0;
	r = branches_find(&p->branches, v->hist, row, v->root, least_branch(v));
	if (r)
		return r;
	return v->chains.graph == GRAPH_FLAT || v->chains.graph == GRAPH_FOLDED ? put_lines(p) : put_tree(p);
}

/* --- parts ------------------------------------------------------------------------------------ */

bool report_row_shown(const struct report_view *v, const uint32_t *row)
{
	size_t has = report_has(row);

	return report_shown(v, *row) && report_named(&v[has], row[has]);
}

static void put_part(void *piece)
{
	struct part *p = piece;
	size_t n = p->rows->n_events;

	for (size_t i = p->from; i < p->to && !p->err; i++) {
		const uint32_t *row = p->rows->v + i * n;

		if (!report_row_shown(p->v, row))
			continue;
		report_put_row(p->v, row, n, p->layout, p->o);
		p->err = put_chains(p, *row);
	}
}

static void part_deinit(struct part *p)
{
	branches_deinit(&p->branches);
	vec_free(&p->sums);
	vec_free(&p->tree);
	arena_deinit(&p->labels);
}

int report_row_chains(const struct report_view *v, uint32_t row, struct out *o)
{
	struct part p = { .v = v, .o = o };
	int r = put_chains(&p, row);

	part_deinit(&p);
	return r;
}

static size_t part_end(const struct part *p, size_t from)
{
	size_t n = p->rows->n_events, most = MIN(p->rows->n, from + PART_ROWS), to = from;

	while (to < most && !has_chains(p->v, p->rows->v[to * n]))
		to++;
	return MAX(to, from + 1);
}

struct parts {
	struct jobs *jobs;
	struct part *v;
	size_t n, given, taken;   /* n: size of v; the others count parts */
	struct out *o;
};

static int part_take(struct parts *ps)
{
	struct part *p = jobs_take(ps->jobs);

	ps->taken++;
	out_flush(&p->text.out);
	out_bytes(ps->o, p->text.v, p->text.n);
	p->text.n = 0;
	return p->text.out.error ? -ENOMEM : p->err;
}

static int parts_run(struct parts *ps, const struct part *all)
{
	int r = 0;

	for (size_t at = 0; at < all->rows->n && !r; ) {
		struct part *p = &ps->v[ps->given % ps->n];

		if (ps->given - ps->taken == ps->n)
			r = part_take(ps);
		p->from = at;
		p->to = at = part_end(p, at);
		jobs_give(ps->jobs, p);
		ps->given++;
	}
	while (ps->taken < ps->given) {
		int got = part_take(ps);

		r = r ? r : got;
	}
	return r;
}

/* Print by several threads. The text is the same as by one. */
static int put_parts(const struct part *all, unsigned threads)
{
	struct parts ps = { .jobs = jobs_new(threads, put_part), .o = all->o };
	int r = ps.jobs ? 0 : -ENOMEM;

	ps.n = r ? 0 : 2 * jobs_room(ps.jobs);
	ps.v = calloc(ps.n + 1, sizeof(*ps.v));
	for (size_t i = 0; i < ps.n && ps.v; i++) {
		struct part *p = &ps.v[i];

		*p = *all;
		mem_out_init(&p->text);
		p->o = &p->text.out;
		p->o->width = all->o->width;
		p->o->color = all->o->color;
	}
	r = !ps.v ? -ENOMEM : r ? r : parts_run(&ps, all);
	jobs_free(ps.jobs);
	for (size_t i = 0; i < ps.n && ps.v; i++) {
		part_deinit(&ps.v[i]);
		mem_out_deinit(&ps.v[i].text);
	}
	free(ps.v);
	return r;
}

static int put_rows(const struct report_view *v, const struct report_rows *rows, const struct report_layout *l,
		    struct out *o)
{
	struct part all = { .v = v, .rows = rows, .layout = l, .to = rows->n, .o = o };
	unsigned threads = v->profile->want.budget.jobs;

	/* On a terminal control characters in names are escaped, but not our colors: only the final output can tell. */
	if (threads > 1 && rows->n >= PARTS_MIN && !o->terminal && v->chains.min_percent >= light)
		return put_parts(&all, threads);
	put_part(&all);
	part_deinit(&all);
	return all.err;
}

int report_text(const struct report_view *v, const struct report_rows *rows, struct out *o)
{
	struct report_layout l = report_layout_of(v, rows);
	int r;

	if (!v->want->quiet) {
		report_count_line(v, rows, o);
		report_column_heads(v, &l, o);
	}
	r = put_rows(v, rows, &l, o);
	out_str(o, "\n\n");
	return r;
}
