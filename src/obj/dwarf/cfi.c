#include "obj/dwarf/cfi_parts.h"

/* Encodings of pointers: DW_EH_PE_*, Linux Standard Base, .eh_frame. */
enum {
	PE_FORMAT = 0x0f, PE_ULEB = 1, PE_UDATA2 = 2, PE_UDATA4 = 3, PE_UDATA8 = 4, PE_SLEB = 9, PE_SDATA2 = 10,
	PE_SDATA4 = 11, PE_SDATA8 = 12,
	PE_BASE = 0xf0, PE_PCREL = 0x10, PE_TEXTREL = 0x20, PE_DATAREL = 0x30, PE_ALIGNED = 0x50, PE_OMIT = 0xff,
};

enum { PT_GNU_EH_FRAME = 0x6474e550 };

int cfi_broken(struct err *e, uint64_t off, const char *what)
{
	return err_at(e, EBADMSG, off, "%s of the call frame information is broken", what);
}

static uint64_t read_word(struct cursor *c, unsigned size)
{
	return size == 8 ? cur_u64(c) : size == 4 ? cur_u32(c) : cur_u16(c);
}

static uint64_t read_format(struct cursor *c, unsigned format, unsigned addr_size)
{
	switch (format) {
	case 0:
		return read_word(c, addr_size);
	case PE_ULEB:
		return cur_uleb(c);
	case PE_UDATA2:
		return cur_u16(c);
	case PE_UDATA4:
		return cur_u32(c);
	case PE_SLEB:
		return (uint64_t)cur_sleb(c);
	case PE_SDATA2:
		return (uint64_t)(int16_t)cur_u16(c);
	case PE_SDATA4:
		return (uint64_t)(int32_t)cur_u32(c);
	case PE_UDATA8:
	case PE_SDATA8:
		return cur_u64(c);
	}
	c->bad = true;
	return 0;
}

/* s counts from the start of the section. */
uint64_t cfi_read_pointer(const struct cfi *c, struct cursor *s, uint8_t encoding, unsigned addr_size)
{
	if (encoding == PE_ALIGNED)
		cur_align(s, addr_size);

	uint64_t at = c->addr + cur_off(s), v = read_format(s, encoding & PE_FORMAT, addr_size);

	switch (encoding & PE_BASE) {
	case 0:
	case PE_ALIGNED:
		break;
	case PE_PCREL:
		v += at;
		break;
	case PE_TEXTREL:
		v += c->text;
		break;
	case PE_DATAREL:
		v += c->data;
		break;
	default:
		/* Indirect, or relative to the function, which is only being read: not supported. */
		s->bad = true;
	}
	return addr_size == 4 ? (uint32_t)v : v;
}

/* Open the sorted table of .eh_frame_hdr, if it is encoded in the only way that linkers use. */
static void read_header(struct cfi *c, struct cursor h, uint64_t addr, uint64_t *frames)
{
	struct cfi at_header = { .bytes = h, .addr = addr, .data = addr, .is64 = c->is64 };
	unsigned word = c->is64 ? 8 : 4, version = cur_u8(&h);
	uint8_t frames_as = cur_u8(&h), count_as = cur_u8(&h), table_as = cur_u8(&h);

	*frames = cfi_read_pointer(&at_header, &h, frames_as, word);
	if (h.bad || version != 1)
		*frames = 0;

	uint64_t n = cfi_read_pointer(&at_header, &h, count_as, word);

	if (h.bad || !*frames || table_as != (PE_DATAREL | PE_SDATA4) || n > cur_left(&h) / 8)
		return;
	c->table = cur_sub(&h, cur_off(&h), n * 8);
	c->table_addr = addr;
}

static uint64_t section_addr(const struct elf *f, const char *name)
{
	struct elf_section s;

	return elf_section_find(f, name, &s) ? s.addr : 0;
}

