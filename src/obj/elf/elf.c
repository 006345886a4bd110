/* elf.c - the file header, sections and segments. */
#include "obj/elf/elf.h"

/* Limit for section names: otherwise many sections and one long string table would take hours. */
enum { NAME_MAX_LEN = 512 };

/* Real files have some thirty entries in their dynamic section. */
enum { DYNAMIC_MAX = 1 << 16 };

enum { CLASS_32 = 1, CLASS_64 = 2, DATA_LSB = 1, DATA_MSB = 2 };

enum { PN_XNUM = 0xffff, SHN_XINDEX = 0xffff };

static bool host_is_msb(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

uint64_t elf_word(const struct elf *f, struct cursor *c)
{
	return f->is64 ? cur_u64(c) : cur_u32(c);
}

static int ident(struct elf *f, struct err *e)
{
	const uint8_t *id = cur_bytes(&f->all, 16);

	if (!id || memcmp(id, "\177ELF", 4))
		return err_at(e, EBADMSG, 0, "not an ELF file");
	if (id[4] != CLASS_32 && id[4] != CLASS_64)
		return err_at(e, EBADMSG, 4, "unknown ELF class %u", id[4]);
	if (id[5] != DATA_LSB && id[5] != DATA_MSB)
		return err_at(e, EBADMSG, 5, "unknown ELF byte order %u", id[5]);
	f->is64 = id[4] == CLASS_64;
	f->all.swap = (id[5] == DATA_MSB) != host_is_msb();
	return 0;
}

/* Is the table within the file? */
static bool table_fits(const struct elf *f, uint64_t off, uint64_t n, uint16_t step)
{
	uint64_t size = (uint64_t)(f->all.end - f->all.start);

	return off <= size && n <= (size - off) / step;
}

/* Number of the table's entries before a long hole. */
static uint32_t table_has(const struct elf *f, uint64_t off, uint32_t n, uint16_t step)
{
	return (uint32_t)(mapped_until_hole(f->file, f->all.start + off, (size_t)n * step) / step);
}

/* Counts that exceed the header's 16 bits are in section 0. */
static void big_counts(struct elf *f, uint32_t *n_sections, uint32_t *n_segments)
{
	struct elf_section zero;

	f->n_sections = 1;
	if (!elf_section(f, 0, &zero))
		return;
	if (!*n_sections && zero.size <= UINT32_MAX)
		*n_sections = (uint32_t)zero.size;
	if (*n_segments == PN_XNUM)
		*n_segments = zero.info;
	if (f->names == SHN_XINDEX)
		f->names = zero.link;
}

static int tables(struct elf *f, uint32_t n_sections, uint32_t n_segments, struct err *e)
{
	uint16_t section_min = f->is64 ? 64 : 40, segment_min = f->is64 ? 56 : 32;
	bool sections = f->section_off && f->section_step >= section_min &&
			table_fits(f, f->section_off, 1, f->section_step);

	if (sections)
		big_counts(f, &n_sections, &n_segments);
	/* Images taken from memory and files cut by sstrip have no section table, but are still useful. */
	if (!sections || !table_fits(f, f->section_off, n_sections, f->section_step))
		n_sections = 0;
	f->n_sections = MIN(n_sections, (uint32_t)ELF_SECTIONS_MAX);
	if (f->n_sections)
		f->n_sections = table_has(f, f->section_off, f->n_sections, f->section_step);
	n_segments = MIN(n_segments, (uint32_t)ELF_SEGMENTS_MAX);
	if (!n_segments)
		return 0;
	if (f->segment_step < segment_min ||
	    !table_fits(f, f->segment_off, n_segments, f->segment_step))
		return err_at(e, EBADMSG, f->segment_off, "program headers are not in the file");
	f->n_segments = table_has(f, f->segment_off, n_segments, f->segment_step);
	return 0;
}

int elf_init(struct elf *f, const void *bytes, size_t n, struct err *e)
{
	return elf_init_mapped(f, bytes, n, NULL, e);
}

int elf_init_mapped(struct elf *f, const void *bytes, size_t n, const struct mapped *file, struct err *e)
{
	*f = (struct elf){ .all = cur_from(bytes, n), .file = file };

	int err = ident(f, e);

	if (err)
		return err;

	struct cursor c = f->all;

	f->type = cur_u16(&c);
	f->machine = cur_u16(&c);
	cur_skip(&c, 4);
	f->entry = elf_word(f, &c);
	f->segment_off = elf_word(f, &c);
	f->section_off = elf_word(f, &c);
	cur_skip(&c, 6);
	f->segment_step = cur_u16(&c);

	uint32_t n_segments = cur_u16(&c);

	f->section_step = cur_u16(&c);

	uint32_t n_sections = cur_u16(&c);

	f->names = cur_u16(&c);
	if (c.bad)
		return err_at(e, EBADMSG, n, "ELF header is cut");
	return tables(f, n_sections, n_segments, e);
}

bool elf_section(const struct elf *f, uint32_t i, struct elf_section *s)
{
	struct cursor c = f->all;

	if (i >= f->n_sections)
		return false;
	cur_seek(&c, f->section_off + (uint64_t)i * f->section_step);
	s->name = cur_u32(&c);
	s->type = cur_u32(&c);
	s->flags = elf_word(f, &c);
	s->addr = elf_word(f, &c);
	s->offset = elf_word(f, &c);
	s->size = elf_word(f, &c);
	s->link = cur_u32(&c);
	s->info = cur_u32(&c);
	s->align = elf_word(f, &c);
	s->entsize = elf_word(f, &c);
	return !c.bad;
}

bool elf_segment(const struct elf *f, uint32_t i, struct elf_segment *s)
{
	struct cursor c = f->all;

	if (i >= f->n_segments)
		return false;
	cur_seek(&c, f->segment_off + (uint64_t)i * f->segment_step);
	s->type = cur_u32(&c);
	if (f->is64)
		s->flags = cur_u32(&c);
	s->offset = elf_word(f, &c);
	s->vaddr = elf_word(f, &c);
	elf_word(f, &c);
	s->filesz = elf_word(f, &c);
	s->memsz = elf_word(f, &c);
	if (!f->is64)
		s->flags = cur_u32(&c);
	s->align = elf_word(f, &c);
	return !c.bad;
}

/* Empty parts may be anywhere: Go's .bss is beyond the end. */
static void reach(uint64_t *end, uint64_t off, uint64_t size)
{
	if (size)
		*end = MAX(*end, off + MIN(size, UINT64_MAX - off));
}

uint64_t elf_end(const struct elf *f)
{
	struct elf_section s;
	struct elf_segment p;
	struct cursor c = f->all;
	uint64_t end = 0, n;

	/* Take the header's count, as n_sections is 0 for a truncated table. */
	cur_seek(&c, f->is64 ? 60 : 48);
	n = cur_u16(&c);
	n = MAX(n, MAX(f->n_sections, 1u));
	if (f->section_off)
		reach(&end, f->section_off, n * f->section_step);
	for (uint32_t i = 0; elf_segment(f, i, &p); i++)
		reach(&end, p.offset, p.filesz);
	for (uint32_t i = 1; elf_section(f, i, &s); i++)
		reach(&end, s.offset, s.type == ELF_NOBITS ? 0 : s.size);
	return end;
}

static struct cursor data_at(const struct elf *f, uint64_t off, uint64_t size)
{
	struct cursor c = cur_sub(&f->all, off, size);

	if (!c.bad && f->file)
		c.end = c.start + mapped_until_hole(f->file, c.start, cur_left(&c));
	return c;
}

struct cursor elf_section_data(const struct elf *f, const struct elf_section *s)
{
	return data_at(f, s->type == ELF_NOBITS ? UINT64_MAX : s->offset, s->size);
}

struct cursor elf_segment_data(const struct elf *f, const struct elf_segment *s)
{
	return data_at(f, s->offset, s->filesz);
}

const char *elf_section_name(const struct elf *f, const struct elf_section *s)
{
	struct elf_section names;

	if (!elf_section(f, f->names, &names))
		return "";

	struct cursor all = elf_section_data(f, &names), c = all;

	cur_seek(&c, s->name);
	c = cur_sub(&all, s->name, c.bad ? 0 : MIN(cur_left(&c), NAME_MAX_LEN));
	return cur_str(&c);
}

bool elf_section_find(const struct elf *f, const char *name, struct elf_section *s)
{
	for (uint32_t i = 1; elf_section(f, i, s); i++) {
		if (!strcmp(elf_section_name(f, s), name))
			return true;
	}
	return false;
}

bool elf_section_find_type(const struct elf *f, uint32_t type, struct elf_section *s)
{
	for (uint32_t i = 1; elf_section(f, i, s); i++) {
		if (s->type == type)
			return true;
	}
	return false;
}

struct cursor elf_data_at(const struct elf *f, uint64_t vaddr)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(f, i, &s); i++) {
		if (s.type != ELF_PT_LOAD || vaddr < s.vaddr || vaddr - s.vaddr >= s.filesz)
			continue;

