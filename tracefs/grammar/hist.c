/* hist.c - parses the kernel's text of histograms. */
#include "tracefs/grammar/hist.h"

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static struct sv skip(struct sv s, size_t n)
{
	return (struct sv){ s.s + n, s.n - n };
}

static struct sv first(struct sv s, size_t n)
{
	return (struct sv){ s.s, n };
}

/* --- one cell --- */

/* "12", "-12", and nothing else. */
static bool number(struct sv s, int base, uint64_t *v)
{
	return str_u64(s, base, v) || (base == 10 && s.n && s.s[0] == '-' && str_i64(s, 10, (int64_t *)v));
}

/* "A-B" */
static bool range(struct sv s, struct thist_cell *c)
{
	const char *dash = s.n ? memchr(s.s + 1, '-', s.n - 1) : NULL;

	return dash && number(first(s, (size_t)(dash - s.s)), 10, &c->v) &&
	       number(skip(s, (size_t)(dash - s.s) + 1), 10, &c->to);
}

/* "[HEX] name" */
static bool symbol(struct sv s, struct thist_cell *c)
{
	const char *end = s.n && s.s[0] == '[' ? memchr(s.s, ']', s.n) : NULL;

	if (!end || !number((struct sv){ s.s + 1, (size_t)(end - s.s - 1) }, 16, &c->v))
		return false;
	c->text = sv_trim(skip(s, (size_t)(end - s.s) + 1));
	return true;
}

/* "name [ 12]" */
static bool named(struct sv s, struct thist_cell *c)
{
	const char *open = s.n > 2 && s.s[s.n - 1] == ']' ? memrchr(s.s, '[', s.n) : NULL;
	size_t at = open ? (size_t)(open - s.s) : 0;

	if (!open || !number(sv_trim((struct sv){ open + 1, s.n - at - 2 }), 10, &c->v))
		return false;
	c->text = sv_trim(first(s, at));
	return true;
}

static bool fraction(struct sv s)
{
	const char *dot = s.n ? memchr(s.s, '.', s.n) : NULL;
	uint64_t v;

	return dot && str_u64(first(s, (size_t)(dot - s.s)), 10, &v) &&
	       str_u64(skip(s, (size_t)(dot - s.s) + 1), 10, &v);
}

/* mod: the trigger's modifier of the column, which tells how the kernel printed the value: a name may have any text. */
static struct thist_cell cell(struct sv raw, struct sv mod)
{
	struct thist_cell c = { .text = sv_trim(raw) };
	struct sv s = c.text;

	if (memchr(raw.s, '\n', raw.n))
		c.kind = THIST_STACK;
	else if (sv_eq(mod, "log2") && sv_starts(s, "~ 2^") && number(skip(s, 4), 10, &c.v))
		c.kind = THIST_LOG2;
	else if (sv_starts(mod, "buckets") && sv_starts(s, "~ ") && range(skip(s, 2), &c))
		c.kind = THIST_RANGE;
	else if (sv_eq(mod, "hex") && number(s, 16, &c.v))
		c.kind = THIST_HEX;
	else if (sv_starts(mod, "sym") && symbol(s, &c))
		c.kind = THIST_SYMBOL;
	else if ((sv_eq(mod, "execname") || sv_eq(mod, "syscall")) && named(s, &c))
		c.kind = THIST_NAMED;
	else if (number(s, 10, &c.v))
		c.kind = THIST_NUMBER;
	else if (fraction(s))
		c.kind = THIST_FRACTION;
	return c;
}

/* --- the trigger --- */

/* The words of "LABEL=a,b,c:", or nothing. */
static struct sv words(struct sv trigger, const char *label)
{
	size_t n = strlen(label);
	const char *p = trigger.n ? memmem(trigger.s, trigger.n, label, n) : NULL;
	struct sv list = { "", 0 }, rest;

	if (p) {
		rest = skip(trigger, (size_t)(p - trigger.s) + n);
		sv_cut(&rest, ':', &list);
	}
	return list;
}