int cfi_init(struct cfi *c, const struct elf *f, struct err *e)
{
	struct elf_section s;
	struct elf_segment p;
	uint64_t frames = 0;

	*c = (struct cfi){
		.is_eh = true, .is64 = f->is64, .machine = f->machine, .text = section_addr(f, ".text"),
		.data = section_addr(f, ".got"), .file = f->file,
	};
	for (uint32_t i = 0; elf_segment(f, i, &p); i++) {
		if (p.type == PT_GNU_EH_FRAME) {
			read_header(c, elf_segment_data(f, &p), p.vaddr, &frames);
			break;
		}
	}
	if (elf_section_find(f, ".eh_frame", &s)) {
		c->bytes = elf_section_data(f, &s);
		c->addr = s.addr;
	} else if (frames) {
		c->bytes = elf_data_at(f, frames);
		c->addr = frames;
	}
	if (c->bytes.bad || !cur_left(&c->bytes))
		return err_set(e, ENODATA, "no .eh_frame");
	return 0;
}

/* Read the entry at an offset: 1, 0: the end, -EBADMSG. */
static int entry_at(const struct cfi *c, uint64_t off, struct cfi_entry *en, struct err *e)
{
	struct cursor s = c->bytes;

	cur_seek(&s, off);
	if (!s.bad && !cur_left(&s))
		return 0;

	uint64_t n = cur_u32(&s);
	bool wide = n == UINT32_MAX;

	if (wide)
		n = cur_u64(&s);
	/* In .eh_frame a length of zero is the terminator; what follows may be something else. */
	if (!n && !s.bad && c->is_eh)
		return 0;
	if (s.bad || n > cur_left(&s))
		return cfi_broken(e, off, "length");
	s.end = s.pos + n;
	*en = (struct cfi_entry){ .off = off, .next = cur_off(&s) + n };
	if (!n) {
		en->is_cie = true;
		return 1;
	}

	uint64_t id_at = cur_off(&s), id = wide && !c->is_eh ? cur_u64(&s) : cur_u32(&s);

	en->is_cie = c->is_eh ? !id : id == (wide ? UINT64_MAX : UINT32_MAX);
	en->cie = c->is_eh ? id_at - id : id;
	en->c = s;
	return s.bad ? cfi_broken(e, off, "entry") : 1;
}

/* The augmentation string describes further fields; an unknown letter ends the parsing, since the length is known. */
static void read_augmentation(const struct cfi *c, struct cursor *s, const char *letters, struct cfi_cie *cie)
{
	if (*letters != 'z')
		return;
	cie->sized = true;

	uint64_t n = cur_uleb(s);
	struct cursor data = *s;

	cur_skip(s, n);
	if (s->bad)
		return;
	data.end = s->pos;
	for (const char *l = letters + 1; *l && strchr("RPLSBG", *l); l++) {
		if (*l == 'R') {
			cie->encoding = cur_u8(&data);
		} else if (*l == 'S') {
			cie->is_signal = true;
		} else if (*l == 'L') {
			cur_skip(&data, 1);
		} else if (*l == 'P') {
			uint8_t as = cur_u8(&data);

			if (as != PE_OMIT)
				cfi_read_pointer(c, &data, as == PE_ALIGNED ? as : as & PE_FORMAT, cie->addr_size);
		}
	}
	s->bad = data.bad;
}

static int read_cie(const struct cfi *c, uint64_t off, struct cfi_cie *cie, struct err *e)
{
	struct cfi_entry en;
	int got = entry_at(c, off, &en, e);

	if (got < 0)
		return got;
	if (!got || !en.is_cie)
		return cfi_broken(e, off, "reference to a common entry");

	struct cursor s = en.c;
	unsigned version = cur_u8(&s);
	const char *letters = cur_str(&s);

	*cie = (struct cfi_cie){ .off = off, .addr_size = c->is64 ? 8 : 4 };
	if (!c->is_eh && version >= 4) {
		cie->addr_size = cur_u8(&s);
		cie->segment_size = cur_u8(&s);
	}
	/* Old GNU compilers: augmentation "eh", a pointer to exception tables. */
	if (letters[0] == 'e' && letters[1] == 'h') {
		cur_skip(&s, cie->addr_size);
		letters += 2;
	}
	cie->code_align = cur_uleb(&s);
	cie->data_align = cur_sleb(&s);
	cie->ret = version == 1 ? cur_u8(&s) : cur_uleb(&s);
	read_augmentation(c, &s, letters, cie);
	cie->insns = s;
	if (s.bad || !(version == 1 || version == 3 || version == 4) ||
	    (cie->addr_size != 4 && cie->addr_size != 8 && cie->addr_size != 2))
		return cfi_broken(e, off, "common entry");
	return 0;
}

