#include "obj/elf/usdt.h"

#include "obj/elf/note.h"

enum { NT_STAPSDT = 3 };

/* Limit: real files have two to five; searching very many for each note would take hours. */
enum { LOADS_MAX = 16 };

/* Limit for the bytes of notes: programs with the most markers have some ten thousand. */
enum { NOTES_BYTES_MAX = 1 << 24 };

struct reader {
	const struct elf *f;
	struct elf_segment loads[LOADS_MAX];
	unsigned n_loads;
	uint64_t base;       /* actual address of .stapsdt.base; 0: missing */
};

static void find_loads(struct reader *r)
{
	struct elf_segment s;

	for (uint32_t i = 0; r->n_loads < LOADS_MAX && elf_segment(r->f, i, &s); i++) {
		if (s.type == ELF_PT_LOAD)
			r->loads[r->n_loads++] = s;
	}
}

static bool offset_of(const struct reader *r, uint64_t addr, uint64_t *offset)
{
	for (unsigned i = 0; i < r->n_loads; i++) {
		const struct elf_segment *s = &r->loads[i];

		if (addr >= s->vaddr && addr - s->vaddr < s->filesz) {
			*offset = addr - s->vaddr + s->offset;
			return true;
		}
	}
	return false;
}

/* A note has addresses in the file's size: pc, base, semaphore; then three strings. */
static bool read_note(const struct reader *r, struct cursor c, struct usdt *u)
{
	*u = (struct usdt){ .pc = elf_word(r->f, &c) };

	uint64_t base = elf_word(r->f, &c);
	uint64_t moved = r->base ? r->base - base : 0;

	u->semaphore = elf_word(r->f, &c);
	u->provider = cur_str(&c);
	u->name = cur_str(&c);
	u->args = cur_str(&c);
	if (c.bad || !u->provider[0] || !u->name[0])
		return false;
	u->pc += moved;
	if (u->semaphore)
		u->semaphore += moved;
	if (!r->f->is64) {
		u->pc = (uint32_t)u->pc;
		u->semaphore = (uint32_t)u->semaphore;
	}
	return offset_of(r, u->pc, &u->offset) &&
	       (!u->semaphore || offset_of(r, u->semaphore, &u->semaphore_offset));
}

int usdt_each(const struct elf *f, int (*each)(void *arg, const struct usdt *u), void *arg, unsigned *damaged)
{
	struct reader r = { .f = f };
	struct elf_section s;
	struct note note;
	struct usdt u;
	int err = 0;

	*damaged = 0;
	if (elf_section_find(f, ".stapsdt.base", &s))
		r.base = s.addr;
	if (!elf_section_find(f, ".note.stapsdt", &s))
		return 0;
	find_loads(&r);

	struct cursor c = elf_section_data(f, &s);

	if (!c.bad && cur_left(&c) > NOTES_BYTES_MAX)
		c.end = c.pos + NOTES_BYTES_MAX;
	while (!err && (c.bad || cur_left(&c)) && !mapped_stopped(f->file)) {
		if (!note_next(&c, &note)) {
			++*damaged;
			break;
		}

		struct cursor desc = cur_from(note.desc, note.n);

		if (note.type != NT_STAPSDT || !sv_eq(note.name, "stapsdt"))
			continue;
		desc.swap = c.swap;
		if (read_note(&r, desc, &u))
			err = each(arg, &u);
		else
			++*damaged;
	}
	return err;
}

/* Length of a prefix like "-8f@" at s, 0: none. */
static size_t prefix(struct sv s, struct usdt_arg *a)
{
	size_t i = s.n && s.s[0] == '-', digits = i;
	int size = 0;

	for (; i < s.n && s.s[i] >= '0' && s.s[i] <= '9' && i < digits + 3; i++)
		size = size * 10 + s.s[i] - '0';
	if (i == digits)
		return 0;
	a->size = digits ? -size : size;
	a->is_float = i < s.n && s.s[i] == 'f';
	i += a->is_float;
	return i < s.n && s.s[i] == '@' ? i + 1 : 0;
}

static struct sv rest_of(struct sv s, size_t from)
{
	return (struct sv){ s.s + from, s.n - from };
}

bool usdt_next(struct sv *args, struct usdt_arg *a)
{
	struct usdt_arg next;
	struct sv s = sv_trim(*args);
	size_t at = 0, n = 0;

	*a = (struct usdt_arg){ 0 };
	if (!s.n)
		return false;
	at = prefix(s, a);
	if (!at)
		*a = (struct usdt_arg){ .size = 8 };    /* written by hand, without a size */
	s = rest_of(s, at);
	/* The operand ends where the next one begins, or at the end. */
	while (n < s.n && !(n && s.s[n - 1] == ' ' && prefix(rest_of(s, n), &next)))
		n++;
	a->operand = sv_trim((struct sv){ s.s, n });
	*args = rest_of(s, n);
	return a->operand.n != 0;
}
