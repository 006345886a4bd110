/* session_open.c - a recording opened, whatever its kind; and what there is to tell about it at the end. */
#include "source/session_parts.h"

#include "source/strangers.h"
#include "sys/notes.h"

#include <sys/stat.h>
#include <unistd.h>

enum { PIPE_MAX = 1u << 31 };

/* --- files for the resolver ---------------------------------------------------------------------------------- */

static int files_map(void *arg, const char *path, const uint8_t **p, size_t *n)
{
	const struct session *s = arg;

	return sys_map_file(s->sys, path, p, n, NULL);
}

static int files_map_inside(void *arg, const struct image_inside *in, const char *path, const uint8_t **p, size_t *n)
{
	const struct session *s = arg;
	struct sv bytes = { 0 };
	int r = strangers_map(s->sys, (int)in->pid, in->ino, path, &bytes);

	*p = (const uint8_t *)bytes.s;
	*n = bytes.n;
	return r;
}

static int files_jit(void *arg, uint32_t pid, int (*feed)(void *to, const char *text, size_t n), void *to)
{
	const struct session *s = arg;

	return strangers_jit(s->sys, (int)pid, feed, to);
}

static void files_unmap(void *arg, const uint8_t *p, size_t n)
{
	const struct session *s = arg;

	sys_unmap_file(s->sys, p, n);
}

static void files_forget(void *arg, const void *p, size_t n)
{
	const struct session *s = arg;

	if (s->sys->forget)
		s->sys->forget(s->sys, (void *)(uintptr_t)p, n);
}

static int files_kallsyms(void *arg, char **text, size_t *n)
{
	const struct session *s = arg;

	return s->kind->kallsyms(s, text, n);
}

static int files_kernel_id(void *arg, uint8_t id[20])
{
	const struct session *s = arg;
	struct build_id b;

	if (!sys_kernel_build_id(s->sys, &b))
		return -ENOENT;
	memset(id, 0, 20);
	memcpy(id, b.v, b.size);
	return 0;
}

/*
 * A recording with the kernel's symbols in it speaks for itself. Its kernel gets an id that nobody else has, so that no
 * other symbols are taken for its own.
 */
static const uint8_t own_id[20] = { 0xff };

static int files_own_id(void *arg UNUSED, uint8_t id[20])
{
	memcpy(id, own_id, sizeof(own_id));
	return 0;
}

static int files_vdso(void *arg UNUSED, const uint8_t **p, size_t *n)
{
	return sys_vdso(p, n);
}

/* perf record --kcore keeps the kernel's symbols beside the recording. NULL: it has none, or others were named. */
static const char *kept_kallsyms(struct session *s, const struct session_want *w)
{
	char path[PATH_MAX];

	if (!s->dir || w->kallsyms || w->vmlinux)
		return w->kallsyms;
	snprintf(path, sizeof(path), "%s/kcore_dir/kallsyms", s->dir);
	return sys_exists(s->sys, path) ? arena_dup(&s->file.arena, path, strlen(path)) : NULL;
}

static int make_resolver(struct session *s, const struct session_want *w, struct err *e)
{
	struct sym_want want = {
		.files = { .arg = s,
			   .map = files_map,
			   .map_inside = files_map_inside,
			   .jit = files_jit,
			   .unmap = files_unmap,
			   .forget = files_forget,
			   .mapped = s->sys->mapped,
			   .kallsyms = files_kallsyms,
			   .kernel_build_id = files_kernel_id,
			   .vdso = files_vdso },
		.arch = s->arch,
		.release = s->file.release,
		.symfs = w->symfs,
		.vmlinux = w->vmlinux,
		.kallsyms = kept_kallsyms(s, w),
		.names = w->mangled ? SYM_NAMES_MANGLED : w->full ? SYM_NAMES_FULL : SYM_NAMES_SHORT,
	};

	if (s->kind->symbols == SESSION_SYMBOLS_FILE) {
		want.files.kernel_build_id = files_own_id;
		want.files.vdso = NULL;
		want.files.map_inside = NULL;
		want.files.jit = NULL;
	}
	s->resolver = resolver_new(&want, e);
	if (!s->resolver)
		return -ENOMEM;
	if (s->kind->symbols == SESSION_SYMBOLS_FILE && !w->vmlinux)
		resolver_build_id(s->resolver, "[kernel.kallsyms]", own_id, sizeof(own_id));
	for (size_t i = 0; i < s->file.build_ids.n; i++) {
		const struct perf_build_id *b = &s->file.build_ids.v[i];

		resolver_build_id(s->resolver, b->name, b->id, b->size);
	}
	return 0;
}

/* --- open ---------------------------------------------------------------------------------------------------- */

static int read_pipe(struct session *s, int fd, struct err *e)
{
	size_t cap = 0, n = 0;
	uint8_t *p = NULL;
	ssize_t got = 1;

	while (got > 0) {
		if (cap - n < 65536) {
			uint8_t *more = cap < PIPE_MAX ? realloc(p, cap = cap ? cap * 2 : 1 << 20) : NULL;

			if (!more) {
				free(p);
				return err_set(e, EFBIG, "the recording on standard input does not fit into memory");
			}
			p = more;
		}
		got = s->sys->read(s->sys, fd, p + n, cap - n);
		n += got > 0 ? (size_t)got : 0;
	}
	if (got < 0) {
		free(p);
		return err_set(e, (int)-got, "cannot read the recording: %s", err_name((int)-got));
	}
	s->bytes = (struct bytes){ p, n };
	s->owned = true;
	return 0;
}

