/* procmap.c - see procmap.h. */
#include "ftrace/procmap.h"

enum { MAPS_MAX = 64 << 20 };

/* "START-END perms offset device inode   FILE": START, END and FILE, where there is one. */
static bool cut_line(struct sv line, struct sv *start, struct sv *end, struct sv *file)
{
	struct sv word;

	if (!sv_cut(&line, '-', start) || !sv_cut(&line, ' ', end))
		return false;
	for (int i = 0; i < 4; i++)
		if (!sv_cut(&line, ' ', &word))
			return false;
	*file = sv_trim(line);
	return file->n;
}

static unsigned put_lines(struct sv maps, struct out *o)
{
	struct sv line, start, end, file;
	unsigned n = 0;

	while (sv_cut(&maps, '\n', &line)) {
		if (!cut_line(line, &start, &end, &file))
			continue;
		n++;
		out_printf(o, "%.*s %.*s ", (int)start.n, start.s, (int)end.n, end.s);
		out_sv(o, file);
		out_char(o, '\n');
	}
	return n;
}

void procmap_put(const struct sys *sys, int pid, struct out *o)
{
	char path[64], exe[PATH_MAX], *text;
	struct mem_out lines;
	unsigned n;
	size_t size;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	len = sys->readlink(sys, path, exe, sizeof(exe) - 1);
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (len <= 0 || sys_read_all(sys, path, MAPS_MAX, &text, &size, NULL))
		return;
	exe[len] = '\0';
	mem_out_init(&lines);
	n = put_lines((struct sv){ text, size }, &lines.out);
	if (n) {
		out_printf(o, "%x %x ", (unsigned)pid, n);
		out_str(o, exe);
		out_char(o, '\n');
		out_str(o, mem_out_str(&lines));
	}
	mem_out_deinit(&lines);
	free(text);
}
