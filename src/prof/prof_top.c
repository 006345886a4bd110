/* prof_top.c - sonde prof top: event counts and sums of fields by key, the largest first. */
#include "base/sort.h"
#include "prof/prof.h"

#include "engine/line.h"

enum { VALUES = 16, KEYS_MAX = 1 << 20, SCREEN_ROWS = 20 };

struct want {
	struct prof_want prof;
	bool only_comm;
	uint64_t rows;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Rows"),
	OPT_FLAG(0, "only-comm", struct want, only_comm, "print names without keys"),
	OPT_U64(0, "rows", struct want, rows, "<n>",
		"print at most <n> rows (default: as many as fit the terminal, else all)"),
	OPT_SUB(prof_bpf_opts, struct want, prof),
	OPT_END,
};

/* A column: an expression of some events, or their count. */
struct column {
	char name[64];
	bool sorts;
};

struct row {
	uint64_t key;
	uint32_t name;                   /* index in names; NAMES_NONE: none yet */
	uint64_t v[VALUES];
};

struct top {
	struct prof_key key;
	const struct texpr **printkey, **comm;
	const struct texpr *(*values)[SPEC_TOPS];      /* by tap */
	uint8_t (*column_of)[SPEC_TOPS];               /* by tap; for a counted one the first entry */
	struct column columns[VALUES];
	size_t n_columns;
	struct map of;
	VEC(struct row) rows;
	struct names names;
	uint64_t dropped;                /* hits of keys beyond the limit */
	uint64_t hits;
	const struct tap *key_printer;   /* the first tap with printkey */
	char key_name[64], comm_name[64];
};

static const char *printkey_text(const struct spec *s)
{
	return s->printkey;
}

static const char *comm_text(const struct spec *s)
{
	return s->comm;
}

/* Titles are upper case, as in perf-prof. */
static void name_column(char to[64], const char *name)
{
	str_copy(to, 64, sv_from(name));
	for (char *p = to; *p; p++)
		if (*p >= 'a' && *p <= 'z')
			*p = (char)(*p - 'a' + 'A');
}

static int add_column(struct top *t, const char *name, bool sorts, uint8_t *at, struct err *e)
{
	struct column *c;

	char head[64];

	name_column(head, name);
	for (size_t i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i].name, head)) {
			*at = (uint8_t)i;
			return 0;
		}
	if (t->n_columns == VALUES)
		return err_set(e, EINVAL, "more than %d columns", VALUES);
	*at = (uint8_t)t->n_columns;
	c = &t->columns[t->n_columns++];
	c->sorts = sorts;
	memcpy(c->name, head, sizeof(head));
	return 0;
}

static int columns_of(struct top *t, struct prof *p, const struct tap *tap, struct err *e)
{
	const struct spec *s = tap->spec;
	int r = 0;

	if (!s->n_top)
		return add_column(t, tap->name, false, &t->column_of[tap->index][0], e);
	for (unsigned i = 0; !r && i < s->n_top; i++) {
		const char *name = s->alias && s->n_top == 1 ? s->alias : s->top[i].expr;

		r = feed_compile(&p->feed, &t->values[tap->index][i], tap, s->top[i].expr, e);
		r = r ? r : add_column(t, name, s->top[i].sorts, &t->column_of[tap->index][i], e);
	}
	return r;
}

static int begin(struct prof *p, struct err *e)
{
	struct top *t = p->own;
	size_t n = p->feed.taps.n;
	int r;

	/* Without a key rows are by thread, as in perf-prof. */
	r = prof_key_open(&t->key, p, e);
	t->key.by_thread = true;
	r = r ? r : prof_compile(&t->printkey, p, printkey_text, e);
	r = r ? r : prof_compile(&t->comm, p, comm_text, e);
	t->values = arena_alloc(&p->feed.arena, (n + 1) * sizeof(*t->values));
	t->column_of = arena_alloc(&p->feed.arena, (n + 1) * sizeof(*t->column_of));
	if (r)
		return r;
	if (!t->values || !t->column_of)
		return err_nomem(e);
	memset(t->values, 0, (n + 1) * sizeof(*t->values));
	memset(t->column_of, 0, (n + 1) * sizeof(*t->column_of));
	name_column(t->key_name, n && t->key.of[0] ? p->feed.taps.v[0].spec->key : "tid");
	name_column(t->comm_name, n && t->comm[0] ? p->feed.taps.v[0].spec->comm : "comm");
	for (size_t i = 0; !r && i < n; i++) {
		r = columns_of(t, p, &p->feed.taps.v[i], e);
		if (!t->key_printer && t->printkey[i])
			t->key_printer = &p->feed.taps.v[i];
	}
	return r;
}

