#include "obj/cfi.h"

/* How a pointer is written: DW_EH_PE_*, the Linux Standard Base's part of .eh_frame. */
enum {
	PE_FORMAT = 0x0f, PE_ULEB = 1, PE_UDATA2 = 2, PE_UDATA4 = 3, PE_UDATA8 = 4, PE_SLEB = 9, PE_SDATA2 = 10,
	PE_SDATA4 = 11, PE_SDATA8 = 12,
	PE_BASE = 0xf0, PE_PCREL = 0x10, PE_TEXTREL = 0x20, PE_DATAREL = 0x30, PE_ALIGNED = 0x50, PE_OMIT = 0xff,
};

enum { PT_GNU_EH_FRAME = 0x6474e550 };

/* States that DW_CFA_remember_state keeps: compilers nest one or two. */
enum { REMEMBER_MAX = 32 };

/* What all functions of a compilation have in common. */
struct cie {
	uint64_t off;                 /* UINT64_MAX: none is held */
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding, addr_size, segment_size;
	bool sized;                   /* augmentation data has its length in front */
	struct cursor insns;
};

struct entry {
	uint64_t off, next, cie;      /* cie: the one that this function's entry belongs to */
	bool is_cie;
	struct cursor c;              /* behind the id, up to the entry's end; cur_off is the section's offset */
};

static int broken(struct err *e, uint64_t off, const char *what)
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

/* `s` counts from the start of the section. */
static uint64_t read_pointer(const struct cfi *c, struct cursor *s, uint8_t encoding, unsigned addr_size)
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
		/* Through memory, or relative to what is only just being read. */
		s->bad = true;
	}
	return addr_size == 4 ? (uint32_t)v : v;
}

/* The pairs of .eh_frame_hdr that the linker sorted, when they are of the only kind that linkers write. */
static void read_header(struct cfi *c, struct cursor h, uint64_t addr, uint64_t *frames)
{
	struct cfi at_header = { .bytes = h, .addr = addr, .data = addr, .is64 = c->is64 };
	unsigned word = c->is64 ? 8 : 4, version = cur_u8(&h);
	uint8_t frames_as = cur_u8(&h), count_as = cur_u8(&h), table_as = cur_u8(&h);

	*frames = read_pointer(&at_header, &h, frames_as, word);
	if (h.bad || version != 1)
		*frames = 0;

	uint64_t n = read_pointer(&at_header, &h, count_as, word);

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

/* 1, 0: the end, -EBADMSG. */
static int entry_at(const struct cfi *c, uint64_t off, struct entry *en, struct err *e)
{
	struct cursor s = c->bytes;

	cur_seek(&s, off);
	if (!s.bad && !cur_left(&s))
		return 0;

	uint64_t n = cur_u32(&s);
	bool wide = n == UINT32_MAX;

	if (wide)
		n = cur_u64(&s);
	/* In .eh_frame a length of zero ends it, and what lies behind may be something else. */
	if (!n && !s.bad && c->is_eh)
		return 0;
	if (s.bad || n > cur_left(&s))
		return broken(e, off, "length");
	s.end = s.pos + n;
	*en = (struct entry){ .off = off, .next = cur_off(&s) + n };
	if (!n) {
		en->is_cie = true;
		return 1;
	}

	uint64_t id_at = cur_off(&s), id = wide && !c->is_eh ? cur_u64(&s) : cur_u32(&s);

	en->is_cie = c->is_eh ? !id : id == (wide ? UINT64_MAX : UINT32_MAX);
	en->cie = c->is_eh ? id_at - id : id;
	en->c = s;
	return s.bad ? broken(e, off, "entry") : 1;
}

/* Letters tell what else is in the entry; those that are not known end the reading, the length tells where it ends. */
static void read_augmentation(const struct cfi *c, struct cursor *s, const char *letters, struct cie *cie)
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
		} else if (*l == 'L') {
			cur_skip(&data, 1);
		} else if (*l == 'P') {
			uint8_t as = cur_u8(&data);

			if (as != PE_OMIT)
				read_pointer(c, &data, as == PE_ALIGNED ? as : as & PE_FORMAT, cie->addr_size);
		}
	}
	s->bad = data.bad;
}

