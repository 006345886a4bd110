#include "obj/dwarf/line.h"

#include "obj/dwarf/parts.h"

enum {
	FORMATS_MAX = 8,        /* fields of a file entry: compilers write up to six */
	FILES_MAX = 32768,      /* limit for the files of a unit */
	PATH_SIZE = 4096,
};

/* Content types of fields of a file entry: DW_LNCT_* */
enum { LNCT_PATH = 1, LNCT_DIR = 2 };

/* Table of folders or files; from DWARF 5 on its entries are described by formats. */
struct table {
	struct cursor entries;
	uint64_t n;             /* upper limit; before DWARF 5 an empty name ends it */
	unsigned n_formats;
	struct {
		uint64_t what, form;
	} format[FORMATS_MAX];
	bool is_files;
};

struct file {
	const char *name;
	uint64_t dir;
};

struct program {
	const struct dwarf_unit *u;
	struct dwarf_unit forms;         /* copy of the unit with this table's sizes */
	unsigned version;
	uint8_t min_inst, opcode_base, line_range;
	int8_t line_base;
	bool is_stmt;
	const uint8_t *lengths;          /* operand counts of the standard opcodes, from 1 on */
	struct table dirs, files;
	struct cursor code;
};

static int broken(struct err *e, const struct cursor *c, const char *what)
{
	return err_at(e, EBADMSG, cur_off(c), "%s of a line table is broken", what);
}

/* --- folders and files --- */

static bool next_described(const struct program *p, struct cursor *c, const struct table *t, struct file *f)
{
	size_t before = cur_left(c);
	struct dwarf_value v;

	for (unsigned i = 0; i < t->n_formats && !c->bad; i++) {
		unsigned form = (unsigned)t->format[i].form;

		if (t->format[i].what != LNCT_PATH && t->format[i].what != LNCT_DIR) {
			if (dwarf_form_skip(&p->forms, form, c))
				return false;
			continue;
		}
		if (dwarf_form_read(&p->forms, form, 0, c, &v))
			return false;
		if (t->format[i].what == LNCT_DIR)
			f->dir = v.u;
		else if (dwarf_form_class(v.form) == DWARF_CLASS_STRING)
			f->name = v.block.s;
	}
	return !c->bad && cur_left(c) < before;
}

/* Read the next entry of the table; false: no more. */
static bool next_file(const struct program *p, struct cursor *c, const struct table *t, struct file *f)
{
	*f = (struct file){ .name = "" };
	if (p->version >= 5)
		return next_described(p, c, t, f);
	f->name = cur_str(c);
	if (!f->name[0])
		return false;
	if (t->is_files) {
		f->dir = cur_uleb(c);
		cur_uleb(c);
		cur_uleb(c);
	}
	return !c->bad;
}

static bool nth_file(const struct program *p, const struct table *t, uint64_t n, struct file *f)
{
	struct cursor c = t->entries;

	/* Before DWARF 5 files count from 1. */
	if (n >= t->n || (p->version < 5 && !n--))
		return false;
	do {
		if (!next_file(p, &c, t, f))
			return false;
	} while (n--);
	return true;
}

static const char *path_of(const struct program *p, const struct file *f, char *buf, size_t size)
{
	struct file dir = { .name = "" };
	const char *root = p->u->comp_dir;

	if (f->name[0] != '/')
		nth_file(p, &p->dirs, f->dir, &dir);
	if (f->name[0] == '/' || dir.name[0] == '/' || !strcmp(dir.name, root))
		root = "";
	snprintf(buf, size, "%s%s%s%s%s", root, *root ? "/" : "", dir.name, dir.name[0] ? "/" : "", f->name);
	return buf;
}

bool dwarf_file_is(const char *path, struct sv wanted)
{
	size_t n = strlen(path);

	while (wanted.n > 2 && wanted.s[0] == '.' && wanted.s[1] == '/') {
		wanted.s += 2;
		wanted.n -= 2;
	}
	return wanted.n && wanted.n <= n && !memcmp(path + n - wanted.n, wanted.s, wanted.n) &&
	       (wanted.n == n || path[n - wanted.n - 1] == '/');
}

/* --- the header --- */

