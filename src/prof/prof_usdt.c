/* prof_usdt.c - sonde prof usdt: lists USDT markers of programs (sys/sdt.h), and defines events for them. */
#include "obj/elf/usdt.h"
#include "probing/define.h"
#include "prof/prof.h"
#include "show/text.h"

struct want {
	struct prof_want prof;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_COUNT('v', "verbose", struct want, verbose, "print addresses, arguments and definitions, too"),
	OPT_STR('o', "output", struct want, prof.form.output, "<file>", "write here, not to standard output"),
	OPT_FLAG('q', "quiet", struct want, prof.form.quiet, "print errors only"),
	OPT_END,
};

enum verb { LIST, ADD, DEL, VERBS };
static const char *const verbs[VERBS] = { "list", "add", "del" };

/* [[PROVIDER:]NAME@]FILE[@ADDRESS][ ARGS] split into pieces of its text; empty: not given. */
struct usdt_want {
	struct sv provider, name, file, args;
	uint64_t addr;                   /* 0: any */
};

struct usdt_run {
	struct prof *prof;
	enum verb verb;
	struct out *out;
	struct usdt_want asked;
	char file[PATH_MAX];
	struct subject_want subject_want;
	struct subject subject;
	struct tfs tfs;
	struct kernel_list list;
	char *readme;
	struct arena arena;
	struct names seen;               /* "PROVIDER:NAME": one definition has all places of a marker */
	unsigned found, done;
	struct err *e;
};

/* The first '@', if text precedes it, ends a name; the last one begins an address. */
static int parse(struct usdt_want *a, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), words;
	const char *space = strchr(text, ' '), *at, *colon;

	*a = (struct usdt_want){ 0 };
	if (space) {
		a->args = sv_trim((struct sv){ space, strlen(space) });
		rest.n = (size_t)(space - text);
	}
	words = rest;
	at = memchr(words.s, '@', words.n);
	if (at && *words.s != '/' && *words.s != '.') {
		a->name = (struct sv){ words.s, (size_t)(at - words.s) };
		colon = memchr(words.s, ':', a->name.n);
		if (colon) {
			a->provider = (struct sv){ words.s, (size_t)(colon - words.s) };
			a->name = (struct sv){ colon + 1, (size_t)(at - colon) - 1 };
		}
		words = (struct sv){ at + 1, rest.n - (size_t)(at - rest.s) - 1 };
		at = memchr(words.s, '@', words.n);
	}
	a->file = words;
	if (at) {
		struct sv addr = { at + 1, (size_t)(words.s + words.n - at) - 1 };

		a->file.n = (size_t)(at - words.s);
		if (!str_u64(addr, 0, &a->addr) || !a->addr)
			return err_set(e, EINVAL, "%.200s: '%.*s' is no address", text, (int)MIN(addr.n, 60u), addr.s);
	}
	if (a->file.n && a->file.n < PATH_MAX)
		return 0;
	err_set(e, EINVAL, "%.200s: which program or library?", text);
	return err_hint(e, "[[PROVIDER:]NAME@]FILE[@ADDRESS]: libc:setjmp@/lib/libc.so.6");
}

static bool is_asked(const struct usdt_want *a, const struct usdt *u)
{
	return (!a->provider.n || sv_eq(a->provider, u->provider)) && (!a->name.n || sv_eq(a->name, u->name)) &&
	       (!a->addr || a->addr == u->pc);
}

static void put_name(const struct usdt_run *r, const struct usdt *u)
{
	text_put(r->out, sv_from(u->provider), TEXT_ALL, TEXT_PLAIN);
	out_char(r->out, ':');
	text_put(r->out, sv_from(u->name), TEXT_ALL, TEXT_PLAIN);
	out_char(r->out, '@');
	text_put(r->out, r->asked.file, TEXT_ALL, TEXT_PLAIN);
	out_char(r->out, '\n');
}

/* --- definitions --- */

/* Write only letters, digits and '_', which event names may have. */
static void put_plain(struct out *o, const char *name)
{
	for (; *name; name++)
		out_char(o, (*name | 32) >= 'a' && (*name | 32) <= 'z' ? *name
			    : *name >= '0' && *name <= '9' ? *name : '_');
}

/* Replace each %s of the N-th word by the N-th argument. */
static void put_args(struct out *o, struct sv args)
{
	struct sv word;

	for (unsigned n = 1; sv_cut(&args, ' ', &word); n++) {
		out_char(o, ' ');
		for (size_t i = 0; i < word.n; i++) {
			if (word.s[i] == '%' && i + 1 < word.n && word.s[i + 1] == 's') {
				out_printf(o, "$arg%u", n);
				i++;
			} else {
				out_char(o, word.s[i]);
			}
		}
	}
}