static int read_cie(const struct cfi *c, uint64_t off, struct cie *cie, struct err *e)
{
	struct entry en;
	int got = entry_at(c, off, &en, e);

	if (got < 0)
		return got;
	if (!got || !en.is_cie)
		return broken(e, off, "reference to a common entry");

	struct cursor s = en.c;
	unsigned version = cur_u8(&s);
	const char *letters = cur_str(&s);

	*cie = (struct cie){ .off = off, .addr_size = c->is64 ? 8 : 4 };
	if (!c->is_eh && version >= 4) {
		cie->addr_size = cur_u8(&s);
		cie->segment_size = cur_u8(&s);
	}
	/* Old GNU compilers: a pointer to exception tables. */
	if (letters[0] == 'e' && letters[1] == 'h') {
		cur_skip(&s, cie->addr_size);
		letters += 2;
	}
	cie->code_align = cur_uleb(&s);
	cie->data_align = cur_sleb(&s);
	if (version == 1)
		cur_skip(&s, 1);
	else
		cur_uleb(&s);
	read_augmentation(c, &s, letters, cie);
	cie->insns = s;
	if (s.bad || !(version == 1 || version == 3 || version == 4) ||
	    (cie->addr_size != 4 && cie->addr_size != 8 && cie->addr_size != 2))
		return broken(e, off, "common entry");
	return 0;
}

/* Code and instructions of a function's entry. `cie` holds the common entry of the last one. */
static int read_fde(const struct cfi *c, const struct entry *en, struct cie *cie, struct cfi_fde *fde,
		    struct cursor *insns, struct err *e)
{
	int err = cie->off == en->cie ? 0 : read_cie(c, en->cie, cie, e);

	if (err) {
		cie->off = UINT64_MAX;
		return err;
	}

	struct cursor s = en->c;

	cur_skip(&s, cie->segment_size);
	fde->off = en->off;
	fde->start = read_pointer(c, &s, cie->encoding, cie->addr_size);

	uint64_t n = read_format(&s, cie->encoding & PE_FORMAT, cie->addr_size);

	fde->end = n > UINT64_MAX - fde->start ? fde->start : fde->start + n;
	if (cie->sized)
		cur_skip(&s, cur_uleb(&s));
	*insns = s;
	return s.bad ? broken(e, en->off, "function's entry") : 0;
}

int cfi_each(const struct cfi *c, int (*each)(void *arg, const struct cfi_fde *fde), void *arg, struct err *e)
{
	struct cie cie = { .off = UINT64_MAX };
	struct entry en = { 0 };
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

/* The pair of the sorted table that would have pc: offset of its entry in the section. */
static uint64_t find_in_table(const struct cfi *c, uint64_t pc)
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
	if (!lo)
		return UINT64_MAX;
	cur_seek(&t, lo * 8 - 4);
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
	struct cie cie = { .off = UINT64_MAX };
	struct search s = { pc, fde };
	struct cursor insns;
	struct entry en;

	if (cur_left(&c->table) && entry_at(c, find_in_table(c, pc), &en, NULL) > 0 && !en.is_cie &&
	    !read_fde(c, &en, &cie, fde, &insns, NULL) && is_it(&s, fde))
		return 1;
	return cfi_each(c, is_it, &s, e);
}

/* --- the rules for the CFA --- */

enum { CFA_NONE, CFA_REG, CFA_EXPRESSION };

struct rule {
	unsigned how;           /* CFA_* */
	struct cfi_cfa cfa;
};

struct machine {
	const struct cfi *c;
	const struct cie *cie;
	uint64_t pc, loc;       /* the rules of pc are wanted; those that are read now begin at loc */
	struct rule now, kept[REMEMBER_MAX];
	unsigned n_kept;
};

static void advance(struct machine *m, uint64_t by)
{
	m->loc += by * m->cie->code_align;
}

static void define(struct machine *m, unsigned reg, int64_t off)
{
	m->now = (struct rule){ CFA_REG, { reg, off } };
}

/* Instructions that carry a number in their low bits. */
enum { CFA_ADVANCE = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0 };