static unsigned count(struct sv list)
{
	struct sv one;
	unsigned n = 0;

	while (list.n && sv_cut(&list, ',', &one))
		n++;
	return n;
}

/* "log2" of the field number `at` in a list "a,b.log2". */
static struct sv modifier(struct sv list, unsigned at)
{
	struct sv one = { "", 0 };
	const char *dot;

	for (unsigned i = 0; i <= at; i++)
		if (!sv_cut(&list, ',', &one))
			return SV("");
	dot = one.n ? memrchr(one.s, '.', one.n) : NULL;
	return dot ? skip(one, (size_t)(dot + 1 - one.s)) : SV("");
}

/* --- one entry --- */

struct reader {
	struct thist *h;
	struct sv keys, vals;   /* of the trigger */
	unsigned n_keys;
	unsigned col;
	int error;
};

static void add(struct reader *r, struct sv name, struct sv raw)
{
	struct thist *h = r->h;
	unsigned i = r->col++;
	bool key = i < r->n_keys;
	struct thist_cell c = cell(raw, modifier(key ? r->keys : r->vals, key ? i : i - r->n_keys)), *to;

	if (h->n_rows == 1 && i < THIST_COLS) {   /* the first row defines the columns */
		str_copy(h->cols[i].name, THIST_NAME, name);
		h->cols[i].kind = c.kind;
		h->n_cols = i + 1;
	}
	if (i >= h->n_cols || r->error)
		return;
	to = vec_add(&h->cells);
	if (!to) {
		r->error = -ENOMEM;
		return;
	}
	*to = c;
	if (h->cols[i].kind != c.kind && c.kind != THIST_EMPTY)
		h->cols[i].kind = THIST_TEXT;
}

static void end_row(struct reader *r)
{
	struct thist_cell *c;

	for (; r->col < r->h->n_cols && !r->error; r->col++) {
		c = vec_add(&r->h->cells);
		if (c)
			*c = (struct thist_cell){ .text = SV(""), .kind = THIST_EMPTY };
		else
			r->error = -ENOMEM;
	}
}

/* Where the value of a key ends: at ", NAME:" when more keys follow. */
static size_t key_end(struct sv s, bool last)
{
	for (size_t i = 0; !last && i + 2 < s.n; i++) {
		size_t k = i + 2;

		if (s.s[i] != ',' || s.s[i + 1] != ' ')
			continue;
		while (k < s.n && is_name(s.s[k]))
			k++;
		if (k > i + 2 && k < s.n && s.s[k] == ':')
			return i;
	}
	return s.n;
}

static bool keys(struct reader *r, struct sv s)
{
	while (s.n) {
		const char *colon = memchr(s.s, ':', s.n);
		size_t at = colon ? (size_t)(colon - s.s) : 0, n;
		struct sv name = first(s, at), value;

		if (!colon)
			return false;
		value = skip(s, at + 1);
		n = key_end(value, r->n_keys && r->col + 1 >= r->n_keys);
		add(r, sv_trim(name), first(value, n));
		s = n + 2 <= value.n ? skip(value, n + 2) : skip(value, value.n);
	}
	return r->col > 0;
}

/* Length of a value, which two spaces end. 0: the next name follows at once (an empty bar). */
static size_t value_end(struct sv s)
{
	size_t n = 0;

	while (n < s.n && is_name(s.s[n]))
		n++;
	if (n && n + 1 < s.n && ((s.s[n] == ':' && s.s[n + 1] == ' ') || (s.s[n] == ' ' && s.s[n + 1] == '(')))
		return 0;
	for (n = 0; n < s.n && !(s.s[n] == ' ' && n + 1 < s.n && s.s[n + 1] == ' '); n++)
		;
	return n;
}

