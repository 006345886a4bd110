/* want.c - parses the arguments of -g, -s and -F. */
#include "cmd/report/want.h"

static const struct {
	const char *name;
	enum report_col col;
} names[] = {
	{ "overhead", COL_OVERHEAD }, { "overhead_children", COL_CHILDREN },
	{ "children", COL_CHILDREN }, { "self", COL_OVERHEAD },
	{ "sample", COL_SAMPLES },    { "samples", COL_SAMPLES },
	{ "period", COL_PERIOD },     { "pid", COL_PID },
	{ "tgid", COL_PID },	      { "tid", COL_TID },
	{ "comm", COL_COMM },	      { "dso", COL_DSO },
	{ "symbol", COL_SYM },	      { "sym", COL_SYM },
	{ "cpu", COL_CPU },	      { "srcline", COL_SRCLINE },
	{ "srcfile", COL_SRCFILE },   { "socket", COL_SOCKET },
	{ "parent", COL_PARENT },     { "parallelism", COL_PARALLELISM },
	{ "latency", COL_LATENCY },   { "type", COL_TYPE },
	{ "typeoff", COL_TYPEOFF },   { "typecln", COL_TYPECLN },
	{ "symoff", COL_SYMOFF },     { "overhead_sys", COL_SYS },
	{ "overhead_us", COL_US },    { "overhead_guest_sys", COL_GUEST_SYS },
	{ "overhead_guest_us", COL_GUEST_US },
};

static const struct {
	const char *head, *key;
	unsigned keys;
} about[] = {
	[COL_CHILDREN] = { "Children", "children", 0 },
	[COL_OVERHEAD] = { "Overhead", "overhead", 0 },
	[COL_SYS] = { "sys", "overhead_sys", 0 },
	[COL_US] = { "usr", "overhead_us", 0 },
	[COL_GUEST_SYS] = { "guest sys", "overhead_guest_sys", 0 },
	[COL_GUEST_US] = { "guest usr", "overhead_guest_us", 0 },
	[COL_LATENCY] = { "Latency", "latency", 0 },
	[COL_SAMPLES] = { "Samples", "samples", 0 },
	[COL_PERIOD] = { "Period", "period", 0 },
	[COL_PID] = { "    Pid:Command", "pid", HIST_PID | HIST_COMM },
	[COL_TID] = { "    Tid:Command", "tid", HIST_TID | HIST_COMM },
	[COL_THREAD] = { "    Pid:Command", "tid", HIST_TID | HIST_COMM },
	[COL_COMM] = { "Command", "comm", HIST_COMM },
	[COL_DSO] = { "Shared Object", "dso", HIST_DSO },
	[COL_SYM] = { "Symbol", "symbol", HIST_SYM },
	[COL_SRCLINE] = { "Source:Line", "srcline", HIST_LINE },
	[COL_SRCFILE] = { "Source File", "srcfile", HIST_FILE },
	[COL_TYPE] = { "Data Type", "type", HIST_TYPE },
	[COL_TYPEOFF] = { "Data Type Offset", "typeoff", HIST_TYPEOFF },
	[COL_TYPECLN] = { "Data Type Cacheline", "typecln", HIST_TYPECLN },
	[COL_SYMOFF] = { "Symbol Offset", "symoff", HIST_SYMOFF },
	[COL_CPU] = { "CPU", "cpu", HIST_CPU },
	[COL_SOCKET] = { "Socket", "socket", HIST_SOCKET },
	[COL_PARENT] = { "Parent symbol", "parent", HIST_PARENT },
	[COL_PARALLELISM] = { "Parallelism", "parallelism", HIST_PARALLELISM },
	[COL_VALUE] = { "", "", HIST_VALUES },
};

const char *report_col_head(enum report_col c, enum hist_mode mode)
{
	return c == COL_OVERHEAD && mode == HIST_CHILDREN ? "Self" : about[c].head;
}

const char *report_col_key(enum report_col c)
{
	return about[c].key;
}

unsigned report_col_keys(enum report_col c)
{
	return about[c].keys;
}

