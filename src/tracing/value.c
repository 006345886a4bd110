/* value.c - reads settings, and writes them back. */
#include "tracing/value.h"

#include "base/fmt.h"
#include "base/map.h"

enum kind { PLAIN, CHOSEN, FUNCTIONS, PIDS, ENABLE, FILTER, SIZE, SWITCH, WORDS };

static enum kind kind_of(const char *file)
{
	static const struct {
		const char *name;
		enum kind kind;
	} kinds[] = {
		{"trace_clock", CHOSEN},
		{"set_ftrace_filter", FUNCTIONS},
		{"set_ftrace_notrace", FUNCTIONS},
		{"set_graph_function", FUNCTIONS},
		{"set_graph_notrace", FUNCTIONS},
		{"set_event_pid", PIDS},
		{"set_ftrace_pid", PIDS},
		{"set_event_notrace_pid", PIDS},
		{"set_ftrace_notrace_pid", PIDS},
		{"enable", ENABLE},
		{"filter", FILTER},
		{"buffer_size_kb", SIZE},
		{"tracing_on", SWITCH},
		{"mode", CHOSEN},   /* of hwlat_detector */
		{"options", WORDS}, /* of osnoise */
		{"stack_trace_filter", FUNCTIONS},
	};
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(name, kinds[i].name))
			return kinds[i].kind;
	return PLAIN;
}

/*
 * "f:traceoff:count=3" and other commands stay when the list is cleared; "f:mod:x" waits for a module and is cleared
 * with it.
 */
static bool is_command(struct sv line)
{
	const char *colon = memchr(line.s, ':', line.n);

	return colon && !memmem(line.s, line.n, ":mod:", 5);
}

/* Keep only the lines that are entries, each with its line feed; in place. */
static void keep_entries(char *text, enum kind kind)
{
	struct sv rest = sv_from(text), line;
	size_t n = 0;

	while (sv_cut(&rest, '\n', &line)) {
		if (!line.n || line.s[0] == '#' || (kind == FUNCTIONS && is_command(line)) ||
		    (kind == PIDS && sv_starts(line, "no pid")))
			continue;
		memmove(text + n, line.s, line.n);
		n += line.n;
		text[n++] = '\n';
	}
	text[n ? n - 1 : 0] = '\0';
}

/* Reduce text to the n bytes from `from` on. */
static void keep(char *text, const char *from, size_t n)
{
	memmove(text, from, n);
	text[n] = '\0';
}

static void tidy(char *text, enum kind kind)
{
	struct sv all = sv_trim(sv_from(text));
	char *p;

	if (kind == FUNCTIONS || kind == PIDS) {
		keep_entries(text, kind);
		return;
	}
	keep(text, all.s, all.n);
	if (kind == CHOSEN && (p = strchr(text, '[')))
		keep(text, p + 1, strcspn(p + 1, "]"));
	else if (kind == ENABLE && *text)
		text[1] = '\0';   /* "1*": also enabled softly by a trigger or the like */
	else if (kind == WORDS)
		for (p = text; (p = strchr(p, ' ')); )
			*p = '\n';   /* one word per write */
	else if (kind == FILTER && !strcmp(text, "none"))
		keep(text, "0", 1);
	else if (kind == SIZE && (p = strstr(text, "expanded: ")))
		keep(text, p + 10, strcspn(p + 10, ")"));
}

int value_read(const struct tfs *t, const char *file, char **text, struct err *e)
{
	size_t n;
	int r = tfs_read_all(t, file, text, &n, e);

	if (!r)
		tidy(*text, kind_of(file));
	return r;
}

/* --- lists of functions --- */

