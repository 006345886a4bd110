/* cmd_buildid_cache.c - sonde buildid-cache: copies of files by build id, for reports after the files change. */
#include "cmd/cmd.h"

#include "record/built.h"
#include "record/keep.h"
#include "sys/buildid_dir.h"

struct want {
	const char *add, *remove, *purge, *missing, *update;
	bool list, purge_all, ignored;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_STR('a', "add", struct want, add, "<files>", "add these files to the cache, comma-separated"),
	OPT_STR('r', "remove", struct want, remove, "<files>", "remove the current builds of these files"),
	OPT_STR('p', "purge", struct want, purge, "<paths>", "remove all builds of these paths"),
	OPT_FLAG('P', "purge-all", struct want, purge_all, "remove everything"),
	OPT_STR('u', "update", struct want, update, "<files>", "remove and add these files"),
	OPT_FLAG('l', "list", struct want, list, "list cached builds whose files are unchanged"),
	OPT_STR('M', "missing", struct want, missing, "<file>", "list builds of a recording that are not in the cache"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_COUNT('v', "verbose", struct want, verbose, "print each file"),
	OPT_REFUSED('k', "kcore", 0, "", "copies of the kernel's memory are not kept",
		    "'perf record --kcore' keeps one beside its recording, which is read here"),
	OPT_REFUSED('d', "debuginfod", OPT_OPTIONAL, "", "nothing is fetched from the network",
		    "add the file itself with -a"),
	OPT_REFUSED(0, "target-ns", 0, "", "files of another root are not kept from here",
		    "name them below /proc/PID/root"),
	OPT_END,
};

struct work {
	struct ctx *c;
	struct keep keep;
	const struct want *want;
	unsigned failed;
};

typedef int do_one(struct work *w, const char *name, struct err *e);

static void tell(const struct work *w, const char *what, const char *name)
{
	if (w->want->verbose)
		cmd_note(w->c, "%s %s", what, name);
}

/* --- one file ------------------------------------------------------------------------------------------------ */

static int add(struct work *w, const char *name, struct err *e)
{
	static const struct build_id any;
	struct keep_found f;
	int r = keep_find(&w->keep, name, &any, &f, e);

	if (r)
		return r;
	r = keep_add(&w->keep, &f, e);
	keep_drop(&w->keep, &f);
	tell(w, r == -EEXIST ? "was kept before:" : "kept", name);
	return r == -EEXIST ? 0 : r;
}

static int forget(void *arg, const char *id)
{
	struct work *w = arg;
	struct err e = { 0 };
	int r = keep_remove(&w->keep, id, &e);

	if (r) {
		cmd_fail(w->c, &e);
		w->failed++;
		return 0;
	}
	tell(w, "forgotten", id);
	return 0;
}

/* The build id of the file as it is now, in hexadecimal. */
static int id_of(struct work *w, const char *name, char *text, size_t size, struct err *e)
{
	static const struct build_id any;
	struct keep_found f;
	int r = keep_find(&w->keep, name, &any, &f, e);

	if (r)
		return r;
	build_id_text(&f.id, text, size);
	keep_drop(&w->keep, &f);
	return 0;
}

static int remove_one(struct work *w, const char *name, struct err *e)
{
	char id[2 * BUILD_ID_MAX + 1];
	int r = id_of(w, name, id, sizeof(id), e);

	if (r)
		return r;
	if (keep_has(&w->keep, id))
		return forget(w, id);
	tell(w, "was not kept:", name);
	return 0;
}

static int update(struct work *w, const char *name, struct err *e)
{
	int r = remove_one(w, name, e);

	return r ? r : add(w, name, e);
}

static int purge(struct work *w, const char *name, struct err *e)
{
	int r = keep_each_of(&w->keep, name, forget, w);

	if (r == -ENOENT)
		tell(w, "was not kept:", name);
	return r && r != -ENOENT ? err_set(e, -r, "cannot read %s of %s: %s", name, w->keep.dir, err_name(-r)) : 0;
}

/* names: "a,b". A failure is reported, and the remaining names are still processed. */
static void each_name(struct work *w, const char *names, do_one *one)
{
	struct sv rest = sv_from(names ? names : ""), part;
	char name[PATH_MAX];
	struct err e;

	while (names && sv_cut(&rest, ',', &part)) {
		if (!part.n || str_copy(name, sizeof(name), part) >= sizeof(name))
			continue;
		e = (struct err){ 0 };
		if (one(w, name, &e)) {
			cmd_fail(w->c, &e);
			w->failed++;
		}
	}
}

/* --- all ----------------------------------------------------------------------------------------------------- */

static int show(void *arg, const char *id)
{
	struct work *w = arg;
	char name[PATH_MAX], now[2 * BUILD_ID_MAX + 1];

	if (keep_name(&w->keep, id, name, sizeof(name)) && strcmp(name, "[vdso]") != 0 &&
	    !id_of(w, name, now, sizeof(now), NULL) && !strcmp(now, id))
		out_printf(w->c->out, "%s %s\n", id, name);
	return 0;
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int show_missing(struct work *w, struct err *e)
{
	struct session_want sw = { .path = w->want->missing };
	struct built b = { 0 };
	struct session s;
	char id[2 * BUILD_ID_MAX + 1];
	int r = session_open(&s, w->c->sys, &sw, e);

	if (r)
		return r;
	session_unordered(&s);
	r = built_head(&b, s.head) ? err_nomem(e) : built_records(&b, &s, BUILT_TOLD, e);
	for (size_t i = 0; i < b.v.n && !r; i++)
		if (b.v.v[i].id.size && !keep_has(&w->keep, build_id_text(&b.v.v[i].id, id, sizeof(id))))
			out_printf(w->c->out, "%-40s %s\n", id, b.v.v[i].name);
	session_footer(&s, SESSION_LOSSES, note, w->c);
	w->c->incomplete |= session_incomplete(&s);
	built_deinit(&b);
	session_close(&s);
	return r;
}

static int cache_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct want *w = want;
	struct work work = { .c = c, .keep = { .sys = c->sys, .is_fresh = true }, .want = w };
	char dir[PATH_MAX];
	struct err e = { 0 };

	work.keep.dir = buildid_dir(NULL, dir, sizeof(dir));
	if (!w->add && !w->remove && !w->purge && !w->purge_all && !w->missing && !w->update && !w->list) {
		err_set(&e, EINVAL, "what is to be done? -a keeps a file, -l lists what there is");
		return cmd_usage(c, cmd_find("buildid-cache"), &e);
	}
	if (!work.keep.dir) {
		err_set(&e, ENOENT, "HOME is not set: name the folder with --buildid-dir, before the command");
		return cmd_fail(c, &e);
	}
	if (w->list)
		keep_each(&work.keep, show, &work);
	each_name(&work, w->add, add);
	each_name(&work, w->remove, remove_one);
	each_name(&work, w->purge, purge);
	if (w->purge_all)
		keep_each(&work.keep, forget, &work);
	each_name(&work, w->update, update);
	if (w->missing && show_missing(&work, &e))
		return cmd_fail(c, &e);
	return work.failed ? EXIT_FAILED : EXIT_DONE;
}

DEFINE_CMD_NAMED(buildid_cache, "buildid-cache", .brief = "Manage the build ID cache: copies of DSOs for later reports",
		 .examples = PACKED(
			     "sonde buildid-cache -a a.out,/usr/lib/libx.so\tadd before rebuilding\n"
			     "sonde buildid-cache -a '[kernel.kallsyms]'\tthe running kernel\n"
			     "sonde buildid-cache -l\tcached files that are unchanged\n"
			     "sonde buildid-cache -M perf.data\tfiles of a recording that are not cached\n"
			     "sonde buildid-cache -r a.out -v\tremove this build, print it\n"
			     "sonde buildid-cache -u a.out\tremove and add it\n"
			     "sonde buildid-cache -p /usr/bin/a.out\tremove all its builds\n"
			     "sonde buildid-cache -P\tremove everything\n"
			     "sonde --buildid-dir DIR buildid-cache -l\tanother cache folder than ~/.debug\n"),
		 .details = PACKED(
			    "report, script, flame and all commands that print symbols use the cache for files that "
			    "are missing or have another build ID than recorded. The cache is --buildid-dir DIR (given "
			    "before the command), else PERF_BUILDID_DIR, else ~/.debug; with --symfs its .debug."),
		 .opts = opts, .want_size = sizeof(struct want), .run = cache_run);
