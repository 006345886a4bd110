/* cmd_archive.c - sonde archive: a tar of the files that samples hit, for a report on a machine without them. */
#include "cmd/cmd.h"

#include "record/built.h"
#include "record/keep.h"
#include "show/gzip.h"
#include "show/tar.h"
#include "sys/buildid_dir.h"
#include "sys/output.h"

#include <fcntl.h>

struct want {
	struct session_want session;
	const char *output;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, session.path, "<file>", "recording to read (default perf.data)"),
	OPT_STR('o', "output", struct want, output, "<file>",
		"file to write (default: name of the recording + .tar.gz)"),
	OPT_COUNT('v', "verbose", struct want, verbose, "print each file"),
	OPT_REFUSED(0, "all", OPT_NO_VALUE, "", "the recording itself is not packed with them",
		    "copy both: reports need the recording unpacked"),
	OPT_REFUSED(0, "unpack", OPT_OPTIONAL, "", "tar unpacks it", "mkdir -p ~/.debug && tar xf FILE -C ~/.debug"),
	OPT_END,
};

struct work {
	struct ctx *c;
	const struct want *want;
	struct keep keep;
	struct out *out;         /* the tar stream */
	unsigned packed, missing;
};

/* --- files --------------------------------------------------------------------------------------------------- */

static void put_found(struct work *w, const struct keep_found *f)
{
	char id[2 * BUILD_ID_MAX + 1], path[2 * PATH_MAX], target[2 * PATH_MAX];

	build_id_text(&f->id, id, sizeof(id));
	snprintf(path, sizeof(path), ".build-id/%.2s/%s", id, id + 2);
	keep_target(f, target, sizeof(target));
	tar_link(w->out, path, target);
	for (unsigned i = 0; i < f->n; i++) {
		snprintf(path, sizeof(path), "%s/%s/%s", f->place, id, f->part[i].what);
		tar_file(w->out, path, 0755, f->part[i].bytes, f->part[i].n);
	}
	w->packed++;
}

static void pack_file(struct work *w, const struct built_file *file)
{
	struct keep_found f;
	struct err e = { 0 };
	int r;

	if (file->id.size < 2) {
		e.code = ENODATA;
		snprintf(e.text, sizeof(e.text), "%s: the recording does not tell which build it is", file->name);
	}
	r = e.code ? -e.code : keep_find(&w->keep, file->name, &file->id, &f, &e);
	if (r) {
		cmd_note(w->c, "left out: %s", e.text);
		w->missing++;
		return;
	}
	if (w->want->verbose)
		cmd_note(w->c, "%s", file->name);
	put_found(w, &f);
	keep_drop(&w->keep, &f);
}

/* Was it hit, and is there a file? Not of JIT code (perf-PID.map) or a DSO with neither an absolute path nor an id. */
static bool has_file(const struct built_file *f)
{
	return f->hit && (f->id.size || (f->name[0] == '/' && strncmp(f->name, "/tmp/perf-", 10) != 0));
}

static void pack_all(struct work *w, const struct built *b)
{
	for (size_t i = 0; i < b->v.n; i++)
		if (has_file(&b->v.v[i]))
			pack_file(w, &b->v.v[i]);
	tar_end(w->out);
}

/* --- the archive --------------------------------------------------------------------------------------------- */

static int pack_gzip(struct work *w, const struct built *b, struct out *o)
{
	struct gzip *g = gzip_new(o);

	if (!g)
		return -ENOMEM;
	w->out = gzip_out(g);
	pack_all(w, b);
	gzip_end(g);
	gzip_free(g);
	return 0;
}

static bool ends_in_tar(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && !strcmp(path + n - 4, ".tar");
}

static int write_archive(struct work *w, const struct built *b, const char *path, struct err *e)
{
	struct output file;
	char buf[65536];
	struct out o;
	int r = output_open(&file, w->c->sys, path, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, e);

	if (r)
		return r;
	o = (struct out){ .write = output_write, .arg = &file, .buf = buf, .cap = sizeof(buf) };
	w->out = &o;
	if (ends_in_tar(path))
		pack_all(w, b);
	else
		r = pack_gzip(w, b, &o) ? err_nomem(e) : 0;
	out_flush(&o);
	if (!r && o.error)
		r = err_set(e, -o.error, "cannot write %s: %s", path, err_name(-o.error));
	if (!r && !w->packed)
		r = err_set(e, ENOENT, "there is nothing to pack: no file with samples is known by its build id");
	if (r)
		output_discard(&file);
	else
		output_close(&file);
	return r;
}

static void tell(const struct work *w, const char *path)
{
	out_printf(w->c->out,
		   "Now please run:\n\n$ tar xvf %s -C ~/.debug\n\n"
		   "wherever you need to run 'perf report' or 'sonde report' on.\n",
		   path);
	if (w->missing)
		cmd_note(w->c, "%u of %u files are left out", w->missing, w->missing + w->packed);
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int read_files(struct ctx *c, const struct want *w, struct built *b, char *path, struct err *e)
{
	struct session s;
	int r = session_open(&s, c->sys, &w->session, e);

	if (r)
		return r;
	session_unordered(&s);
	snprintf(path, PATH_MAX, "%s.tar.gz", s.found.owned ? "perf.data" : s.path);
	r = built_head(b, s.head) ? err_nomem(e) : built_records(b, &s, BUILT_CHAINS, e);
	session_footer(&s, SESSION_LOSSES, note, c);
	c->incomplete |= session_incomplete(&s);
	session_close(&s);
	return r;
}

static int archive_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct want *w = want;
	struct work work = { .c = c, .want = w, .keep.sys = c->sys };
	struct built b = { 0 };
	char dir[PATH_MAX], path[PATH_MAX];
	struct err e = { 0 };
	int r;

	if (argc > 1 || (argc && w->session.path)) {
		err_set(&e, EINVAL, "what is '%s'? One recording at a time", argv[argc - 1]);
		return cmd_usage(c, cmd_find("archive"), &e);
	}
	if (argc)
		w->session.path = argv[0];
	work.keep.dir = buildid_dir(NULL, dir, sizeof(dir));
	work.keep.is_fresh = !work.keep.dir;
	r = read_files(c, w, &b, path, &e);
	if (!r)
		r = write_archive(&work, &b, w->output ? w->output : path, &e);
	if (!r)
		tell(&work, w->output ? w->output : path);
	built_deinit(&b);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(archive, .brief = "Pack the DSOs with samples of a recording, for another machine",
	   .synopsis = "[options] [file]",
	   .examples = PACKED(
		       "sonde archive\tperf.data.tar.gz, to unpack in ~/.debug of another machine\n"
		       "sonde archive -v -i board.data -o board.tar\tuncompressed, print each file\n"),
	   .details = PACKED(
		      "Files are found by their recorded build IDs, at their paths or in buildid-cache; kallsyms and "
		      "the vDSO are included. Files whose build ID differs now are left out and reported."),
	   .opts = opts, .want_size = sizeof(struct want), .run = archive_run);
