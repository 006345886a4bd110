/* procmap.c - see procmap.h. */
#include "tracing/transport/procmap.h"

#include "sym/maps.h"

enum { TEXT_MAX = 64 << 20 };

static unsigned put_lines(struct sv maps, struct out *o)
{
	struct maps_line l;
	struct sv line;
	unsigned n = 0;

	while (sv_cut(&maps, '\n', &line)) {
		if (!maps_parse_line(line, &l) || !l.name.n)
			continue;
		n++;
		out_printf(o, "%llx %llx ", (unsigned long long)l.start, (unsigned long long)l.end);
		out_sv(o, l.name);
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
	if (len <= 0 || sys_read_all(sys, path, TEXT_MAX, &text, &size, NULL))
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
