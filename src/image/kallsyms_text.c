/* kallsyms_text.c - parse lines of /proc/kallsyms, and select those that matter. */
#include "image/kallsyms_text.h"

enum { PAGE = 4096 };

/* Characters before a name: 16 digits, blank, type, blank. */
enum { BEFORE_NAME = 19 };

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#define EACH_BYTE(v) (UINT64_C(0x0101010101010101) * (v))

/* Parse eight hex digits at once (SWAR), the first one in the lowest byte; false: not all are digits. */
static inline bool hex_digits(const char *s, uint64_t *v)
{
	uint64_t x, low, letter;

	memcpy(&x, s, sizeof(x));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		x = __builtin_bswap64(x);
	/* Digits are 0x30 to 0x39, letters 0x61 to 0x66; subtract 1 from letters to make them 0x60 to 0x65. */
	letter = x >> 6 & EACH_BYTE(1);
	x -= letter;
	low = x & EACH_BYTE(0xf);
	if ((x ^ low) != EACH_BYTE(0x30) + letter * 0x30 || (low + EACH_BYTE(6) + letter * 4) & EACH_BYTE(0x10))
		return false;
	x = low + letter * 10;
	x = (x << 4 | x >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x << 8 | x >> 16) & UINT64_C(0x0000ffff0000ffff);
	*v = (x << 16 | x >> 32) & UINT32_MAX;
	return true;
}

/* Parse the address at s; returns its end. The kernel writes 16 digits. */
static inline const char *read_address(const char *s, const char *end, uint64_t *addr)
{
	const char *start = s;
	uint64_t part;

	*addr = 0;
	for (; end - s >= 8 && hex_digits(s, &part); s += 8)
		*addr = *addr << 32 | part;
	for (int d; s < end && (d = hex_digit(*s)) >= 0; s++)
		*addr = *addr << 4 | (uint64_t)d;
	return s - start > 16 ? start : s;
}

/* The end of the word at s: the first blank or control character. */
static inline const char *word_end(const char *s, const char *end)
{
	uint64_t x, blanks;

	/* The lowest marked byte is a blank; bytes above it may be marked falsely, by the borrow of the subtraction. */
	for (; __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && end - s >= 8; s += 8) {
		memcpy(&x, s, sizeof(x));
		blanks = (x - EACH_BYTE(' ' + 1)) & ~x & EACH_BYTE(0x80);
		if (blanks)
			return s + __builtin_ctzll(blanks) / 8;
	}
	while (s < end && (unsigned char)*s > ' ')
		s++;
	return s;
}

/* Parse the line at s. Returns the next line; an empty name: the line is no symbol. */
static const char *read_line(struct kallsyms_line *l, const char *s, const char *end)
{
	const char *at = read_address(s, end, &l->addr), *stop;

	l->name = l->module = (struct sv){ "", 0 };
	if (at != s && end - at > 3 && at[0] == ' ' && at[1] != '\n' && at[2] == ' ') {
		l->type = at[1];
		l->name.s = at += 3;
		at = word_end(at, end);
		l->name.n = (size_t)(at - l->name.s);
	}
	for (stop = at; stop < end && *stop != '\n'; stop++)
		;
	if (stop - at > 3 && at[1] == '[' && at[2] && stop[-1] == ']')
		l->module = (struct sv){ at + 2, (size_t)(stop - at) - 3 };
	return stop < end ? stop + 1 : end;
}

/* Mapping symbols and labels of the assembler; arm64 has them with a prefix, too. */
static bool is_mark(struct sv name)
{
	return name.s[0] == '$' || name.s[0] == '.' || (name.s[0] == '_' && sv_starts(name, "__pi_$"));
}

static bool is(struct sv name, struct sv what)
{
	return name.n == what.n && !memcmp(name.s, what.s, what.n);
}

/*
 * Labels of the linker script, init_module and cleanup_module, and arm64's position-independent
 * aliases: if they share an address with a function, the function's name is preferred.
 */
static bool is_label(struct sv name)
{
	static const struct sv ends[] = { SV("text"), SV("text_start"), SV("text_end") };

	if (name.s[0] != '_')
		return is(name, SV("init_module")) || is(name, SV("cleanup_module"));
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

/* Variables and constants, by the type of `nm`. */
static bool is_data(char type)
{
	switch (type | 0x20) {
	case 'b': case 'd': case 'g': case 'r': case 's': case 'v':
		return true;
	}
	return false;
}

/* All data has the same rank: labels of the linker script are global, but the variable behind them may be local. */
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
	const char *end = rest->s + rest->n;

	while (rest->n) {
		rest->s = read_line(l, rest->s, end);
		rest->n = (size_t)(end - rest->s);
		if (l->name.n)
			return true;
	}
	return false;
}

bool kallsyms_next_named(struct sv *rest, struct sv name, struct kallsyms_line *l)
{
	const char *end = rest->s + rest->n, *p = rest->s, *line, *behind;

	while (name.n && (p = memmem(p, (size_t)(end - p), name.s, name.n))) {
		for (line = p; line > rest->s && line[-1] != '\n' && p - line < BEFORE_NAME; line--)
			;
		p += name.n;
		behind = read_line(l, line, end);
		if (l->name.s + l->name.n != p || l->name.n != name.n)
			continue;
		*rest = (struct sv){ behind, (size_t)(end - behind) };
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