/* The point for probe/point.h: "libc:setjmp=%libc:setjmp ...". */
static void put_point(struct out *o, const struct usdt_run *r, const struct usdt *u)
{
	put_plain(o, u->provider);
	out_char(o, ':');
	put_plain(o, u->name);
	out_printf(o, "=%%%s:%s", u->provider, u->name);
	put_args(o, r->asked.args);
}

/* Of several places keep only the requested one. */
static void keep_one(struct definer *d, uint64_t addr)
{
	size_t n = 0;

	for (size_t i = 0; i < d->v.n; i++) {
		if (d->v.v[i].addr == addr && !n) {
			d->v.v[n] = d->v.v[i];
			d->v.v[n].before = 0;
			d->v.v[n++].shares = false;
			continue;
		}
		free(d->v.v[i].line);
		free(d->v.v[i].fetch);
	}
	d->v.n = n;
}

static int define(struct usdt_run *r, const struct usdt *u, struct definer *d)
{
	struct mem_out text;
	struct point p;
	int ret;

	mem_out_init(&text);
	put_point(&text.out, r, u);
	ret = point_parse(&p, &r->arena, mem_out_str(&text), r->e);
	ret = ret ? ret : define_point(d, &p, r->e);
	if (!ret && r->asked.addr)
		keep_one(d, r->asked.addr);
	point_deinit(&p);
	mem_out_deinit(&text);
	return ret;
}

/* Build the definition, and show or add it. */
static int with_definition(struct usdt_run *r, const struct usdt *u, bool add)
{
	static const struct define_want plain = { 0 };
	struct definer d;
	int ret;

	definer_init(&d, &r->subject, &plain, r->readme);
	d.there = add ? &r->list : NULL;
	ret = define(r, u, &d);
	if (!ret && add)
		ret = kernel_list_add(&r->list, &d, r->e);
	for (size_t i = 0; !ret && ((struct want *)r->prof->want)->verbose && i < d.v.n; i++)
		out_printf(r->out, "    Uprobe: %s\n", d.v.v[i].line);
	definer_deinit(&d);
	return ret;
}

/* --- what is done with each --- */

static int list(struct usdt_run *r, const struct usdt *u)
{
	put_name(r, u);
	if (!((struct want *)r->prof->want)->verbose)
		return 0;
	out_printf(r->out, "    Addr: 0x%016llx, Semaphore: 0x%016llx\n    Arguments: ", (unsigned long long)u->pc,
		   (unsigned long long)u->semaphore);
	text_put(r->out, sv_from(u->args), TEXT_ALL, TEXT_PLAIN);
	out_char(r->out, '\n');
	return with_definition(r, u, false);
}

static int add(struct usdt_run *r, const struct usdt *u)
{
	int ret = with_definition(r, u, true);

	if (!ret && !prof_want(r->prof)->form.quiet)
		put_name(r, u);
	r->done += !ret;
	return ret;
}

/* Remove by place, whatever its name and owner. */
static int del(struct usdt_run *r, const struct usdt *u)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < r->list.v.n; i++) {
		const struct dynevent *d = &r->list.v.v[i];

		if (d->kind != DYNEVENT_UPROBE || d->offset != u->offset ||
		    !sv_eq(d->target, r->subject.program.code.path))
			continue;
		ret = kernel_list_remove(&r->tfs, d, r->e);
		if (ret == -ENOENT)      /* another place of an event that is already removed */
			ret = 0;
		else if (!ret && !prof_want(r->prof)->form.quiet)
			put_name(r, u);
		r->done += !ret;
	}
	return ret;
}

static int each(void *arg, const struct usdt *u)
{
	struct usdt_run *r = arg;
	size_t n = r->seen.list.n;
	char name[300];

	if (!is_asked(&r->asked, u))
		return 0;
	r->found++;
	if (r->verb == ADD) {
		snprintf(name, sizeof(name), "%s:%s", u->provider, u->name);
		if (names_add(&r->seen, name, strlen(name)) == NAMES_NONE)
			return err_nomem(r->e);
		if (r->seen.list.n == n)
			return 0;
	}
	return (r->verb == LIST ? list : r->verb == ADD ? add : del)(r, u);
}