static int get_bytes(struct session *s, const char *path, struct err *e)
{
	char inner[PATH_MAX];
	struct stat st;
	int r;

	if (!strcmp(path, "-"))
		return read_pipe(s, STDIN_FILENO, e);
	/* perf record --threads and --kcore make a directory with the main file in it. */
	if (!s->sys->stat(s->sys, path, &st) && S_ISDIR(st.st_mode)) {
		snprintf(inner, sizeof(inner), "%s/data", path);
		if (!sys_exists(s->sys, inner))
			return err_set(e, EISDIR, "%s is a directory, not a recording", path);
		s->dir = path;
		path = inner;
	}
	if (!s->sys->stat(s->sys, path, &st) && !S_ISREG(st.st_mode)) {
		int fd = s->sys->open(s->sys, path, 0, 0);

		if (fd < 0)
			return err_set(e, -fd, "cannot open %s: %s", path, err_name(-fd));
		r = read_pipe(s, fd, e);
		s->sys->close(s->sys, fd);
		return r;
	}
	r = sys_map_file(s->sys, path, &s->bytes.p, &s->bytes.n, e);
	if (r == -ENOENT)
		err_hint(e, "make one with 'sonde record', or name one with -i");
	return r;
}

static void release_bytes(struct session *s)
{
	if (s->owned)
		free((void *)(uintptr_t)s->bytes.p);
	else
		sys_unmap_recording(s->sys, s->bytes.p, s->bytes.n);
}

/* perf's, unless the only recording there is is one of trace-cmd. */
static const char *default_path(const struct sys *sys)
{
	return !sys_exists(sys, "perf.data") && sys_exists(sys, "trace.dat") ? "trace.dat" : "perf.data";
}

static int refuse(const struct session_want *w, struct err *e)
{
	if (w->inlined)
		return err_set(e, EOPNOTSUPP, "--inline: what is inlined counts for the function that it is in");
	if (w->kernel_plain)
		return err_set(e, EOPNOTSUPP, "--demangle-kernel: the kernel's names are shown as it has them");
	return 0;
}

/*
 * Nothing was named: as perf has it, what comes through a pipe on standard input. A pipe with nothing in it is that of
 * somebody who runs us from a program.
 */
static int find_bytes(struct session *s, struct err *e)
{
	int r;

	if (sys_is_fifo(s->sys, STDIN_FILENO)) {
		s->path = "-";
		r = get_bytes(s, s->path, e);
		if (r || s->bytes.n)
			return r;
		release_bytes(s);
		s->owned = false;
	}
	s->path = default_path(s->sys);
	return get_bytes(s, s->path, e);
}

int session_open(struct session *s, const struct sys *sys, const struct session_want *w, struct err *e)
{
	*s = (struct session){ .sys = sys, .path = w->path, .raw_order = w->raw_order, .timed = SESSION_NOT_TIMED };

	int r = refuse(w, e);

	r = r ? r : w->path ? get_bytes(s, w->path, e) : find_bytes(s, e);
	if (r)
		return r;
	s->kind = tdat_is(s->bytes.p, s->bytes.n) ? &session_dat : &session_perf;
	r = s->kind->open(s, e);
	if (r)
		err_wrap(e, "%s", s->path);
	s->arch = r ? NULL : arch_by_name(s->file.arch);
	if (!s->arch)
		s->arch = arch_native();
	if (!r)
		r = make_resolver(s, w, e);
	if (!r && s->kind->ready)
		r = s->kind->ready(s, e);
	if (r)
		session_close(s);
	return r;
}

void session_close(struct session *s)
{
	resolver_free(s->resolver);
	s->kind->close(s);
	tevents_deinit(&s->trace);
	perf_file_deinit(&s->file);
	release_bytes(s);
}

int session_next(struct session *s, struct session_item *item, struct err *e)
{
	int r = s->kind->next(s, item, e);

	return r == -ENOMEM ? err_nomem(e) : r;
}

/* --- what to tell -------------------------------------------------------------------------------------------- */

struct footer {
	void (*say)(void *arg, const char *line);
	void *arg;
};

static void footer_count(const struct footer *f, uint64_t n, const char *what)
{
	char number[32], line[200];

	if (!n)
		return;
	snprintf(line, sizeof(line), "%s %s", fmt_grouped(number, sizeof(number), n), what);
	f->say(f->arg, line);
}

bool session_incomplete(const struct session *s)
{
	return s->skipped || s->end.code || s->file.incomplete || s->stats.unknown_event || s->stats.undecodable ||
	       s->trace.bad;
}

void session_footer(const struct session *s, enum session_tell what, void (*say)(void *arg, const char *line),
		    void *arg)
{
	struct footer f = { say, arg };
	char line[700];

	for (size_t i = 0; i < s->file.notes.n; i++)
		say(arg, s->file.notes.v[i].text);
	if (s->end.code) {
		snprintf(line, sizeof(line), "the recording breaks off: %s; what stands before was read", s->end.text);
		say(arg, line);
	}
	if (s->stats.counts)
		say(arg, "it is a recording of counts, not of samples: 'sonde stat report' shows it");
	footer_count(&f, s->stats.lost, "events were lost while recording: the ring buffers were full");
	footer_count(&f, s->stats.lost_samples, "samples were lost while recording");
	if (what == SESSION_ALL)
		footer_count(&f, s->stats.throttled, "times the kernel throttled the sampling");
	footer_count(&f, s->stats.unknown_event, "records belong to no event of the header");
	footer_count(&f, s->stats.undecodable, "records could not be decoded");
	footer_count(&f, s->reading ? session_late(s) : 0, "records came too late for their place in time");
	footer_count(&f, s->trace.bad, "tracepoint formats could not be read");
	footer_count(&f, s->stats.gaps, "places where events were lost while recording, nobody knows how many");
	if (s->kind->footer)
		s->kind->footer(s, say, arg);
	resolver_warnings(s->resolver, say, arg);
}