static struct row *row_of(struct top *t, uint64_t key)
{
	uint64_t *at = t->rows.n < KEYS_MAX ? map_add(&t->of, key, NULL) : map_get(&t->of, key);
	struct row *r;

	if (!at)
		return NULL;
	if (*at)
		return &t->rows.v[*at - 1];
	r = vec_add(&t->rows);
	if (!r)
		return NULL;
	*at = t->rows.n;
	r->key = key;
	r->name = NAMES_NONE;
	return r;
}

static uint32_t name_of_task(struct top *t, struct prof *p, uint64_t tid)
{
	const char *name = feed_comm(&p->feed, (uint32_t)tid);

	return names_add(&t->names, name, strlen(name));
}

/* comm=, or the name of the thread if that is the key. */
static uint32_t name_of(struct top *t, struct prof *p, const struct hit *h, uint64_t key)
{
	const struct texpr *x = t->comm[h->tap->index];
	struct tval v = { 0 };
	struct sv name;
	char number[24];

	if (!x)
		return t->key.of[h->tap->index] ? NAMES_NONE : name_of_task(t, p, key);
	v = expr_value(&p->feed.expr, x, h);
	name = tval_text(v);
	if (!name.s && v.kind == TVAL_NUM) {
		snprintf(number, sizeof(number), "%lld", (long long)v.v);
		name = sv_from(number);
	}
	return name.s ? names_add(&t->names, name.s, name.n) : NAMES_NONE;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct top *t = p->own;
	const struct spec *s = h->tap->spec;
	uint64_t key = prof_key_of(&t->key, p, h);
	struct row *r = row_of(t, key);
	uint32_t i = h->tap->index;

	if (!r) {
		t->dropped += t->rows.n >= KEYS_MAX;
		return t->rows.n >= KEYS_MAX ? 0 : -ENOMEM;
	}
	t->hits++;
	if (r->name == NAMES_NONE)
		r->name = name_of(t, p, h, key);
	if (!s->n_top)
		r->v[t->column_of[i][0]]++;
	for (unsigned k = 0; k < s->n_top; k++)
		r->v[t->column_of[i][k]] += expr_number(&p->feed.expr, t->values[i][k], h, 0);
	return 0;
}

/* --- by BPF programs --- */

static int ask(struct prof *p, struct tally_event *asks, struct err *why UNUSED)
{
	const struct top *t = p->own;

	for (size_t i = 0; i < p->feed.taps.n; i++) {
		asks[i] = (struct tally_event){
			.key = t->key.of[i], .by = TALLY_BY_TID, .n_num = p->feed.taps.v[i].spec->n_top,
		};
		for (unsigned k = 0; k < asks[i].n_num; k++)
			asks[i].num[k] = t->values[i][k];
	}
	return 0;
}

static int counted(struct prof *p, const struct tally_entry *n)
{
	struct top *t = p->own;
	bool adds = p->feed.taps.v[n->event].spec->n_top;
	struct row *r = row_of(t, n->key);

	if (!r)
		return -ENOMEM;
	t->hits += n->part ? 0 : n->n;
	r->v[t->column_of[n->event][n->part]] += adds ? n->sum : n->n;
	if (r->name == NAMES_NONE && !t->key.of[n->event])
		r->name = name_of_task(t, p, n->key);
	return 0;
}

