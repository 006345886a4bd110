/* probe_lines.c - sonde probe --line: the source around a place. */
#include "cmd/probe/probe.h"
#include "obj/dwarf/line.h"
#include "probing/src_file.h"

enum { DW_AT_DECL_FILE = 0x3a, DW_AT_DECL_LINE = 0x3b, MORE_LINES = 2, LINES_DEFAULT = 10 };

struct lines {
	struct src_file src;
	char file[PATH_MAX];
	const struct dwarf_unit *u;
	uint64_t first, last;    /* the lines to show */
	uint64_t base;           /* the line with number 0; 0: numbers are the file's */
	uint64_t end;            /* last line of the function, or of the lines shown */
	uint64_t count, to;      /* "+COUNT", "-TO"; 0: not given */
	uint8_t *has_code;       /* by line - first */
};

static int mark_row(void *arg, const struct dwarf_unit *u, const struct dwarf_row *r)
{
	struct lines *l = arg;
	char path[PATH_MAX];

	if (r->line >= l->first && r->line <= l->end && !strcmp(dwarf_file(u, r->file, path, sizeof(path)), l->file))
		l->has_code[r->line - l->first] = 1;
	return 0;
}

/* Cut "+NUM" or "-END" behind a line off the text, for the grammar of points does not know it. */
static int cut_range(struct lines *l, char *text, struct err *e)
{
	char *colon = strrchr(text, ':'), *at;
	uint64_t v;

	at = colon ? strpbrk(colon, "+-") : NULL;
	if (!at || at == colon + 1 || (size_t)(at - colon - 1) != strspn(colon + 1, "0123456789"))
		return 0;
	if (!str_u64(sv_from(at + 1), 10, &v) || !v || v > INT_MAX)
		return point_mark(e, text, at + 1, "a number of lines is expected here, from 1 to 2147483647");
	*(*at == '+' ? &l->count : &l->to) = v;
	*at = 0;
	return 0;
}

/* Check that the lines are in the file; the last one is limited to its end. */
static int check_range(struct lines *l, struct err *e)
{
	if (l->first > l->src.lines.n)
		return err_set(e, EINVAL, "line %llu is not in %s, which has %zu lines",
			       (unsigned long long)l->first, l->src.path, l->src.lines.n);
	if (l->last < l->first)
		return err_set(e, EINVAL, "the lines end before they begin");
	l->last = MIN(l->last, l->src.lines.n);
	l->end = l->end ? MIN(l->end, l->last) : l->last;
	return 0;
}

static int put_lines(struct ctx *c, struct lines *l, const char *title, struct subject *s, struct err *e)
{
	unsigned near;
	int r = check_range(l, e);

	if (r)
		return r;
	l->has_code = calloc(l->last - l->first + 1, 1);
	if (!l->has_code)
		return err_nomem(e);
	r = dwarf_each_line(subject_dwarf(s, NULL), sv_from(l->file), DWARF_EVERY_LINE, mark_row, l, &near, e);
	if (r == -ENOMEM)
		return r;
	if (r < 0 && r != -ENOENT)
		cmd_note(c, "%s; lines with code may be without a number", e->text);
	*e = (struct err){ 0 };
	out_printf(c->out, "<%s%s%s:%llu>\n", title, title[0] ? "@" : "", l->src.path,
		   (unsigned long long)(l->first - l->base));
	for (uint64_t i = l->first; i <= l->last; i++) {
		struct sv text = src_file_line(&l->src, (unsigned)i);

		if (l->has_code[i - l->first])
			out_u64w(c->out, i - l->base, 7);
		else
			out_fill(c->out, ' ', 7);
		out_str(c->out, "  ");
		out_sv(c->out, text);
		out_char(c->out, '\n');
	}
	return 0;
}

struct func_in {
	struct sv src;          /* FUNC@SRC; empty: in any file */
	struct dwarf_func f;
};

static int keep_func(void *arg, const struct dwarf_func *f)
{
	struct func_in *to = arg;
	struct dwarf_value v;
	char path[PATH_MAX];

	if (to->src.n && (die_attr_any(&f->die, DW_AT_DECL_FILE, &v, NULL) <= 0 ||
			  !dwarf_file_is(dwarf_file(f->die.u, (uint32_t)v.u, path, sizeof(path)), to->src)))
		return 0;
	if (to->f.die.u && !to->f.is_inlined)
		return 0;
	to->f = *f;
	return !f->is_inlined;
}