/* Those that change the CFA or the place; false: it is none of them. */
static bool step_cfa(struct machine *m, struct cursor *s, unsigned op)
{
	struct cfi_cfa *cfa = &m->now.cfa;
	uint64_t reg;

	switch (op) {
	case 0x01:	/* set_loc */
		m->loc = read_pointer(m->c, s, m->cie->encoding, m->cie->addr_size);
		return true;
	case 0x02:	/* advance_loc1, 2, 4, and MIPS's 8 */
		advance(m, cur_u8(s));
		return true;
	case 0x03:
		advance(m, cur_u16(s));
		return true;
	case 0x04:
		advance(m, cur_u32(s));
		return true;
	case 0x1d:
		advance(m, cur_u64(s));
		return true;
	case 0x0c:	/* def_cfa */
		reg = cur_uleb(s);
		define(m, (unsigned)reg, (int64_t)cur_uleb(s));
		return true;
	case 0x12:	/* def_cfa_sf */
		reg = cur_uleb(s);
		define(m, (unsigned)reg, (int64_t)((uint64_t)cur_sleb(s) * (uint64_t)m->cie->data_align));
		return true;
	case 0x0d:	/* def_cfa_register */
		define(m, (unsigned)cur_uleb(s), cfa->off);
		return true;
	case 0x0e:	/* def_cfa_offset */
		define(m, cfa->reg, (int64_t)cur_uleb(s));
		return true;
	case 0x13:	/* def_cfa_offset_sf */
		define(m, cfa->reg, (int64_t)((uint64_t)cur_sleb(s) * (uint64_t)m->cie->data_align));
		return true;
	case 0x0f:	/* def_cfa_expression */
		cur_skip(s, cur_uleb(s));
		m->now.how = CFA_EXPRESSION;
		return true;
	}
	return false;
}

/* Those that tell where registers are kept, which is not asked here. */
static int step_over(struct cursor *s, unsigned op)
{
	switch (op) {
	case 0x00:	/* nop */
	case 0x2c:	/* AARCH64_negate_ra_state_with_pc */
	case 0x2d:	/* AARCH64_negate_ra_state */
		return 0;
	case 0x05:	/* offset_extended */
	case 0x09:	/* register */
	case 0x11:	/* offset_extended_sf */
	case 0x14:	/* val_offset */
	case 0x15:	/* val_offset_sf */
	case 0x2f:	/* GNU_negative_offset_extended */
		cur_uleb(s);
		cur_uleb(s);
		return 0;
	case 0x06:	/* restore_extended */
	case 0x07:	/* undefined */
	case 0x08:	/* same_value */
	case 0x2e:	/* GNU_args_size */
		cur_uleb(s);
		return 0;
	case 0x10:	/* expression */
	case 0x16:	/* val_expression */
		cur_uleb(s);
		cur_skip(s, cur_uleb(s));
		return 0;
	}
	return -EBADMSG;
}

static int step(struct machine *m, struct cursor *s)
{
	unsigned op = cur_u8(s);

	switch (op & 0xc0) {
	case CFA_ADVANCE:
		advance(m, op & 0x3f);
		return 0;
	case CFA_OFFSET:
		cur_uleb(s);
		return 0;
	case CFA_RESTORE:
		return 0;
	}
	if (op == 0x0a) {	/* remember_state */
		if (m->n_kept == REMEMBER_MAX)
			return -EBADMSG;
		m->kept[m->n_kept++] = m->now;
		return 0;
	}
	if (op == 0x0b) {	/* restore_state */
		if (!m->n_kept)
			return -EBADMSG;
		m->now = m->kept[--m->n_kept];
		return 0;
	}
	return step_cfa(m, s, op) ? 0 : step_over(s, op);
}

/* Up to where the place moves behind pc: that instruction changes no rule. */
static int run(struct machine *m, struct cursor s, struct err *e)
{
	while (cur_left(&s) && m->loc <= m->pc) {
		size_t at = cur_off(&s);

		if (step(m, &s) || s.bad)
			return broken(e, at, "instruction");
	}
	return 0;
}

int cfi_cfa(const struct cfi *c, const struct cfi_fde *fde, uint64_t pc, struct cfi_cfa *cfa, struct err *e)
{
	struct cie cie = { .off = UINT64_MAX };
	struct cfi_fde same;
	struct cursor insns;
	struct entry en;
	int err = entry_at(c, fde->off, &en, e);

	if (err < 0)
		return err;
	if (!err || en.is_cie)
		return broken(e, fde->off, "function's entry");
	err = read_fde(c, &en, &cie, &same, &insns, e);

	struct machine m = { .c = c, .cie = &cie, .pc = pc, .loc = same.start };

	if (!err)
		err = run(&m, cie.insns, e);
	if (!err)
		err = run(&m, insns, e);
	if (err)
		return err;
	if (m.now.how == CFA_EXPRESSION)
		return err_set(e, EOPNOTSUPP, "the frame address is an expression");
	if (m.now.how != CFA_REG)
		return broken(e, fde->off, "rule for the frame address");
	*cfa = m.now.cfa;
	return 0;
}