static int read_formats(struct table *t, struct cursor *c, struct err *e)
{
	t->n_formats = cur_u8(c);
	if (t->n_formats > FORMATS_MAX)
		return broken(e, c, "description");
	for (unsigned i = 0; i < t->n_formats; i++) {
		t->format[i].what = cur_uleb(c);
		t->format[i].form = cur_uleb(c);
	}
	t->n = cur_uleb(c);
	t->entries = *c;
	return c->bad || t->n > cur_left(c) ? broken(e, c, "description") : 0;
}

static int read_tables(struct program *p, struct cursor *c, struct err *e)
{
	struct file f;

	p->files.is_files = true;
	if (p->version < 5) {
		p->dirs = (struct table){ .entries = *c, .n = UINT64_MAX };
		while (next_file(p, c, &p->dirs, &f))
			;
		p->files = (struct table){ .entries = *c, .n = UINT64_MAX, .is_files = true };
		return c->bad ? broken(e, c, "list of folders") : 0;
	}

	int err = read_formats(&p->dirs, c, e);

	for (uint64_t i = 0; !err && i < p->dirs.n; i++) {
		if (!next_file(p, c, &p->dirs, &f))
			err = broken(e, c, "list of folders");
	}
	return err ? err : read_formats(&p->files, c, e);
}

static int read_header(struct program *p, struct cursor c, struct err *e)
{
	uint64_t n = cur_u32(&c);
	bool wide = n == UINT32_MAX;

	if (wide)
		n = cur_u64(&c);
	if (c.bad || n > cur_left(&c))
		return broken(e, &c, "length");
	c.end = c.pos + n;
	p->version = cur_u16(&c);
	if (p->version < 2 || p->version > 5)
		return err_at(e, EBADMSG, cur_off(&c), "line table of version %u", p->version);
	p->forms.version = (uint16_t)p->version;
	p->forms.offset_size = wide ? 8 : 4;
	if (p->version >= 5) {
		p->forms.addr_size = cur_u8(&c);
		cur_skip(&c, 1);
	}
	n = wide ? cur_u64(&c) : cur_u32(&c);
	if (c.bad || n > cur_left(&c))
		return broken(e, &c, "length of the header");
	p->code = c;
	cur_skip(&p->code, n);
	c.end = p->code.pos;
	p->min_inst = cur_u8(&c);
	if (p->version >= 4)
		cur_skip(&c, 1);    /* operations per instruction: only for VLIW */
	p->is_stmt = cur_u8(&c);
	p->line_base = (int8_t)cur_u8(&c);
	p->line_range = cur_u8(&c);
	p->opcode_base = cur_u8(&c);
	p->lengths = cur_bytes(&c, p->opcode_base ? p->opcode_base - 1 : 0);
	if (c.bad || !p->opcode_base)
		return broken(e, &c, "header");
	return read_tables(p, &c, e);
}

static int program_init(struct program *p, const struct dwarf_unit *u, struct err *e)
{
	/* A unit in a .dwo uses the line table of its skeleton, in the main file. */
	struct cursor c = dwarf_section(u->d, DWARF_LINE);

	*p = (struct program){ .u = u, .forms = u->skeleton ? *u->skeleton : *u };
	if (!u->has_line)
		return err_set(e, ENODATA, "no line table");
	cur_seek(&c, u->line_off);
	return read_header(p, c, e);
}

const char *dwarf_file(const struct dwarf_unit *u, uint32_t file, char *buf, size_t size)
{
	struct program p;
	struct file f;

	if (!program_init(&p, u, NULL) && nth_file(&p, &p.files, file, &f))
		return path_of(&p, &f, buf, size);
	snprintf(buf, size, "%s", "");
	return buf;
}

/* --- the rows --- */

struct machine {
	const struct program *p;
	struct dwarf_row row;
	bool discarded;         /* the linker discarded this sequence's code */
	int (*each)(void *arg, const struct dwarf_row *r);
	void *arg;
};

static void begin_sequence(struct machine *m)
{
	m->row = (struct dwarf_row){ .file = 1, .line = 1, .is_stmt = m->p->is_stmt };
	m->discarded = true;
}

static int emit(struct machine *m)
{
	int got = m->discarded ? 0 : m->each(m->arg, &m->row);

	m->row.prologue_end = false;
	return got;
}