		struct cursor c = cur_sub(&f->all, s.offset, s.filesz);

		return c.bad ? c : data_at(f, s.offset + (vaddr - s.vaddr), s.filesz - (vaddr - s.vaddr));
	}
	return cur_sub(&f->all, UINT64_MAX, 0);
}

bool elf_dynamic(const struct elf *f, uint64_t tag, uint64_t *value)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(f, i, &s); i++) {
		if (s.type != ELF_PT_DYNAMIC)
			continue;

		struct cursor c = elf_segment_data(f, &s);

		for (unsigned n = 0; n < DYNAMIC_MAX; n++) {
			uint64_t t = elf_word(f, &c);

			*value = elf_word(f, &c);
			if (c.bad || !t)
				return false;
			if (t == tag)
				return true;
		}
	}
	return false;
}

static void code_add(struct elf_code *c, uint64_t start, uint64_t size)
{
	size_t i = c->n;

	if (!size || size > UINT64_MAX - start || c->n == ARRAY_SIZE(c->v))
		return;
	for (; i && c->v[i - 1].start > start; i--)
		c->v[i] = c->v[i - 1];
	c->v[i] = (struct elf_range){ start, start + size };
	c->n++;
}

void elf_code_init(struct elf_code *c, const struct elf *f)
{
	struct elf_section s;
	struct elf_segment p;

	c->n = 0;
	for (uint32_t i = 1; elf_section(f, i, &s); i++) {
		if (s.flags & ELF_ALLOC && s.flags & ELF_EXECINSTR)
			code_add(c, s.addr, s.size);
	}
	for (uint32_t i = 0; !f->n_sections && elf_segment(f, i, &p); i++) {
		if (p.type == ELF_PT_LOAD && p.flags & ELF_PF_X)
			code_add(c, p.vaddr, p.memsz);
	}
}

const struct elf_range *elf_code_find(const struct elf_code *c, uint64_t addr)
{
	for (size_t i = 0; i < c->n && c->v[i].start <= addr; i++) {
		if (addr < c->v[i].end)
			return &c->v[i];
	}
	return NULL;
}
