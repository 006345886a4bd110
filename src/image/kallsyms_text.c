/* kallsyms_text.c - what a line of /proc/kallsyms says, and which lines are meant. */
#include "image/kallsyms_text.h"

enum { PAGE = 4096 };

/* In front of a name: 16 digits, a type, blanks. */
enum { BEFORE_NAME = 19 };

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool kallsyms_line(struct kallsyms_line *l, const char *s, const char *end)
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
	return name.s[0] == '$' || name.s[0] == '.' || sv_starts(name, "__pi_$");
}

/*
 * Marks of the linker script, aliases of a module's ends, and arm64's position-independent aliases:
 * where they share an address with a function, that one is meant.
 */
static bool is_label(struct sv name)
{
	static const struct sv ends[] = { SV("text"), SV("text_start"), SV("text_end") };

	if (name.s[0] != '_')
		return sv_eq(name, "init_module") || sv_eq(name, "cleanup_module");
	if (sv_starts(name, "__pi_"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t n = ends[i].n;

		if (name.n > n && name.s[name.n - n] == 't' && !memcmp(name.s + name.n - n, ends[i].s, n))
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

bool kallsyms_is_function(const struct kallsyms_line *l)
{
	return is_code(l->type) && !is_mark(l->name);
}

bool kallsyms_is_data(const struct kallsyms_line *l)
{
	return is_data(l->type) && !is_mark(l->name);
}

struct sym kallsyms_sym(const struct kallsyms_line *l)
{
	return (struct sym){ .addr = l->addr, .rank = rank_of(l->type) & 3, .label = is_label(l->name) };
}

bool kallsyms_next(struct sv *rest, struct kallsyms_line *l)
{
	struct sv line;

	while (sv_cut(rest, '\n', &line))
		if (kallsyms_line(l, line.s, line.s + line.n))
			return true;
	return false;
}

bool kallsyms_next_named(struct sv *rest, struct sv name, struct kallsyms_line *l)
{
	const char *end = rest->s + rest->n, *p = rest->s, *line, *stop;

	while (name.n && (p = memmem(p, (size_t)(end - p), name.s, name.n))) {
		for (line = p; line > rest->s && line[-1] != '\n' && p - line < BEFORE_NAME; line--)
			;
		stop = memchr(p, '\n', (size_t)(end - p));
		stop = stop ? stop : end;
		p += name.n;
		if (!kallsyms_line(l, line, stop) || l->name.s + l->name.n != p || l->name.n != name.n)
			continue;
		*rest = (struct sv){ stop, (size_t)(end - stop) };
		return true;
	}
	*rest = (struct sv){ end, 0 };
	return false;
}

uint64_t kallsyms_address(struct sv text, struct sv name)
{
	struct kallsyms_line l;

	return kallsyms_next_named(&text, name, &l) ? l.addr : 0;
}

uint64_t kallsyms_size(uint64_t addr, uint64_t next, bool is_last)
{
	uint64_t gap = (next ? next : UINT64_MAX) - addr;

	return is_last ? MIN(gap, ALIGN_UP(addr % PAGE + PAGE, PAGE) - addr % PAGE) : gap;
}

struct nearest_line {
	struct kallsyms_line best, next;
	struct sym sym;
	char name[SYMTAB_COMPARED + 1];
};

static void take(struct nearest_line *n, const struct kallsyms_line *l)
{
	struct sym s = kallsyms_sym(l);
	char name[sizeof(n->name)];

	str_copy(name, sizeof(name), l->name);
	if (n->best.addr == l->addr && !symtab_is_better(&s, name, &n->sym, n->name))
		return;
	n->best = *l;
	n->sym = s;
	memcpy(n->name, name, sizeof(name));
}

static bool is_same_module(const struct kallsyms_line *a, const struct kallsyms_line *b)
{
	return a->module.n == b->module.n && (!a->module.n || !memcmp(a->module.s, b->module.s, a->module.n));
}

bool kallsyms_function_at(struct sv text, uint64_t addr, struct kallsyms_line *l, uint64_t *size)
{
	struct nearest_line n = { 0 };

	while (kallsyms_next(&text, l)) {
		if (!l->addr || !kallsyms_is_function(l))
			continue;
		if (l->addr > addr)
			n.next = !n.next.addr || l->addr < n.next.addr ? *l : n.next;
		else if (l->addr >= n.best.addr)
			take(&n, l);
	}
	*l = n.best;
	*size = kallsyms_size(l->addr, n.next.addr, !n.next.addr || !is_same_module(l, &n.next));
	return l->addr && addr - l->addr < *size;
}