static int special(struct machine *m, unsigned op)
{
	unsigned adjusted = op - m->p->opcode_base;

	m->row.addr += (uint64_t)m->p->min_inst * (adjusted / m->p->line_range);
	m->row.line += (uint32_t)(m->p->line_base + (int)(adjusted % m->p->line_range));
	return emit(m);
}

static int extended(struct machine *m, struct cursor *c)
{
	uint64_t n = cur_uleb(c);
	struct cursor x = *c;
	int got = 0;

	cur_skip(c, n);
	if (c->bad || !n)
		return 0;
	switch (cur_u8(&x)) {
	case 1:	/* end_sequence */
		m->row.end_sequence = true;
		got = emit(m);
		begin_sequence(m);
		break;
	case 2:	/* set_address */
		m->row.addr = n == 9 ? cur_u64(&x) : n == 5 ? cur_u32(&x) : 0;
		m->discarded = dwarf_is_discarded(m->p->u, m->row.addr);
		break;
	}
	return got;
}

static int standard(struct machine *m, struct cursor *c, unsigned op)
{
	struct dwarf_row *r = &m->row;
	uint64_t n;

	switch (op) {
	case 1:	/* copy */
		return emit(m);
	case 2:	/* advance_pc */
		r->addr += cur_uleb(c) * m->p->min_inst;
		break;
	case 3:	/* advance_line */
		r->line += (uint32_t)cur_sleb(c);
		break;
	case 4:	/* set_file */
		n = cur_uleb(c);
		r->file = (uint32_t)MIN(n, UINT32_MAX);
		break;
	case 5:	/* set_column */
		n = cur_uleb(c);
		r->column = (uint16_t)MIN(n, UINT16_MAX);
		break;
	case 6:	/* negate_stmt */
		r->is_stmt = !r->is_stmt;
		break;
	case 8:	/* const_add_pc */
		r->addr += (uint64_t)m->p->min_inst * ((255u - m->p->opcode_base) / m->p->line_range);
		break;
	case 9:	/* fixed_advance_pc */
		r->addr += cur_u16(c);
		break;
	case 10:	/* set_prologue_end */
		r->prologue_end = true;
		break;
	default:	/* basic_block, epilogue_begin, isa, and newer ones */
		for (n = m->p->lengths[op - 1]; n; n--)
			cur_uleb(c);
	}
	return 0;
}

static int run(struct machine *m, struct err *e)
{
	const struct program *p = m->p;
	struct cursor c = p->code;

	begin_sequence(m);
	while (cur_left(&c)) {
		unsigned op = cur_u8(&c);
		int got;

		if ((op >= p->opcode_base || op == 8) && !p->line_range)
			return broken(e, &c, "header");
		if (op >= p->opcode_base)
			got = special(m, op);
		else
			got = op ? standard(m, &c, op) : extended(m, &c);
		if (got)
			return got;
		if (c.bad)
			return broken(e, &c, "program");
	}
	return 0;
}

int dwarf_each_row(const struct dwarf_unit *u, int (*each)(void *arg, const struct dwarf_row *r), void *arg,
		   struct err *e)
{
	struct program p;
	int err = program_init(&p, u, e);
	struct machine m = { .p = &p, .each = each, .arg = arg };

	return err ? err : run(&m, e);
}

struct at {
	uint64_t pc;
	struct dwarf_row before, *found;
	bool inside;            /* `before` belongs to this sequence */
};

static int covers(void *arg, const struct dwarf_row *r)
{
	struct at *a = arg;

	if (a->inside && a->before.addr <= a->pc && a->pc < r->addr) {
		*a->found = a->before;
		return 1;
	}
	a->before = *r;
	a->inside = !r->end_sequence;
	return 0;
}

int dwarf_row_at(const struct dwarf_unit *u, uint64_t pc, struct dwarf_row *r, struct err *e)
{
	struct at a = { .pc = pc, .found = r };

	return dwarf_each_row(u, covers, &a, e);
}

/* --- the code of a line --- */

struct line_search {
	struct dwarf *d;
	struct sv file;
	unsigned line;
	int (*each)(void *arg, const struct dwarf_unit *u, const struct dwarf_row *r);
	void *arg;
	const struct dwarf_unit *u;
	bool in_block, any;     /* the previous rows are of this line; something was found */
	uint64_t last;          /* address of the block's last row with is_stmt */
	uint32_t last_line;     /* its line */
	unsigned near;
	uint64_t wanted[FILES_MAX / 64];   /* bit set of matching file numbers */
};

