/* kallsyms.c - parse 200000 lines in some milliseconds: one pass that packs the names in place. */
#include "image/kallsyms.h"

/* Index of `strings`: both are k->names, but a name in a module is preceded by two bytes with the module's id. */
enum { OF_KERNEL = 0, OF_MODULE = 1 };

enum { MODULES_MAX = UINT16_MAX - 1, GAP_MIN = 512 << 10 };

/* Take note of the bounds of the waiting code. Comparing lengths first is fast, since most names have others. */
static void note_mark(struct kallsyms *k, const struct kallsyms_line *l)
{
	static const struct sv marks[KALLSYMS_MARKS] = {
		SV("__sched_text_start"), SV("__sched_text_end"), SV("__lock_text_start"), SV("__lock_text_end"),
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

/* Add a symbol, and move its name down to k->names + *at, over text that was parsed already. */
static int keep(struct kallsyms *k, struct symtab *to, const struct kallsyms_line *l, size_t *at)
{
	struct sym s = kallsyms_sym(l);

	if (l->module.n) {
		uint32_t id = names_add(&k->modules, l->module.s, l->module.n) + 1;

		if (!id || id > MODULES_MAX)
			return id ? 0 : -ENOMEM;
		k->names[(*at)++] = (char)(id & 0xff);
		k->names[(*at)++] = (char)(id >> 8);
		s.source = OF_MODULE;
	}
	s.name = (uint32_t)*at & (SYMTAB_NAME_MAX - 1);
	memmove(k->names + *at, l->name.s, l->name.n);
	*at += l->name.n;
	k->names[(*at)++] = '\0';
	return symtab_add(to, &s);
}

/*
 * Names take half the memory of their lines, and symbols the other half: move the unread text down behind the names and
 * shrink the buffer, so that the whole text and the whole table are never in memory at the same time.
 */
static void close_gap(struct kallsyms *k, struct sv *rest, size_t used)
{
	size_t gap = (size_t)(rest->s - k->names) - used;
	char *less;

	/* Move only when the gap is a good part of the rest, so that the total work stays linear. */
	if (gap < GAP_MIN || gap < rest->n / 8)
		return;
	memmove(k->names + used, rest->s, rest->n);
	less = realloc(k->names, used + rest->n + 1);
	k->names = less ? less : k->names;
	rest->s = k->names + used;
}

static int parse_all(struct kallsyms *k, size_t n, size_t *used)
{
	struct sv rest = { k->names, n };
	struct kallsyms_line l;
	bool any = false;

	k->hidden = true;
	while (*used < SYMTAB_NAME_MAX && kallsyms_next(&rest, &l)) {
		any = true;
		k->hidden &= !l.addr;
		note_mark(k, &l);

		bool is_function = kallsyms_is_function(&l);

		if (!l.addr || !(is_function || kallsyms_is_data(&l)))
			continue;
		if (keep(k, is_function ? &k->table : &k->data, &l, used))
			return -ENOMEM;
		close_gap(k, &rest, *used);
	}
	k->hidden &= any;
	return 0;
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

static int finish(const struct kallsyms *k, struct symtab *t, size_t used)
{
	t->strings[OF_KERNEL] = t->strings[OF_MODULE] = (struct sv){ k->names, used };
	if (symtab_finish(t, NULL))
		return -ENOMEM;
	fill_sizes(k, t);
	return 0;
}

int kallsyms_init(struct kallsyms *k, char *text, size_t n, struct err *e)
{
	size_t used = 0;

	*k = (struct kallsyms){ .names = text };
	if (parse_all(k, n, &used))
		goto out_nomem;

	char *less = used ? realloc(k->names, used) : NULL;

	if (less)
		k->names = less;
	if (finish(k, &k->table, used) || finish(k, &k->data, used))
		goto out_nomem;
	return 0;

out_nomem:
	kallsyms_deinit(k);
	return err_nomem(e);
}

void kallsyms_deinit(struct kallsyms *k)
{
	symtab_deinit(&k->table);
	symtab_deinit(&k->data);
	names_deinit(&k->modules);
	free(k->names);
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