/* "vfs_read [ext4]" is shown, "vfs_read:mod:ext4" is written. */
static void put_by_name(struct out *o, struct sv line, enum kind kind, const char *file)
{
	const char *space = memchr(line.s, ' ', line.n);

	if (kind != FUNCTIONS || !space || space[1] != '[' || line.s[line.n - 1] != ']') {
		out_sv(o, line);
	} else {
		out_bytes(o, line.s, (size_t)(space - line.s));
		/* Graph lists do not accept module names. */
		if (!strstr(file, "graph")) {
			out_str(o, ":mod:");
			out_bytes(o, space + 2, line.n - (size_t)(space + 3 - line.s));
		}
	}
	out_char(o, '\n');
}

static int put_names(const struct tfs *t, const char *file, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), line;
	struct mem_out m;
	int r;

	mem_out_init(&m);
	while (sv_cut(&rest, '\n', &line))
		if (line.n)
			put_by_name(&m.out, line, kind_of(file), file);
	r = tfs_put(t, file, mem_out_str(&m), e);
	mem_out_deinit(&m);
	return r;
}

/* Write the indices of the lines of available_filter_functions that are wanted; a name may occur repeatedly. */
static void out_numbers(struct out *o, const char *all, const struct names *wanted, uint32_t *left)
{
	struct sv rest = sv_from(all), line;

	for (uint64_t number = 1; sv_cut(&rest, '\n', &line); number++) {
		uint32_t id = line.n ? names_find(wanted, line.s, line.n) : NAMES_NONE;

		if (id == NAMES_NONE || !left[id])
			continue;
		left[id]--;
		out_u64(o, number);
		out_char(o, ' ');
	}
	out_char(o, '\n');
}

static int put_numbers(const struct tfs *t, const char *file, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), line;
	struct names wanted = { 0 };
	VEC(uint32_t) left = { 0 };
	struct mem_out m;
	char *all;
	size_t n;
	int r = tfs_read_all(t, "available_filter_functions", &all, &n, e);

	if (r)
		return r;
	mem_out_init(&m);
	while (!r && sv_cut(&rest, '\n', &line)) {
		uint32_t id = names_add(&wanted, line.s, line.n);

		if (id == NAMES_NONE || (id == left.n && !vec_add(&left)))
			r = err_nomem(e);
		else
			left.v[id]++;
	}
	if (!r)
		out_numbers(&m.out, all, &wanted, left.v);
	/*
	 * Of entries that remain, those with a module are written by name: the module was unloaded, or is not loaded
	 * yet.
	 */
	for (uint32_t id = 0; !r && id < left.n; id++)
		if (left.v[id] && strstr(names_str(&wanted, id), ":mod:"))
			put_by_name(&m.out, sv_from(names_str(&wanted, id)), FUNCTIONS, file);
	r = r ? r : tfs_put(t, file, mem_out_str(&m), e);
	mem_out_deinit(&m);
	vec_free(&left);
	names_deinit(&wanted);
	free(all);
	return r;
}

int value_write(const struct tfs *t, const char *file, const char *text, struct err *e)
{
	enum { LONG = 32 };
	size_t lines = 0;

	if (kind_of(file) != FUNCTIONS)
		return tfs_put(t, file, text, e);
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		lines++;
	/* Graph lists do not accept numbers. */
	if (lines >= LONG && !strstr(file, "graph") && !put_numbers(t, file, text, NULL))
		return 0;
	return put_names(t, file, text, e);
}

/* --- is it still ours? --- */

bool value_hides(const char *file)
{
	return kind_of(file) == PIDS;
}

uint64_t value_mark(const char *text)
{
	size_t n = strlen(text);

	return (uint64_t)hash_bytes(text, n) << 24 | (n & 0xffffff);
}

enum value_state value_state(const char *file, const char *now, uint64_t mark)
{
	enum kind kind = kind_of(file);

	/*
	 * Forks and exits change pid lists, triggers change tracing_on; and a system shows X when somebody else has
	 * disabled one of its events.
	 */
	if (mark == VALUE_UNKNOWN || kind == PIDS || kind == SWITCH || (kind == ENABLE && *now == 'X'))
		return VALUE_IS_OURS;
	return value_mark(now) == mark ? VALUE_IS_OURS : VALUE_IS_OTHERS;
}
