/*
 * plan_functions.c - function lists: globs are left to the kernel, regular expressions are matched here; also commands,
 * and errors that name the function.
 */
#include "tracing/plan_parts.h"

#include "base/fmt.h"
#include "base/map.h"
#include "base/rex.h"
#include "image/kallsyms_text.h"

struct lists {
	const struct plan *p;
	struct undo *u;
	const struct tfs *t;
	char *all;          /* text of available_filter_functions, read when first needed */
	size_t n;
};

static bool is_command(const char *word)
{
	return strchr(word, ':') && !strstr(word, ":mod:");
}

/*
 * As in trace-cmd: a glob has only letters, digits and _ * ? . in it; any other character (^ $ ...) makes it a regex.
 */
static bool is_regex(const char *word)
{
	size_t n = strlen(word);

	return !strchr(word, ':') && (word[0] == '^' || word[n - 1] == '$' || word[strcspn(word, "()|+\\{}^$")]);
}

static int need_all(struct lists *l, struct err *e)
{
	return l->all ? 0 : tfs_read_all(l->t, "available_filter_functions", &l->all, &l->n, e);
}

static struct sv name_of(struct sv line)
{
	const char *space = memchr(line.s, ' ', line.n);

	return space ? (struct sv){ line.s, (size_t)(space - line.s) } : line;
}

/* --- why a function is missing --- */

static bool in_kallsyms(const struct sys *sys, const char *name)
{
	struct kallsyms_line l;
	char *text;
	size_t n;
	bool found;

	if (sys_read_all(sys, "/proc/kallsyms", KALLSYMS_TEXT_MAX, &text, &n, NULL))
		return false;
	found = kallsyms_next_named(&(struct sv){ text, n }, sv_from(name), &l);
	free(text);
	return found;
}

/* Is it "name.isra.0" or the like, a clone that the compiler made of the function? */
static bool is_clone_of(struct sv clone, const char *name)
{
	size_t n = strlen(name);

	return clone.n > n && !memcmp(clone.s, name, n) && clone.s[n] == '.';
}

static int unknown(struct lists *l, const char *word, struct err *e)
{
	struct sv rest, line;
	struct nearest near;
	char text[200];

	if (str_is_glob(sv_from(word)) || is_regex(word))
		return err_set(e, ENOENT, "no function that can be traced matches '%s'", word);
	if (in_kallsyms(l->t->sys, word)) {
		err_set(e, ENOENT, "'%s' cannot be traced: it is in kallsyms but not in available_filter_functions",
			word);
		return err_hint(e, "the kernel marks it notrace or NOKPROBE, or it is assembly: trace what calls it");
	}
	nearest_init(&near, sv_from(word));
	rest = (struct sv){ l->all, l->n };
	while (sv_cut(&rest, '\n', &line)) {
		char *end = l->all + (name_of(line).s - l->all) + name_of(line).n;

		if (is_clone_of(name_of(line), word))
			return err_set(e, ENOENT, "the kernel has '%s' only as '%.*s'", word, (int)line.n, line.s);
		if (line.n) {
			*end = '\0';
			nearest_feed(&near, line.s);
		}
	}
	err_set(e, ENOENT, "no function '%s' that can be traced%s", word, nearest_text(&near, text, sizeof(text)));
	return near.name[0] ? -ENOENT : err_hint(e, "the compiler may have put it into its callers: trace those");
}

/* "ext4_*:mod:ext4": the kernel accepts a module that is not loaded yet, but one that is must have such a function. */
static bool has_in_module(struct lists *l, const char *word)
{
	const char *module = strstr(word, ":mod:") + strlen(":mod:");
	char glob[256], tail[80];
	struct sv rest = { l->all, l->n }, line;
	bool found = false;

	str_copy(glob, sizeof(glob), (struct sv){ word, (size_t)(module - strlen(":mod:") - word) });
	snprintf(tail, sizeof(tail), "* \\[%s\\]", module);
	while (!found && sv_cut(&rest, '\n', &line))
		found = str_glob(tail, line) && (!*glob || str_glob(glob + (*glob == '!'), name_of(line)));
	return found;
}

/* Report the first word that matches no function. */
static int blame(struct lists *l, const plan_words *words, struct err *e)
{
	struct sv rest, line;

	if (need_all(l, NULL))
		return e->code ? -e->code : -EIO;
	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->v[i];
		bool found = strchr(word, ':') != NULL || is_regex(word);

		if (strstr(word, ":mod:") && !has_in_module(l, word))
			return err_set(e, ENOENT, "no function that can be traced matches '%s'", word);
		rest = (struct sv){ l->all, l->n };
		while (!found && sv_cut(&rest, '\n', &line))
			found = str_glob(word + (*word == '!'), name_of(line));
		if (!found)
			return unknown(l, word, e);
	}
	return -e->code;
}

/* --- writing --- */

/* Write matches as numbers where the file takes them (Linux 5.1), else as names. */
static int out_regex(struct lists *l, const char *word, const char *file, struct out *o, struct err *e)
{
	struct sv rest, line;
	uint64_t number = 1, found = 0;
	bool names = strstr(file, "graph") != NULL;
	struct arena arena = { 0 };
	struct rex rex;
	int r = need_all(l, e);

	r = r ? r : rex_init(&rex, &arena, sv_from(word), e);
	if (r) {
		arena_deinit(&arena);
		return r;
	}
	rest = (struct sv){ l->all, l->n };
	for (; sv_cut(&rest, '\n', &line); number++) {
		if (!line.n || !rex_match(&rex, name_of(line)))
			continue;
		found++;
		if (names)
			out_sv(o, name_of(line));
		else
			out_u64(o, number);
		out_char(o, names ? '\n' : ' ');
	}
	out_char(o, '\n');
	arena_deinit(&arena);
	return found ? 0 : unknown(l, word, e);
}