static bool is_wanted(const struct line_search *s, uint32_t file)
{
	return file < FILES_MAX && s->wanted[file / 64] >> file % 64 & 1;
}

/* Identify the innermost inlined function at pc, or the out-of-line one. */
static uint64_t innermost(struct dwarf *d, uint64_t pc)
{
	struct dwarf_func v[DWARF_INLINE_DEPTH];
	int n = dwarf_functions_at(d, pc, v, NULL);

	return n > 0 ? v[n - 1].die.off : 0;
}

/* Two inlined copies may be adjacent, without a row of another line between them. */
static bool is_new_block(const struct line_search *s, uint64_t addr)
{
	return !s->in_block || (addr != s->last && innermost(s->d, s->last) != innermost(s->d, addr));
}

static int row_of_line(void *arg, const struct dwarf_row *r)
{
	struct line_search *s = arg;
	bool ours = !r->end_sequence && is_wanted(s, r->file);

	if (ours && r->is_stmt && r->line > s->line && (!s->near || r->line < s->near))
		s->near = r->line;
	/* Rows of line 0, which compilers put in between, do not end a block. */
	if (!r->line && !r->end_sequence)
		return 0;
	if (!ours || (s->line != DWARF_EVERY_LINE && r->line != s->line)) {
		s->in_block = false;
		return 0;
	}
	s->in_block &= r->line == s->last_line;
	if (!r->is_stmt)
		return 0;

	bool first = is_new_block(s, r->addr) && (!s->any || r->addr != s->last || r->line != s->last_line);

	s->in_block = s->any = true;
	s->last_line = r->line;
	s->last = r->addr;
	return first ? s->each(s->arg, s->u, r) : 0;
}

/* Find matching files of the table; most differ, which costs only a comparison of the last component. */
static bool find_files(struct line_search *s, const struct program *p)
{
	const char *slash = memrchr(s->file.s, '/', s->file.n);
	struct sv name = s->file;
	struct cursor c = p->files.entries;
	char path[PATH_SIZE];
	struct file f;
	bool any = false;

	if (slash)
		name = (struct sv){ slash + 1, (size_t)(s->file.s + s->file.n - slash - 1) };
	memset(s->wanted, 0, sizeof(s->wanted));
	for (uint32_t i = p->version < 5; i < MIN(p->files.n, FILES_MAX) && next_file(p, &c, &p->files, &f); i++) {
		if (!dwarf_file_is(f.name, name) || !dwarf_file_is(path_of(p, &f, path, sizeof(path)), s->file))
			continue;
		s->wanted[i / 64] |= UINT64_C(1) << i % 64;
		any = true;
	}
	return any;
}

/* Partial units and type units refer to the line tables of other units. */
static bool has_own_lines(const struct dwarf_unit *u)
{
	struct die die;

	return u->has_line && !die_at(u, u->first, &die, NULL) &&
	       (die.tag == DW_TAG_compile_unit || die.tag == DW_TAG_skeleton_unit);
}

static int search_unit(struct line_search *s, const struct dwarf_unit *u, struct err *e)
{
	struct program p;
	struct machine m = { .p = &p, .each = row_of_line, .arg = s };

	if (!has_own_lines(u) || program_init(&p, u, NULL) || !find_files(s, &p))
		return 0;
	s->u = u;
	s->in_block = false;
	return run(&m, e);
}

int dwarf_each_line(struct dwarf *d, struct sv file, unsigned line,
		    int (*each)(void *arg, const struct dwarf_unit *u, const struct dwarf_row *r), void *arg,
		    unsigned *near, struct err *e)
{
	struct line_search s = { .d = d, .file = file, .line = line, .each = each, .arg = arg };
	const struct dwarf_unit *u;

	for (size_t i = 0; (u = dwarf_unit_at(d, i, e)); i++) {
		int got = search_unit(&s, u, e);

		if (got)
			return got;
	}
	*near = s.any ? 0 : s.near;
	return s.any ? 0 : err_set(e, ENOENT, "line %u of %.*s has no code", line, (int)file.n, file.s);
}
