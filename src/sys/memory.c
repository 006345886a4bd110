/* memory.c - /proc/meminfo, and memory.max of our control groups. */
#include "sys/memory.h"

#include <limits.h>

enum { TEXT = 4096 };

static uint64_t machine(const struct sys *s)
{
	char text[TEXT];
	struct sv rest, line, word;
	uint64_t kib;

	if (sys_read_text(s, "/proc/meminfo", text, sizeof(text)) <= 0)
		return UINT64_MAX;
	rest = sv_from(text);
	while (sv_cut(&rest, '\n', &line)) {
		sv_cut(&line, ':', &word);
		if (!sv_eq(word, "MemAvailable"))
			continue;
		line = sv_trim(line);
		sv_cut(&line, ' ', &word);
		return str_u64(word, 10, &kib) ? kib << 10 : UINT64_MAX;
	}
	return UINT64_MAX;
}

/*
 * The least limit of a cgroup and its ancestors; path is cut meanwhile. No limit reads as "max", or as a huge number.
 */
static uint64_t group(const struct sys *s, const char *root, char *path, const char *file)
{
	uint64_t least = UINT64_MAX, v;

	for (;;) {
		char *slash = strrchr(path, '/');

		if (!sys_read_u64(s, &v, "%s%s/%s", root, path, file))
			least = MIN(least, v);
		if (!slash)
			return least;
		*slash = '\0';
	}
}

static uint64_t groups(const struct sys *s)
{
	char text[TEXT], path[PATH_MAX];
	struct sv rest, line, id, kinds;
	uint64_t least = UINT64_MAX, limit = UINT64_MAX;

	if (sys_read_text(s, "/proc/self/cgroup", text, sizeof(text)) <= 0)
		return least;
	rest = sv_from(text);
	while (sv_cut(&rest, '\n', &line)) {
		if (!sv_cut(&line, ':', &id) || !sv_cut(&line, ':', &kinds) || !line.s)
			continue;
		str_copy(path, sizeof(path), line);
		if (sv_eq(id, "0") && !kinds.n)
			limit = group(s, "/sys/fs/cgroup", path, "memory.max");
		else if (sv_eq(kinds, "memory"))
			limit = group(s, "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes");
		least = MIN(least, limit);
	}
	return least;
}

uint64_t sys_memory_available(const struct sys *s)
{
	uint64_t a = machine(s), b = groups(s);

	return MIN(a, b);
}