/* Read an FDE: code range and instructions. `cie` caches the CIE that was read last. */
static int read_fde(const struct cfi *c, const struct cfi_entry *en, struct cfi_cie *cie, struct cfi_fde *fde,
		    struct cursor *insns, struct err *e)
{
	bool is_held = cie->off == en->cie && cie->off != UINT64_MAX;
	int err = is_held ? 0 : read_cie(c, en->cie, cie, e);

	if (err) {
		cie->off = UINT64_MAX;
		return err;
	}

	struct cursor s = en->c;

	cur_skip(&s, cie->segment_size);
	fde->off = en->off;
	fde->start = cfi_read_pointer(c, &s, cie->encoding, cie->addr_size);

	uint64_t n = read_format(&s, cie->encoding & PE_FORMAT, cie->addr_size);

	fde->end = n > UINT64_MAX - fde->start ? fde->start : fde->start + n;
	if (cie->sized)
		cur_skip(&s, cur_uleb(&s));
	*insns = s;
	return s.bad ? cfi_broken(e, en->off, "function's entry") : 0;
}

int cfi_each(const struct cfi *c, int (*each)(void *arg, const struct cfi_fde *fde), void *arg, struct err *e)
{
	struct cfi_cie cie = { .off = UINT64_MAX };
	struct cfi_entry en = { 0 };
	struct cursor insns;
	struct cfi_fde fde;
	int got;

	while ((got = entry_at(c, en.next, &en, e)) > 0 && !mapped_stopped(c->file)) {
		if (en.is_cie)
			continue;
		got = read_fde(c, &en, &cie, &fde, &insns, e);
		if (!got && fde.start < fde.end)
			got = each(arg, &fde);
		if (got)
			return got;
	}
	return got;
}

/*
 * The table entry that could contain pc, or the first one if pc is before all: offset of its FDE in the section, and
 * the function's start.
 */
static uint64_t find_in_table(const struct cfi *c, uint64_t pc, uint64_t *start)
{
	struct cursor t = c->table;
	size_t lo = 0, hi = cur_left(&t) / 8;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		cur_seek(&t, mid * 8);
		if (c->table_addr + (uint64_t)(int32_t)cur_u32(&t) <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	cur_seek(&t, (MAX(lo, (size_t)1) - 1) * 8);
	*start = c->table_addr + (uint64_t)(int32_t)cur_u32(&t);
	return c->table_addr + (uint64_t)(int32_t)cur_u32(&t) - c->addr;
}

struct search {
	uint64_t pc;
	struct cfi_fde *fde;
};

static int is_it(void *arg, const struct cfi_fde *fde)
{
	struct search *s = arg;

	*s->fde = *fde;
	return s->pc >= fde->start && s->pc < fde->end;
}

int cfi_find(const struct cfi *c, uint64_t pc, struct cfi_fde *fde, struct err *e)
{
	struct cfi_cie cie = { .off = UINT64_MAX };
	struct search s = { pc, fde };
	struct cursor insns;
	struct cfi_entry en;
	uint64_t start = 0;

	/*
	 * If table entry and FDE agree the answer is final: otherwise each address without an FDE would need a linear
	 * search.
	 */
	if (cur_left(&c->table) && entry_at(c, find_in_table(c, pc, &start), &en, NULL) > 0 && !en.is_cie &&
	    !read_fde(c, &en, &cie, fde, &insns, NULL) && (fde->start == start || is_it(&s, fde)))
		return is_it(&s, fde);
	return cfi_each(c, is_it, &s, e);
}

int cfi_open_fde(const struct cfi *c, const struct cfi_fde *fde, struct cfi_cie *cie, struct cursor *insns,
		 struct err *e)
{
	struct cfi_entry en;
	struct cfi_fde same;
	int got = entry_at(c, fde->off, &en, e);

	if (got < 0)
		return got;
	if (!got || en.is_cie)
		return cfi_broken(e, fde->off, "function's entry");
	cie->off = UINT64_MAX;
	return read_fde(c, &en, cie, &same, insns, e);
}