unsigned report_keys(const struct report_cols *cols)
{
	unsigned keys = 0;

	for (size_t i = 0; i < cols->n; i++)
		keys |= about[cols->v[i]].keys;
	return keys;
}

unsigned report_spaces(const struct report_cols *cols)
{
	for (size_t i = 0; i < cols->n; i++)
		if (report_is_space(cols->v[i]))
			return HIST_SPACE;
	return 0;
}

enum report_col report_first_key(const struct report_cols *cols)
{
	for (size_t i = 0; i < cols->n; i++)
		if (about[cols->v[i]].keys)
			return cols->v[i];
	return COL_PERIOD;
}

static int add_col(struct report_cols *cols, enum report_col c, unsigned value, struct err *e)
{
	for (size_t i = 0; i < cols->n; i++)
		if (cols->v[i] == c && c != COL_VALUE)
			return 0;
	if (cols->n == REPORT_COLS_MAX - VALUES_FIELDS_MAX)
		return err_set(e, EINVAL, "too many columns");
	cols->value[cols->n] = value;
	cols->v[cols->n++] = c;
	return 0;
}

static int unknown_col(struct sv name, const struct values *v, struct err *e)
{
	static const char keys[] = "pid tid comm dso symbol symoff srcline srcfile type typeoff typecln cpu "
				   "socket parent time local_weight parallelism; "
				   "fields also: overhead overhead_sys overhead_us latency children sample period";
	struct nearest near;
	struct mem_out fields;
	char text[160];

	nearest_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		nearest_feed(&near, names[i].name);
	values_feed(v, &near);
	mem_out_init(&fields);
	values_list(v, &fields.out);
	err_set(e, EINVAL, "unknown key '%.*s'%s", (int)MIN(name.n, 60u), name.s,
		nearest_text(&near, text, sizeof(text)));
	err_hint(e, "keys: %s%s", keys, mem_out_str(&fields));
	mem_out_deinit(&fields);
	return -EINVAL;
}

struct parse {
	struct report_cols *cols;
	struct values *values;
	bool as_perf;
};

static int add_cols(const struct parse *p, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), name;
	int r = 0;

	while (r >= 0 && sv_cut(&rest, ',', &name)) {
		size_t i = 0;

		name = sv_trim(name);
		while (i < ARRAY_SIZE(names) && !sv_eq(name, names[i].name))
			i++;
		if (i < ARRAY_SIZE(names)) {
			/* In perf the key pid is the thread. */
			bool thread = p->as_perf && sv_eq(name, "pid");

			r = add_col(p->cols, thread ? COL_THREAD : names[i].col, 0, e);
			continue;
		}
		r = values_add(p->values, name, e);
		if (r)
			r = r < 0 ? r : add_col(p->cols, COL_VALUE, p->values->n_keys - 1, e);
		else
			r = unknown_col(name, p->values, e);
	}
	return MIN(r, 0);
}

static const char *usual_keys(const struct report_want *w, const struct values *v)
{
	if (w->keys.by_weight)
		return "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked";
	return values_texts(v) ? "trace" : "comm,dso,sym";
}

int report_parse_cols(struct report_cols *cols, const struct report_want *w, enum hist_mode mode, struct values *v,
		      struct err *e)
{
	/* "+cpu" adds keys to the default ones. */
	const char *sort = w->sort && *w->sort == '+' ? w->sort + 1 : w->sort;
	struct parse p = { cols, v, w->keys.as_perf };
	int r = 0;