static int run_on(struct usdt_run *r, struct err *e)
{
	unsigned damaged = 0;
	int ret = usdt_each(&r->subject.program.code.elf, each, r, &damaged);

	if (damaged) {
		char line[120];

		snprintf(line, sizeof(line), "%u damaged markers were skipped", damaged);
		r->prof->how->note(r->prof->how->arg, line);
	}
	if (ret || (r->found && (r->verb == LIST || r->done)))
		return ret;
	if (r->found)
		return err_set(e, ENOENT, "%s: no event is defined of such a marker", r->file);
	err_set(e, ENOENT, "%s has no such marker", r->file);
	return err_hint(e, "sonde prof usdt list FILE lists them");
}

static int open_lists(struct usdt_run *r, struct err *e)
{
	int ret = tfs_open(&r->tfs, r->prof->sys, e);

	return ret ? ret : kernel_list_read(&r->list, &r->tfs, e);
}

static int one(struct usdt_run *r, const char *text, struct err *e)
{
	bool has_list = r->verb != LIST;
	int ret = parse(&r->asked, text, e);

	if (ret)
		return ret;
	snprintf(r->file, sizeof(r->file), "%.*s", (int)r->asked.file.n, r->asked.file.s);
	r->subject_want = (struct subject_want){ .exec = r->file };
	ret = subject_open(&r->subject, r->prof->sys, &r->subject_want, e);
	if (ret)
		return ret;
	r->readme = kernel_list_readme(r->prof->sys);
	ret = !r->readme ? err_nomem(e) : has_list ? open_lists(r, e) : 0;
	has_list &= !ret;
	ret = ret ? ret : run_on(r, e);
	if (has_list)
		kernel_list_deinit(&r->list);
	free(r->readme);
	names_deinit(&r->seen);
	arena_deinit(&r->arena);
	subject_close(&r->subject);
	return ret;
}

/* Users of perf-prof also put options behind the program. */
static void take_options(struct prof *p)
{
	struct want *w = p->want;
	int n = 0;

	for (int i = 0; i < p->argc; i++) {
		if (!strcmp(p->argv[i], "-v") || !strcmp(p->argv[i], "--verbose"))
			w->verbose++;
		else
			p->argv[n++] = p->argv[i];
	}
	p->argc = n;
}

static int alone(struct prof *p, struct out *o, struct err *e)
{
	enum verb verb = LIST;
	int r = 0;

	take_options(p);
	while (p->argc && verb < VERBS && strcmp(p->argv[0], verbs[verb]))
		verb++;
	if (!p->argc || verb == VERBS) {
		err_set(e, EINVAL, "usdt: list, add, or del?");
		return err_hint(e, "sonde prof usdt list /lib/libc.so.6");
	}
	if (p->argc < 2)
		return err_set(e, EINVAL, "usdt %s: of which program or library?", verbs[verb]);
	for (int i = 1; !r && i < p->argc; i++) {
		struct usdt_run run = { .prof = p, .verb = verb, .out = o, .e = e };

		r = one(&run, p->argv[i], e);
	}
	return r;
}

DEFINE_PROF(usdt) = {
	.cmd = {
		.name = "usdt", .family = "prof", .brief = "List USDT markers of programs, make events of them",
		.synopsis = "[-v] list|add|del [[PROVIDER:]NAME@]FILE[@ADDRESS][ ARGS] ...",
		.details = PACKED(
			"USDT markers are compiled into programs (sys/sdt.h, .note.stapsdt). add makes an event "
			"PROVIDER:NAME of each, which stays until del; for a single run -e "
			"'usdt:PROVIDER:NAME@\"FILE\"' is enough. ARGS are fetch arguments: %s in the nth of them is "
			"the marker's nth argument."),
		.examples = PACKED(
			"sonde prof usdt list /usr/lib/aarch64-linux-gnu/libstdc++.so.6\tlist all markers\n"
			"sonde prof usdt -v list libstdc++.so.6\twith arguments and definitions\n"
			"sonde prof usdt add libstdcxx:throw@/usr/lib/aarch64-linux-gnu/libstdc++.so.6\tmake an event\n"
			"sonde prof usdt add 'python:function__entry@/usr/bin/python3 file=+0(%s):string'\twith the "
				"first argument as string\n"
			"sonde prof trace -e libstdcxx:throw\ttrace it\n"
			"sonde prof usdt del libstdcxx:throw@/usr/lib/aarch64-linux-gnu/libstdc++.so.6\tremove it"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.alone = alone, .takes_words = true,
};
