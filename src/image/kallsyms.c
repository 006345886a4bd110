/* kallsyms.c - parse 200000 lines in some milliseconds: one pass that packs the names in place. */
#include "image/kallsyms.h"

/* Index of `strings`: both are k->names, but a name in a module is preceded by two bytes with the module's id. */
enum { OF_KERNEL = 0, OF_MODULE = 1 };

enum { MODULES_MAX = UINT16_MAX - 1 };

/* Take note of the bounds of the waiting code. Comparing lengths first is fast, since most names have others. */
static void note_mark(struct kallsyms *k, const struct kallsyms_line *l)
{
	static const struct sv marks[KALLSYMS_MARKS] = {
		SV("__sched_text_start"), SV("__sched_text_end"), SV("__lock_text_start"), SV("__lock_text_end"),
		SV("__irqentry_text_start"), SV("__irqentry_text_end"),
	};

	if (l->name.s[0] != '_' || l->module.n)
		return;
	if (sv_eq(l->name, "_text"))
		k->text = l->addr;
	else if (sv_eq(l->name, "_stext"))
		k->stext = l->addr;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (l->name.n == marks[i].n && !memcmp(l->name.s, marks[i].s, marks[i].n))
			k->mark[i] = l->addr;
}

/* Add a symbol, and append its name to k->names. */
static int keep(struct kallsyms *k, struct symtab *to, const struct kallsyms_line *l)
{
	struct sym s = kallsyms_sym(l);
	uint32_t id = l->module.n ? names_add(&k->modules, l->module.s, l->module.n) + 1 : 0;
	char *at;

	if ((l->module.n && !id) || vec_reserve(&k->names, l->name.n + 3))
		return -ENOMEM;
	if (id > MODULES_MAX || k->names.n >= SYMTAB_NAME_MAX)
		return 0;
	at = k->names.v + k->names.n;
	if (id) {
		*at++ = (char)(id & 0xff);
		*at++ = (char)(id >> 8);
		s.source = OF_MODULE;
	}
	s.name = (uint32_t)(at - k->names.v) & (SYMTAB_NAME_MAX - 1);
	memcpy(at, l->name.s, l->name.n);
	at[l->name.n] = '\0';
	k->names.n = (size_t)(at - k->names.v) + l->name.n + 1;
	return symtab_add(to, &s);
}

/* Parse text that consists of whole lines; only the last line of all may lack its newline. */
static int take_lines(struct kallsyms *k, struct sv rest)
{
	struct kallsyms_line l;
	int r = 0;

	while (!r && kallsyms_next(&rest, &l)) {
		bool is_function = kallsyms_is_function(&l);

		k->any = true;
		k->shown |= l.addr;
		note_mark(k, &l);
		if (l.addr && (is_function || kallsyms_is_data(&l)))
			r = keep(k, is_function ? &k->table : &k->data, &l);
	}
	return r;
}

static int add_to_line(struct kallsyms *k, const char *s, size_t n)
{
	if (vec_reserve(&k->line, n))
		return -ENOMEM;
	if (n)
		memcpy(k->line.v + k->line.n, s, n);
	k->line.n += n;
	return 0;
}

/* The line that a piece before this one began, if it ends here: *done bytes of this one. */
static int end_line(struct kallsyms *k, const char *piece, size_t n, size_t *done)
{
	const char *end = memchr(piece, '\n', n);
	int r;

	*done = 0;
	if (!k->line.n || !end)
		return 0;
	*done = (size_t)(end - piece) + 1;
	r = add_to_line(k, piece, *done);
	r = r ? r : take_lines(k, (struct sv){ k->line.v, k->line.n });
	k->line.n = 0;
	return r;
}

int kallsyms_feed(void *to, const char *piece, size_t n)
{
	struct kallsyms *k = to;
	size_t done, whole = n;
	int r;

	if (!n)
		return 0;
	if (n > KALLSYMS_TEXT_MAX - k->fed)
		return -EFBIG;
	k->fed += n;
	r = end_line(k, piece, n, &done);
	while (whole > done && piece[whole - 1] != '\n')
		whole--;
	r = r ? r : take_lines(k, (struct sv){ piece + done, whole - done });
	return r ? r : add_to_line(k, piece + whole, n - whole);
}

static void fill_sizes(const struct kallsyms *k, struct symtab *t)
{
	struct sym *v = t->syms.v;

	for (size_t i = 0; i < t->syms.n; i++) {
		bool is_end = i + 1 == t->syms.n;
		bool is_last = is_end || kallsyms_module(k, &v[i]) != kallsyms_module(k, &v[i + 1]);
		uint64_t size = kallsyms_size(v[i].addr, is_end ? 0 : v[i + 1].addr, is_last);

		v[i].size = (uint32_t)MIN(size, (uint64_t)SYMTAB_SIZE_MAX) & SYMTAB_SIZE_MAX;
	}
}

static int finish(const struct kallsyms *k, struct symtab *t)
{
	t->strings[OF_KERNEL] = t->strings[OF_MODULE] = (struct sv){ k->names.v, k->names.n };
	if (symtab_finish(t, NULL))
		return -ENOMEM;
	fill_sizes(k, t);
	return 0;
}

int kallsyms_end(struct kallsyms *k)
{
	int r = k->line.n ? take_lines(k, (struct sv){ k->line.v, k->line.n }) : 0;

	vec_free(&k->line);
	k->hidden = k->any && !k->shown;
	r = r ? r : finish(k, &k->table);
	return r ? r : finish(k, &k->data);
}

int kallsyms_init(struct kallsyms *k, struct sv text, struct err *e)
{
	int r;

	*k = (struct kallsyms){ 0 };
	r = kallsyms_feed(k, text.s, text.n);
	r = r ? r : kallsyms_end(k);
	if (r)
		kallsyms_deinit(k);
	return r == -EFBIG ? err_set(e, EFBIG, "the list of the kernel's symbols is too long") : r ? err_nomem(e) : 0;
}

void kallsyms_deinit(struct kallsyms *k)
{
	symtab_deinit(&k->table);
	symtab_deinit(&k->data);
	names_deinit(&k->modules);
	vec_free(&k->names);
	vec_free(&k->line);
	*k = (struct kallsyms){ 0 };
}

const struct sym *kallsyms_find(const struct kallsyms *k, uint64_t addr)
{
	return symtab_find(&k->table, addr);
}

const struct sym *kallsyms_find_any(const struct kallsyms *k, uint64_t addr)
{
	const struct sym *code = symtab_find(&k->table, addr), *data = symtab_find(&k->data, addr);

	/* The last function before the data has an assumed size up to the next function, behind the data. */
	return data && (!code || data->addr > code->addr) ? data : code;
}

static const struct sym *named(const struct kallsyms *k, const struct symtab *t, const char *name)
{
	for (size_t i = 0; i < t->syms.n; i++)
		if (!strcmp(kallsyms_name(k, &t->syms.v[i]), name))
			return &t->syms.v[i];
	return NULL;
}

const struct sym *kallsyms_named(const struct kallsyms *k, const char *name)
{
	const struct sym *s = named(k, &k->data, name);

	return s ? s : named(k, &k->table, name);
}

const char *kallsyms_name(const struct kallsyms *k, const struct sym *s)
{
	return symtab_name(&k->table, s);
}

const char *kallsyms_module(const struct kallsyms *k, const struct sym *s)
{
	const char *name = kallsyms_name(k, s);

	if (s->source != OF_MODULE)
		return NULL;
	return names_str(&k->modules, ((uint32_t)(uint8_t)name[-1] << 8 | (uint8_t)name[-2]) - 1);
}