/* Sort columns in their order, then the others. */
static int compare(const void *arg, uint32_t a, uint32_t b)
{
	const struct top *t = arg;
	const struct row *x = &t->rows.v[a], *y = &t->rows.v[b];

	for (unsigned sorts = 2; sorts-- > 0; )
		for (size_t i = 0; i < t->n_columns; i++)
			if (t->columns[i].sorts == (bool)sorts && x->v[i] != y->v[i])
				return x->v[i] > y->v[i] ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Row indices, sorted. NULL: no memory. */
static uint32_t *sorted(const struct top *t)
{
	size_t n = t->rows.n;
	uint32_t *v = malloc((2 * n + 1) * sizeof(*v));

	for (size_t i = 0; v && i < n; i++)
		v[i] = (uint32_t)i;
	if (v)
		sort_u32(v, v + n, n, compare, t);
	return v;
}

static void put_key(struct top *t, struct prof *p, struct table *to, const struct row *r)
{
	struct expr_env env = p->feed.expr;
	struct hit none = { .tap = t->key_printer };
	struct mem_out m;

	if (!t->key_printer) {
		table_i64(to, (int64_t)r->key);
		return;
	}
	mem_out_init(&m);
	env.out = &m.out;
	env.key = r->key;
	expr_value(&env, t->printkey[t->key_printer->index], &none);
	table_str(to, mem_out_str(&m));
	mem_out_deinit(&m);
}

static struct table *new_table(const struct top *t, struct table_col *cols, bool only_comm)
{
	size_t n = 0;

	if (!only_comm)
		cols[n++] = (struct table_col){ t->key_name, NULL, TABLE_RIGHT, 0 };
	for (size_t i = 0; i < t->n_columns; i++)
		cols[n++] = (struct table_col){ t->columns[i].name, NULL, TABLE_RIGHT, 0 };
	cols[n++] = (struct table_col){ t->comm_name, NULL, TABLE_LEFT, 0 };
	return table_new(cols, n);
}

static void heading(struct prof *p, const struct top *t, struct out *o)
{
	if (o->terminal && prof_want(p)->from.interval_ns)
		out_control(o, "\033[H\033[2J");
	line_date(&p->feed, p->to, o);
	out_printf(o, "%s - sample %llu events\n", feed_is_live(&p->feed) ? "top" : p->feed.session.path,
		   (unsigned long long)t->hits);
}

static int show(struct prof *p, bool last UNUSED, struct out *o, struct err *e)
{
	const struct want *w = p->want;
	struct top *t = p->own;
	struct table_col cols[VALUES + 2];
	struct table_want form = prof_table(p);
	struct table *table = new_table(t, cols, w->only_comm);
	uint32_t *order = sorted(t);
	size_t most = w->rows ? w->rows : o->terminal && w->prof.from.interval_ns ? SCREEN_ROWS : t->rows.n;
	int r;

	for (size_t i = 0; table && order && i < MIN(most, t->rows.n); i++) {
		const struct row *row = &t->rows.v[order[i]];

		if (!w->only_comm)
			put_key(t, p, table, row);
		for (size_t k = 0; k < t->n_columns; k++)
			table_u64(table, row->v[k]);
		table_str(table, row->name == NAMES_NONE ? "" : names_str(&t->names, row->name));
	}
	if (form.form == TABLE_TEXT)
		heading(p, t, o);
	r = table && order ? table_print(table, &form, o) : -ENOMEM;
	table_free(table);
	free(order);
	prof_count(p, o, t->dropped, "events are left out: there are too many keys");
	t->rows.n = 0;
	t->hits = t->dropped = 0;
	map_deinit(&t->of);
	t->of = (struct map){ 0 };
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct top *t = p->own;

	vec_free(&t->rows);
	map_deinit(&t->of);
	names_deinit(&t->names);
}

DEFINE_PROF(top) = {
	.cmd = {
		.name = "top", .family = "prof", .brief = "Count events, or sum up their fields, by key",
		.synopsis = "-e <event//key=EXPR/...> [options] [-- command [arguments]]",
		.details = PACKED(
			"Rows are keys (key= or -k; default threads), columns the sums of top-by= and top-add=, or the "
			"number of events. Rows are sorted by the top-by= columns first. A BPF program counts if it "
			"can (the first line says so; --no-bpf counts in user space)."),
		.examples = PACKED(
			"sonde prof top -e kvm:kvm_exit//key=exit_reason/ -i 1000\tevery second\n"
			"sonde prof top -e irq:irq_handler_entry//key=irq/comm=name/ -C 0\tinterrupts of a CPU\n"
			"sonde prof top -e 'sched:sched_stat_runtime//key=pid/comm=comm/top-by=runtime/'\trun time of "
				"tasks\n"
			"sonde prof top -e 'irq:softirq_entry//key=(_cpu<<32)|vec/printkey=printf(\"%03d %d\", "
				"key>>32, (int)key)/'\ta key of two fields\n"
			"sonde prof top -e skb:kfree_skb//key=protocol/comm=ksymbol(location)/ --only-comm\tfunctions "
				"that drop packets"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct top), .begin = begin, .hit = hit, .show = show, .close = close,
	.ask = ask, .counted = counted,
};
