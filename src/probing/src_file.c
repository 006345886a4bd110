/* src_file.c - finds a source file, and splits it into lines. */
#include "probing/src_file.h"

#include "obj/dwarf/line.h"

#include <sys/stat.h>

enum { SOURCE_MAX = 64 << 20 };

static int try_read(struct src_file *src, const struct subject *s, const char *path)
{
	struct stat st;

	/* The path comes from the debug information: do not block on a pipe. */
	if (s->sys->stat(s->sys, path, &st) || !S_ISREG(st.st_mode))
		return -ENOENT;
	str_copy(src->path, sizeof(src->path), sv_from(path));
	return sys_read_all(s->sys, path, SOURCE_MAX, &src->text, &src->n, NULL);
}

/* With --source DIR: try DIR/path, then drop leading folders of path one by one, for a tree that was moved. */
static int find(struct src_file *src, const struct subject *s, const char *file, const char *comp_dir)
{
	const char *dir = s->want->source, *rest = file;
	char path[PATH_MAX];
	size_t n = strlen(comp_dir);

	if (!dir)
		return try_read(src, s, file);
	if (n && !strncmp(file, comp_dir, n))
		rest = file + n;
	while (rest) {
		while (*rest == '/')
			rest++;
		snprintf(path, sizeof(path), "%s/%s", dir, rest);
		if (!try_read(src, s, path))
			return 0;
		rest = strchr(rest, '/');
	}
	return -ENOENT;
}

int src_file_open(struct src_file *src, const struct subject *s, const char *file, const char *comp_dir, struct err *e)
{
	struct sv rest, *at;

	memset(src, 0, sizeof(*src));
	if (find(src, s, file, comp_dir)) {
		err_set(e, ENOENT, "the source %s is not on this machine", file);
		return err_hint(e, "-s DIR says where it is");
	}
	rest = (struct sv){ src->text, src->n };
	while (rest.n) {
		at = vec_add(&src->lines);
		if (!at || !sv_cut(&rest, '\n', at))
			return at ? 0 : err_nomem(e);
	}
	return 0;
}

void src_file_close(struct src_file *src)
{
	vec_free(&src->lines);
	free(src->text);
}

struct sv src_file_line(const struct src_file *src, unsigned line)
{
	return line && line <= src->lines.n ? src->lines.v[line - 1] : (struct sv){ "", 0 };
}

static void squeeze(char *to, size_t size, struct sv from)
{
	size_t n = 0;

	for (size_t i = 0; i < from.n && n + 1 < size; i++)
		if (from.s[i] != ' ' && from.s[i] != '\t')
			to[n++] = from.s[i];
	to[n] = 0;
}

bool src_file_matches(const struct src_file *src, unsigned line, struct sv pattern)
{
	char text[1024], glob[512];

	squeeze(text, sizeof(text), src_file_line(src, line));
	squeeze(glob, sizeof(glob), pattern);
	return text[0] && str_glob(glob, sv_from(text));
}

struct last {
	uint64_t start, end;
	char file[PATH_MAX];
	const struct dwarf_unit *u;
	unsigned line;
};

static int later(void *arg, const struct dwarf_row *r)
{
	struct last *x = arg;
	char path[PATH_MAX];

	if (r->addr >= x->start && r->addr < x->end && !r->end_sequence && r->line > x->line &&
	    !strcmp(dwarf_file(x->u, r->file, path, sizeof(path)), x->file))
		x->line = r->line;
	return 0;
}

unsigned src_file_end_of(const struct dwarf_func *f)
{
	enum { DW_AT_DECL_FILE = 0x3a, RANGES = 16 };
	struct dwarf_range v[RANGES];
	struct dwarf_value file;
	struct last x = { .u = f->die.u };
	int n = die_ranges(&f->die, v, RANGES, NULL);

	if (die_attr_any(&f->die, DW_AT_DECL_FILE, &file, NULL) <= 0)
		return 0;
	dwarf_file(x.u, (uint32_t)file.u, x.file, sizeof(x.file));
	for (int i = 0; i < MIN(n, (int)RANGES); i++) {
		x.start = v[i].start;
		x.end = v[i].end;
		dwarf_each_row(x.u, later, &x, NULL);
	}
	return x.line;
}