/* Is the word a plain name? */
static bool is_name(const char *word)
{
	return *word && !strchr("0123456789!", *word) && !strpbrk(word, ":*?[") && !is_regex(word);
}

/*
 * For each name the kernel compares the names of all functions (ftrace_match_records): 10,000 names times 40,000
 * functions for a long list. A number finds the function at once (add_rec_by_index). Graph lists do not take numbers.
 */
static bool is_long(const struct lists *l, const char *file, const plan_words *words)
{
	enum { LONG = 32 };
	size_t n = 0;

	for (size_t i = 0; i < words->n; i++)
		n += is_name(words->v[i]);
	return n >= LONG && !l->p->module && !strstr(file, "graph");
}

/* Write the number of every function with a wanted name; several may share one name. */
static int out_found(struct lists *l, const struct names *wanted, struct out *o, struct err *e)
{
	struct sv rest = { l->all, l->n }, line;
	bool *found = calloc(wanted->list.n + 1, sizeof(*found));
	uint64_t number = 1;
	int r = found ? 0 : err_nomem(e);

	for (; !r && sv_cut(&rest, '\n', &line); number++) {
		struct sv name = name_of(line);
		uint32_t id = line.n ? names_find(wanted, name.s, name.n) : NAMES_NONE;

		if (id == NAMES_NONE)
			continue;
		found[id] = true;
		out_u64(o, number);
		out_char(o, ' ');
	}
	for (uint32_t id = 0; !r && id < wanted->list.n; id++)
		if (!found[id])
			r = unknown(l, names_str(wanted, id), e);
	free(found);
	out_char(o, '\n');
	return r;
}

static int out_numbers(struct lists *l, const plan_words *words, struct out *o, struct err *e)
{
	struct names wanted = { 0 };
	int r = need_all(l, e);

	for (size_t i = 0; !r && i < words->n; i++)
		if (is_name(words->v[i]) &&
		    names_add(&wanted, words->v[i], strlen(words->v[i])) == NAMES_NONE)
			r = err_nomem(e);
	r = r ? r : out_found(l, &wanted, o, e);
	names_deinit(&wanted);
	return r;
}

static int put_list(struct lists *l, const char *file, const plan_words *words, struct err *e)
{
	const char *module = strstr(file, "ftrace") ? l->p->module : NULL;
	bool numbers = is_long(l, file, words);
	struct mem_out m;
	size_t n = 0;
	int r = 0;

	mem_out_init(&m);
	if (numbers)
		r = out_numbers(l, words, &m.out, e);
	for (size_t i = 0; !r && i < words->n; i++) {
		const char *word = words->v[i];

		if (is_command(word) || !*word)
			continue;
		n++;
		if (numbers && is_name(word))
			continue;
		if (is_regex(word))
			r = out_regex(l, word, file, &m.out, e);
		else if (module && !strchr(word, ':'))
			out_printf(&m.out, "%s:mod:%s\n", word, module);
		else
			out_printf(&m.out, "%s\n", word);
	}
	/* --module without patterns means all of its functions. */
	if (module && !l->p->functions.n && !l->p->notrace.n && !strcmp(file, "set_ftrace_filter")) {
		out_printf(&m.out, "*:mod:%s\n", module);
		n++;
	}
	if (!r && (n || plan_must_clear(l->p, l->t, file)))
		r = undo_put(l->u, l->t, file, mem_out_str(&m), e);
	mem_out_deinit(&m);
	return r == -EINVAL ? blame(l, words, e) : r;
}

static int put_commands(struct lists *l, const plan_words *words, struct err *e)
{
	char removal[300];
	int r = 0;

	for (size_t i = 0; !r && i < words->n; i++) {
		if (!is_command(words->v[i]))
			continue;
		if (snprintf(removal, sizeof(removal), "!%s", words->v[i]) >= (int)sizeof(removal))
			return err_set(e, ENAMETOOLONG, "'%.60s...' is too long", words->v[i]);
		r = undo_append(l->u, l->t, "set_ftrace_filter", words->v[i], removal, e);
		if (r == -EINVAL || r == -ENOENT)
			err_hint(e, "FUNCTION:COMMAND[:COUNT], the commands are traceon traceoff snapshot stacktrace "
				    "dump cpudump "
				    "enable_event:SYSTEM:EVENT disable_event:SYSTEM:EVENT");
	}
	return r;
}

int plan_functions(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	const struct {
		const char *file;
		const plan_words *words;
	} files[] = {
		{ "set_ftrace_filter", &p->functions }, { "set_ftrace_notrace", &p->notrace },
		{ "set_graph_function", &p->graph },	{ "set_graph_notrace", &p->nograph },
	};
	struct lists l = { .p = p, .u = u, .t = t };
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(files); i++)
		r = put_list(&l, files[i].file, files[i].words, e);
	r = r ? r : put_commands(&l, &p->functions, e);
	free(l.all);
	return r;
}
