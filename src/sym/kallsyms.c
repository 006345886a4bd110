/* kallsyms.c - 200000 lines in some milliseconds: one pass that packs the names in place. */
#include "sym/kallsyms.h"

/* Which strings: both are k->names, but before a module's names are two bytes with its id. */
enum { OF_KERNEL = 0, OF_MODULE = 1 };

enum { PAGE = 4096, MODULES_MAX = UINT16_MAX - 1 };

struct line {
	uint64_t addr;
	char type;
	struct sv name, module;
};

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "ADDR T NAME[\t[MODULE]]", s..end without newline. */
static bool parse(struct line *l, const char *s, const char *end)
{
	const char *name, *start = s;

	l->addr = 0;
	for (int d; s < end && (d = hex_digit(*s)) >= 0; s++)
		l->addr = l->addr << 4 | (uint64_t)d;
	if (s == start || s - start > 16 || end - s < 4 || s[0] != ' ' || s[2] != ' ')
		return false;
	l->type = s[1];
	name = s + 3;
	for (s = name; s < end && (unsigned char)*s > ' '; s++)
		;
	l->name = (struct sv){ name, (size_t)(s - name) };
	l->module = (struct sv){ "", 0 };
	if (end - s > 3 && s[1] == '[' && s[2] && end[-1] == ']')
		l->module = (struct sv){ s + 2, (size_t)(end - s) - 3 };
	return l->name.n > 0;
}

/* Mapping symbols and labels of the assembler; arm64 has them with a prefix, too. */
static bool is_mark(struct sv name)
{
	return name.s[0] == '$' || sv_starts(name, ".L") || sv_starts(name, "__pi_$");
}

/*
 * Marks of the linker script, aliases of a module's ends, and arm64's position-independent aliases:
 * where they share an address with a function, that one is meant.
 */
static bool is_label(struct sv name)
{
	static const char *const ends[] = { "text", "text_start", "text_end" };

	if (name.s[0] != '_')
		return sv_eq(name, "init_module") || sv_eq(name, "cleanup_module");
	if (sv_starts(name, "__pi_"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t n = strlen(ends[i]);

		if (name.n > n && !memcmp(name.s + name.n - n, ends[i], n))
			return true;
	}
	return false;
}

static bool is_code(char type)
{
	return (type | 0x20) == 't' || (type | 0x20) == 'w';
}

/* Variables and constants; listed where the kernel has CONFIG_KALLSYMS_ALL. */
static bool is_data(char type)
{
	return strchr("bdgrsv", type | 0x20);
}

/* Marks of the linker script are global where the first variable behind them is not: of data all are alike. */
static uint32_t rank_of(char type)
{
	if (is_data(type))
		return SYMTAB_LOCAL;
	return (type | 0x20) == 'w' ? SYMTAB_WEAK : type == 'T' ? SYMTAB_GLOBAL : SYMTAB_LOCAL;
}

static void note_start(struct kallsyms *k, const struct line *l)
{
	if (sv_eq(l->name, "_text"))
		k->text = l->addr;
	else if (sv_eq(l->name, "_stext"))
		k->stext = l->addr;
}

/* Add a symbol; its name goes down to k->names + *at, where all bytes have been read. */
static int keep(struct kallsyms *k, struct symtab *to, const struct line *l, size_t *at)
{
	struct sym s = { .addr = l->addr, .rank = rank_of(l->type) & 3, .source = OF_KERNEL };

	if (l->module.n) {
		uint32_t id = names_add(&k->modules, l->module.s, l->module.n) + 1;

		if (!id || id > MODULES_MAX)
			return id ? 0 : -ENOMEM;
		k->names[(*at)++] = (char)(id & 0xff);
		k->names[(*at)++] = (char)(id >> 8);
		s.source = OF_MODULE;
	}
	s.label = is_label(l->name);
	s.name = (uint32_t)*at & (SYMTAB_NAME_MAX - 1);
	memmove(k->names + *at, l->name.s, l->name.n);
	*at += l->name.n;
	k->names[(*at)++] = '\0';
	return symtab_add(to, &s);
}

static int parse_all(struct kallsyms *k, size_t n, size_t *used)
{
	bool any = false;

	k->hidden = true;
	for (size_t i = 0; i < n && *used < SYMTAB_NAME_MAX;) {
		char *s = k->names + i, *nl = memchr(s, '\n', n - i), *end = nl ? nl : k->names + n;
		struct line l;

		i = (size_t)(end - k->names) + 1;
		if (!parse(&l, s, end))
			continue;
		any = true;
		k->hidden &= !l.addr;
		note_start(k, &l);
		if (!l.addr || is_mark(l.name) || !(is_code(l.type) || is_data(l.type)))
			continue;
		if (keep(k, is_code(l.type) ? &k->table : &k->data, &l, used))
			return -ENOMEM;
	}
	k->hidden &= any;
	return 0;
}

/*
 * Sizes are not told: a function reaches to the next one. The last one of the kernel or a module
 * would reach far into nothing: it ends with its page or the one after.
 */
static void fill_sizes(const struct kallsyms *k, struct symtab *t)
{
	struct sym *v = t->syms.v;

	for (size_t i = 0; i < t->syms.n; i++) {
		bool last = i + 1 == t->syms.n;
		uint64_t gap = last ? UINT64_MAX - v[i].addr : v[i + 1].addr - v[i].addr;
		uint64_t pages = ALIGN_UP(v[i].addr % PAGE + PAGE, PAGE) - v[i].addr % PAGE;

		if (last || kallsyms_module(k, &v[i]) != kallsyms_module(k, &v[i + 1]))
			gap = MIN(gap, pages);
		v[i].size = (uint32_t)MIN(gap, (uint64_t)SYMTAB_SIZE_MAX) & SYMTAB_SIZE_MAX;
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

	/* The last function before the data is said to reach to the next one, behind them. */
	return data && (!code || data->addr > code->addr) ? data : code;
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