	*cols = (struct report_cols){ .n = 0 };
	if (w->fields && !w->sort) {
		r = add_cols(&p, w->fields, e);
		return !r && w->keys.parent.pattern ? add_col(cols, COL_PARENT, 0, e) : r;
	}
	if (w->fields)
		r = add_cols(&p, w->fields, e);
	if (!w->fields && w->keys.latency)
		add_col(cols, COL_LATENCY, 0, e);
	if (!w->fields && mode == HIST_CHILDREN)
		add_col(cols, COL_CHILDREN, 0, e);
	if (!w->fields)
		add_col(cols, COL_OVERHEAD, 0, e);
	for (unsigned i = 0; i < HIST_GUEST_KERNEL && !w->fields && w->keys.spaces; i++)
		add_col(cols, COL_SYS + i, 0, e);
	if (w->samples)
		add_col(cols, COL_SAMPLES, 0, e);
	if (w->period)
		add_col(cols, COL_PERIOD, 0, e);
	if (!r && (!sort || sort != w->sort))
		r = add_cols(&p, usual_keys(w, v), e);
	r = !r && sort ? add_cols(&p, sort, e) : r;
	/* As in perf, a pattern for callers (-p) adds their column. */
	return !r && w->keys.parent.pattern ? add_col(cols, COL_PARENT, 0, e) : r;
}

struct report_cols report_event_cols(const struct report_cols *all, const struct values_event *ev)
{
	struct report_cols cols = { .n = 0 };

	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i] != COL_VALUE)
			cols.v[cols.n++] = all->v[i];
		for (size_t f = 0; all->v[i] == COL_VALUE && f < ev->fields.n; f++) {
			if (ev->fields.v[f].key != all->value[i])
				continue;
			cols.value[cols.n] = (unsigned)f;
			cols.v[cols.n++] = COL_VALUE;
		}
	}
	return cols;
}

static const struct {
	const char *name;
	enum report_graph graph;
	enum report_order order;
} chain_words[] = {
	{ "graph", GRAPH_TREE, 0 },
	{ "fractal", GRAPH_FRACTAL, 0 },
	{ "flat", GRAPH_FLAT, 0 },
	{ "folded", GRAPH_FOLDED, 0 },
	{ "none", GRAPH_NONE, 0 },
	{ "no", GRAPH_NONE, 0 },
	{ "caller", 0, ORDER_CALLER },
	{ "callee", 0, ORDER_CALLEE },
	/* perf's words for keys and values of chains. No effect: they are always functions and percentages here. */
	{ "function", 0, 0 },
	{ "address", 0, 0 },
	{ "percent", 0, 0 },
	{ "period", 0, 0 },
	{ "count", 0, 0 },
};

static bool chain_word(struct report_chains *c, struct sv word)
{
	for (size_t i = 0; i < ARRAY_SIZE(chain_words); i++) {
		/* As in perf, words may be abbreviated. */
		if (!word.n || strncmp(chain_words[i].name, word.s, word.n))
			continue;
		if (chain_words[i].graph)
			c->graph = chain_words[i].graph;
		if (chain_words[i].order)
			c->order = chain_words[i].order;
		return true;
	}
	return false;
}

static bool chain_limit(struct sv word, double *limit)
{
	uint64_t millionths;

	if (!word.n || word.s[word.n - 1] > '9' || !str_time(word, 1000000, &millionths))
		return false;
	*limit = (double)millionths / 1000000;
	return true;
}

int report_parse_chains(struct report_chains *c, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), word;
	unsigned numbers = 0;
	double ignored;

	while (sv_cut(&rest, ',', &word)) {
		word = sv_trim(word);
		if (!word.n || chain_word(c, word))
			continue;
		/* A second number, perf's limit of printed entries, is ignored. */
		if (!chain_limit(word, numbers ? &ignored : &c->min_percent))
			return err_set(e, EINVAL,
				       "'%.*s' is none of graph, fractal, flat, folded, none, caller, callee, or a "
				       "percentage",
				       (int)MIN(word.n, 60u), word.s);
		numbers++;
	}
	return 0;
}

int report_set_percentage(void *field, const char *value, struct err *e)
{
	struct nearest near;
	char text[160];

	*(const char **)field = value;
	if (value && (!strcmp(value, "relative") || !strcmp(value, "absolute")))
		return 0;
	nearest_init(&near, sv_from(value ? value : ""));
	nearest_feed(&near, "relative");
	nearest_feed(&near, "absolute");
	return err_set(e, EINVAL, "'%.40s' is none of relative and absolute%s", value ? value : "",
		       nearest_text(&near, text, sizeof(text)));
}

bool report_is_relative(const char *percentage)
{
	return percentage && !strcmp(percentage, "relative");
}