/* " hitcount:   1  name (%):  0.42  bar: ###   " */
static bool values(struct reader *r, struct sv s)
{
	for (s = sv_trim(s); s.n; s = sv_trim(s)) {
		const char *colon = memchr(s.s, ':', s.n);
		struct sv name = first(s, colon ? (size_t)(colon - s.s) : 0);
		size_t n;

		if (!colon)
			return false;
		s = sv_trim(skip(s, name.n + 1));
		n = value_end(s);
		add(r, name, first(s, n));
		s = skip(s, n);
	}
	return true;
}

/* The brace that closes the keys: the last one in the first line that has one before its values. */
static const char *closing(struct sv text)
{
	struct sv line, rest = text;

	while (sv_cut(&rest, '\n', &line)) {
		const char *p = line.n ? memrchr(line.s, '}', line.n) : NULL;

		if (p && p + 1 < line.s + line.n && p[1] == ' ')
			return p;
		if (line.s != text.s && sv_starts(line, "{ "))
			break;
	}
	return NULL;
}

static bool entry(struct reader *r, struct sv *rest)
{
	const char *end = closing(*rest);
	struct thist *h = r->h;
	struct sv body, line;

	end_row(r);
	if (!end)
		return false;
	h->n_rows++;
	r->col = 0;
	body = (struct sv){ rest->s + 2, (size_t)(end - rest->s - 2) };
	*rest = skip(*rest, (size_t)(end + 1 - rest->s));
	sv_cut(rest, '\n', &line);
	if (!keys(r, body))
		return false;
	if (h->n_rows == 1)
		h->n_keys = MIN(r->col, THIST_COLS);
	return values(r, line) && !r->error;
}

/* --- the whole histogram --- */

static void total(struct thist *h, struct sv line)
{
	static const char *const labels[] = { "Hits: ", "Entries: ", "Dropped: " };
	uint64_t *const to[] = { &h->hits, &h->entries, &h->dropped };

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (sv_starts(line, labels[i]))
			str_u64(skip(line, strlen(labels[i])), 10, to[i]);
}

/* In a column whose rows differ in kind, every cell becomes TEXT. */
static void settle(struct thist *h)
{
	for (size_t i = 0; i < h->cells.n; i++)
		if (h->cols[i % h->n_cols].kind == THIST_TEXT && h->cells.v[i].kind != THIST_EMPTY)
			h->cells.v[i].kind = THIST_TEXT;
}

static int bad(const struct reader *r, struct sv at, struct err *e)
{
	struct sv line = { "", 0 };

	if (r->error)
		return err_nomem(e);
	sv_cut(&at, '\n', &line);
	return err_set(e, EBADMSG, "an entry of the histogram cannot be understood: %.*s", (int)MIN(line.n, 120u),
		       line.s);
}

int thist_next(struct thist *h, struct sv *rest, struct err *e)
{
	static const char info[] = "# trigger info: ";
	struct reader r = { .h = h };
	struct sv line, before;
	bool any = false;

	*h = (struct thist){ 0 };
	for (before = *rest; sv_cut(rest, '\n', &line); before = *rest) {
		struct sv trimmed = sv_trim(line);

		if (sv_starts(line, info)) {
			if (any) {
				*rest = before;
				break;
			}
			any = true;
			h->trigger = sv_trim(skip(line, strlen(info)));
			r.keys = words(h->trigger, "keys=");
			r.vals = words(h->trigger, "vals=");
			r.n_keys = count(r.keys);
		} else if (any && sv_starts(line, "{ ")) {
			*rest = before;
			if (!entry(&r, rest))
				return bad(&r, before, e);
		} else if (sv_starts(trimmed, "triggering value")) {
			h->snapshot = trimmed;
		} else if (line.n && line.s[0] == '\t' && h->n_rows) {
			values(&r, trimmed);
		} else {
			total(h, trimmed);
		}
	}
	end_row(&r);
	settle(h);
	return r.error ? err_nomem(e) : any;
}

void thist_deinit(struct thist *h)
{
	vec_free(&h->cells);
}

int thist_col(const struct thist *h, const char *name)
{
	for (unsigned i = 0; i < h->n_cols; i++)
		if (!strcmp(h->cols[i].name, name))
			return (int)i;
	return -1;
}
