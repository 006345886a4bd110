/* symbols.c - finds symbol tables by section or dynamic tag, decodes symbols. */
#include "obj/elf/symbols.h"

enum { DT_HASH = 4, DT_STRTAB = 5, DT_SYMTAB = 6, DT_STRSZ = 10, DT_GNU_HASH = 0x6ffffef5 };

/* Limit for entries of a table and buckets of a hash table: the largest programs have some million. */
enum { SYMBOLS_MAX = 1 << 23 };

/* Limits for one string and all strings; stored offsets of names have fewer bits, too. */
enum { STRING_MAX = 1 << 16, STRINGS_MAX = 1 << 29 };

static size_t symbol_size(const struct elf *f)
{
	return f->is64 ? 24 : 16;
}

/* The bytes up to and including the last NUL. */
static struct sv strings_of(struct cursor c)
{
	const char *s = (const char *)c.pos;
	size_t n = c.bad ? 0 : MIN(cur_left(&c), (size_t)STRINGS_MAX), end = n;

	while (n && s[n - 1] && end - n < STRING_MAX)
		n--;
	return (struct sv){ s, n && !s[n - 1] ? n : 0 };
}

static bool by_section(const struct elf *f, uint32_t type, struct elf_symbols *t)
{
	struct elf_section s, str;

	if (!elf_section_find_type(f, type, &s) || !elf_section(f, s.link, &str))
		return false;
	t->file = f;
	t->data = elf_section_data(f, &s);
	t->strings = strings_of(elf_section_data(f, &str));
	t->n = t->data.bad ? 0 : MIN(cur_left(&t->data) / symbol_size(f), (size_t)SYMBOLS_MAX);
	return t->n > 0;
}

/*
 * The GNU hash table does not have the number of symbols: the last one ends the chain of the highest bucket. Header:
 * u32 buckets, first hashed symbol, words in the Bloom filter, shift.
 */
static size_t gnu_hash_count(const struct elf *f, struct cursor c)
{
	uint32_t buckets = cur_u32(&c), first = cur_u32(&c), bloom = cur_u32(&c), last = 0;

	cur_skip(&c, 4);
	cur_skip(&c, (size_t)bloom * (f->is64 ? 8 : 4));
	for (uint32_t i = 0; i < MIN(buckets, (uint32_t)SYMBOLS_MAX) && !c.bad; i++) {
		uint32_t head = cur_u32(&c);

		last = MAX(last, head);
	}
	if (c.bad || last < first)
		return c.bad ? 0 : first;
	cur_skip(&c, ((size_t)last - first) * 4);
	for (size_t n = 0; !(cur_u32(&c) & 1) && !c.bad && n < SYMBOLS_MAX; n++)
		last++;
	return c.bad ? 0 : (size_t)last + 1;
}

static size_t dynamic_count(const struct elf *f)
{
	uint64_t at;

	if (elf_dynamic(f, DT_GNU_HASH, &at))
		return gnu_hash_count(f, elf_data_at(f, at));
	if (!elf_dynamic(f, DT_HASH, &at))
		return 0;

	struct cursor c = elf_data_at(f, at);

	cur_skip(&c, 4);
	return cur_u32(&c);
}

static bool by_dynamic(const struct elf *f, struct elf_symbols *t)
{
	uint64_t symbols, strings, size;

	if (!elf_dynamic(f, DT_SYMTAB, &symbols) || !elf_dynamic(f, DT_STRTAB, &strings) ||
	    !elf_dynamic(f, DT_STRSZ, &size))
		return false;

	struct cursor str = elf_data_at(f, strings);

	t->file = f;
	t->data = elf_data_at(f, symbols);
	t->strings = strings_of(cur_sub(&str, 0, MIN(size, cur_left(&str))));
	t->n = t->data.bad ? 0 : dynamic_count(f);
	t->n = MIN(t->n, cur_left(&t->data) / symbol_size(f));
	t->n = MIN(t->n, (size_t)SYMBOLS_MAX);
	return t->n > 0;
}

bool elf_symbols_static(const struct elf *f, struct elf_symbols *t)
{
	return by_section(f, ELF_SYMTAB, t);
}

bool elf_symbols_dynamic(const struct elf *f, struct elf_symbols *t)
{
	return by_section(f, ELF_DYNSYM, t) || by_dynamic(f, t);
}

static void read_64(struct cursor *c, struct elf_symbol *s, uint8_t *info, uint8_t *other)
{
	*info = cur_u8(c);
	*other = cur_u8(c);
	s->section = cur_u16(c);
	s->value = cur_u64(c);
	s->size = cur_u64(c);
}

static void read_32(struct cursor *c, struct elf_symbol *s, uint8_t *info, uint8_t *other)
{
	s->value = cur_u32(c);
	s->size = cur_u32(c);
	*info = cur_u8(c);
	*other = cur_u8(c);
	s->section = cur_u16(c);
}

bool elf_symbols_get(const struct elf_symbols *t, size_t i, struct elf_symbol *s)
{
	struct cursor c = t->data;
	uint8_t info, other;

	if (i >= t->n || mapped_stopped(t->file->file))
		return false;
	cur_skip(&c, i * symbol_size(t->file));
	s->name = cur_u32(&c);
	if (t->file->is64)
		read_64(&c, s, &info, &other);
	else
		read_32(&c, s, &info, &other);
	s->type = info & 15;
	s->bind = info >> 4;
	s->visibility = other & 3;
	return !c.bad;
}

const char *elf_symbols_name(const struct elf_symbols *t, const struct elf_symbol *s)
{
	return s->name < t->strings.n ? t->strings.s + s->name : "";
}

static bool named(const struct elf_symbols *t, const char *name, struct elf_symbol *s)
{
	for (size_t i = 1; elf_symbols_get(t, i, s); i++) {
		if (s->section != ELF_UNDEF && !strcmp(elf_symbols_name(t, s), name))
			return true;
	}
	return false;
}

bool elf_symbol_named(const struct elf *f, const char *name, struct elf_symbol *s)
{
	struct elf_symbols t;

	return (elf_symbols_static(f, &t) && named(&t, name, s)) ||
	       (elf_symbols_dynamic(f, &t) && named(&t, name, s));
}