static int range_of_func(struct lines *l, struct subject *s, const struct point *p, struct err *e)
{
	const char *name = p->func.s;
	struct func_in in = { .src = p->src };
	struct dwarf_value v;
	const struct err *why;
	struct dwarf *d = subject_dwarf(s, &why);
	int r;

	if (!d) {
		*e = *why;
		return -ENODATA;
	}
	r = dwarf_each_function(d, &(struct dwarf_func_want){ .name = name, .inlined = true }, keep_func, &in, e);
	if (r < 0)
		return r;

	struct dwarf_func f = in.f;

	if (!f.die.u || die_attr_any(&f.die, DW_AT_DECL_LINE, &v, e) <= 0)
		return err_set(e, ENOENT, "the debug information has no function '%s'%s%.*s", name,
			       p->src.n ? " in " : "", (int)p->src.n, p->src.s);
	l->base = MIN(v.u, (uint64_t)UINT_MAX);
	l->u = f.die.u;
	if (die_attr_any(&f.die, DW_AT_DECL_FILE, &v, e) <= 0)
		return err_set(e, ENOENT, "the debug information does not tell the file of '%s'", name);
	dwarf_file(l->u, (uint32_t)v.u, l->file, sizeof(l->file));
	l->first = l->base + p->line;
	l->end = src_file_end_of(&f);
	l->last = l->to ? l->base + l->to : l->count ? l->first + l->count - 1 : MAX(l->first, l->end + MORE_LINES);
	return 0;
}

static int keep_row(void *arg, const struct dwarf_unit *u, const struct dwarf_row *r)
{
	struct lines *l = arg;

	l->u = u;
	dwarf_file(u, r->file, l->file, sizeof(l->file));
	return 1;
}

static int range_of_file(struct lines *l, struct subject *s, const struct point *p, struct err *e)
{
	const struct err *why;
	struct dwarf *d = subject_dwarf(s, &why);
	struct sv file = p->kind == POINT_FUNC ? p->func : p->src;
	unsigned near = 0, line = p->line ? p->line : 1;
	int r;

	if (!d) {
		*e = *why;
		return -ENODATA;
	}
	l->u = NULL;
	l->base = l->end = 0;
	r = dwarf_each_line(d, file, line, keep_row, l, &near, e);
	if (r == -ENOENT && near)
		r = dwarf_each_line(d, file, near, keep_row, l, &near, e);
	if (r < 0 || !l->u)
		return err_set(e, ENOENT, "the debug information has no file '%.*s' with code from line %u on",
			       (int)file.n, file.s, line);
	l->first = line;
	l->last = p->kind == POINT_FUNC ? UINT64_MAX : line + (l->count ? l->count : LINES_DEFAULT) - 1;
	if (l->to)
		l->last = l->to;
	return 0;
}

static int range_of(struct lines *l, struct subject *s, const struct point *p, struct err *e)
{
	struct err in_file;
	int r;

	if ((p->kind != POINT_FUNC && p->kind != POINT_LINE) || p->offset || p->is_return || p->pattern.n ||
	    p->event.n)
		return err_set(e, EINVAL, "-L takes FUNC[:LINE[+COUNT|-END]] or FILE[:LINE[+COUNT|-END]]");
	if (p->kind == POINT_LINE)
		return range_of_file(l, s, p, e);
	r = range_of_func(l, s, p, e);
	/* A name that is no function may be a file. */
	if (r == -ENOENT && !p->has_line && !p->src.n && !range_of_file(l, s, p, &in_file)) {
		*e = (struct err){ 0 };
		return 0;
	}
	return r;
}

int probe_lines(struct ctx *c, struct probe_want *w, struct err *e)
{
	struct lines l = { 0 };
	struct subject s;
	struct arena arena = { 0 };
	struct point p = { 0 };
	char *text = strdup(w->point);
	int r = text ? probe_subject(c, w, &s, e) : err_nomem(e);

	if (r) {
		free(text);
		return r;
	}
	r = cut_range(&l, text, e);
	r = r ? r : probe_place(&p, &arena, text, e);
	r = r ? r : range_of(&l, &s, &p, e);
	r = r ? r : src_file_open(&l.src, &s, l.file, l.u->comp_dir, e);
	if (!r) {
		r = put_lines(c, &l, l.base ? p.func.s : "", &s, e);
		src_file_close(&l.src);
	}
	free(l.has_code);
	probe_tell_missing(c, w, &s, r, e);
	point_deinit(&p);
	arena_deinit(&arena);
	subject_close(&s);
	free(text);
	return r;
}
