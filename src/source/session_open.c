/* session_open.c - open a recording of any kind; and the footer with its problems. */
#include "source/session_parts.h"

#include "image/kallsyms_text.h"
#include "source/early.h"
#include "source/perf_data.h"
#include "source/perf_pipe.h"
#include "source/process_files.h"
#include "source/spe_rings.h"
#include "source/trace_dat.h"
#include "sys/buildid_dir.h"
#include "sys/kallsyms.h"
#include "sys/notes.h"

#include <time.h>
#include <unistd.h>

/* Check the argument of --itrace now, before the recording is opened. */
static int set_itrace(void *field, const char *value, struct err *e)
{
	struct spe_want w;

	*(const char **)field = value;
	return spe_want_parse(&w, value, e);
}

const struct opt session_opts[] = {
	OPT_STR('i', "input", struct session_want, path, "<file>",
		"recording to read: perf.data or trace.dat; -: standard input (default if that is a pipe)"),
	OPT_STR(0, "symfs", struct session_want, symfs, "<dir>", "folder with the recorded machine's files"),
	OPT_STR('k', "vmlinux", struct session_want, vmlinux, "<file>", "vmlinux of the recorded kernel"),
	OPT_STR(0, "kallsyms", struct session_want, kallsyms, "<file>",
		"copy of the recorded machine's /proc/kallsyms"),
	OPT_CALL(0, "itrace", OPT_OPTIONAL, struct session_want, itrace, set_itrace, "<letters>",
		 "samples to synthesize from SPE records: i[<n>i] instructions, b mispredicted branches, f first-level "
		 "data cache, m last level cache, t TLB, a remote accesses, M all memory accesses (default all but i)"),
	OPT_FLAG(0, "no-demangle", struct session_want, mangled, "do not demangle C++ and Rust symbols"),
	OPT_END,
};

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
	int r = process_files_map(s->sys, (int)in->pid, in->ino, path, &bytes);

	*p = (const uint8_t *)bytes.s;
	*n = bytes.n;
	return r;
}

static int files_jit(void *arg, uint32_t pid, int (*feed)(void *to, const char *text, size_t n), void *to)
{
	const struct session *s = arg;

	return process_files_jit(s->sys, (int)pid, feed, to);
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

static int files_kallsyms(void *arg, struct kallsyms *k)
{
	const struct session *s = arg;

	if (s->source->kind->kallsyms) {
		struct sv text = s->source->kind->kallsyms(s->source);

		return text.n ? kallsyms_init(k, text, NULL) : -ENOENT;
	}
	return s->early ? early_take(s->early, k) : sys_kallsyms(s->sys, SYS_KALLSYMS, k, NULL);
}

/* See image/files.h. Reads 128 KiB, since some kernels list the per-CPU symbols before the text symbols. */
static uint64_t files_mark(void *arg, const char *name)
{
	enum { FIRST = 128 << 10 };
	const struct session *s = arg;
	char *text = malloc(FIRST);
	ssize_t n = text ? sys_read_text(s->sys, SYS_KALLSYMS, text, FIRST) : 0;
	uint64_t addr = n > 0 ? kallsyms_address((struct sv){ text, (size_t)n }, sv_from(name)) : 0;

	free(text);
	return addr;
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
 * A recording that contains the kernel's symbols needs no others. Its kernel gets a build-id that no file has, so that
 * no other symbols are taken for it.
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

/* perf record --kcore stores kallsyms in the recording's directory. NULL: it has none, or an option names others. */
static const char *cached_kallsyms(struct session *s, const struct session_want *w)
{
	char path[PATH_MAX];

	if (!s->found.dir || w->kallsyms || w->vmlinux)
		return w->kallsyms;
	snprintf(path, sizeof(path), "%s/kcore_dir/kallsyms", s->found.dir);
	return sys_exists(s->sys, path) ? arena_dup(&s->head->arena, path, strlen(path)) : NULL;
}

/* NULL: there are none. */
static const char *cache_dir(struct session *s, const struct session_want *w)
{
	char path[PATH_MAX];

	return buildid_dir(w->symfs, path, sizeof(path)) ? arena_dup(&s->head->arena, path, strlen(path)) : NULL;
}

static bool is_running(const struct session *s)
{
	struct build_id id;
	bool known = sys_kernel_build_id(s->sys, &id);

	for (size_t i = 0; known && i < s->head->build_ids.n; i++) {
		const struct perf_build_id *b = &s->head->build_ids.v[i];

		if (!strcmp(b->name, "[kernel.kallsyms]"))
			return b->size == id.size && !memcmp(b->id, id.v, id.size);
	}
	return false;
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
			   .mark = files_mark,
			   .kernel_build_id = files_kernel_id,
			   .vdso = files_vdso },
		.arch = s->arch,
		.release = s->head->release,
		.symfs = w->symfs,
		.cache = cache_dir(s, w),
		.vmlinux = w->vmlinux,
		.namer = w->kernel_only && !s->kernel_only ? NULL : w->namer,
		.kallsyms = cached_kallsyms(s, w),
		.no_spaces = s->kernel_only,
		.is_monotonic = perf_head_has_clock(s->head, CLOCK_MONOTONIC),
		.file2 = perf_head_feature(s->head, PERF_FEAT_FILE2),
		.names = w->no_names ? SYM_NAMES_NONE : w->mangled ? SYM_NAMES_MANGLED : w->full ? SYM_NAMES_FULL
											     : SYM_NAMES_SHORT,
	};

	struct build_id running;

	if (s->source->kind->kallsyms) {
		want.files.kernel_build_id = files_own_id;
		want.files.vdso = NULL;
		want.files.map_inside = NULL;
		want.files.jit = NULL;
	}
	s->running = !s->source->kind->kallsyms && !want.vmlinux && !want.kallsyms && is_running(s);
	s->resolver = resolver_new(&want, e);
	if (!s->resolver)
		return -ENOMEM;
	stacks_init(&s->stacks, s->resolver, s->arch);
	if (s->source->kind->kallsyms && !w->vmlinux)
		resolver_build_id(s->resolver, "[kernel.kallsyms]", own_id, sizeof(own_id));
	for (size_t i = 0; i < s->head->build_ids.n; i++) {
		const struct perf_build_id *b = &s->head->build_ids.v[i];

		resolver_build_id(s->resolver, b->name, b->id, b->size);
	}
	/* A streamed recording is of the running kernel. */
	if (s->pipe && sys_kernel_build_id(s->sys, &running))
		resolver_build_id(s->resolver, "[kernel.kallsyms]", running.v, running.size);
	return 0;
}

/* Do samples have call chains, or data from which addresses of user code are looked up? */
static bool has_chains(const struct session *s)
{
	const uint64_t any = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER;

	for (size_t i = 0; i < s->head->events.n; i++)
		if (s->head->events.v[i].layout.sample_type & any)
			return true;
	return false;
}

/* Mask of the record types that are not needed with kernel_only. */
static uint32_t nobodys(const struct session_want *w)
{
	return 1u << PERF_REC_MMAP | 1u << PERF_REC_MMAP2 | (w->no_ends ? 1u << PERF_REC_EXIT : 0);
}

/* --- open ---------------------------------------------------------------------------------------------------- */

static int refuse(const struct session_want *w, struct err *e)
{
	if (w->kernel_plain)
		return err_set(e, EOPNOTSUPP, "--demangle-kernel: the kernel's names are shown as it has them");
	return 0;
}

/* Get the recording's bytes, or only its header if it can be streamed from a pipe. */
static int find(struct session *s, const struct session_want *w, struct err *e)
{
	const struct perf_pipe_want pipe = { STDIN_FILENO, w->idle, w->idle_arg };
	struct bytes first;
	int r;

	if (!w->idle || w->raw_order || w->rounds || w->itrace || !found_is_pipe(s->sys, w->path))
		return found_open(&s->found, s->sys, w->path, e);
	r = perf_pipe_open(&s->pipe, s->sys, &pipe, &first, e);
	if (r == 1)
		s->found = (struct found){ .path = "-", .fd = -1, .bytes = first, .owned = true };
	if (r)
		return MIN(r, 0);
	if (first.n)
		return found_rest(&s->found, s->sys, first, e);
	free((void *)(uintptr_t)first.p);
	return found_open(&s->found, s->sys, w->path, e);
}

static int open_source(struct session *s, const struct session_want *w, struct err *e)
{
	const struct bytes *b = &s->found.bytes;

	if (s->pipe) {
		s->source = perf_pipe_source(s->pipe);
		return 0;
	}
	if (tdat_is(b->p, b->n))
		return trace_dat_open(&s->source, &s->found, e);

	struct perf_data_want want = {
		.how = (w->raw_order ? PERF_DATA_RAW : 0) | (w->rounds ? PERF_DATA_ROUNDS : 0),
	};
	int r = spe_want_parse(&want.spe, w->itrace, e);

	return r ? r : perf_data_open(&s->source, s->sys, &s->found, &want, e);
}

/* To be called when the source is open. */
static int begin(struct session *s, const struct session_want *w, struct err *e)
{
	int r;

	s->head = s->source->head;
	s->trace = &s->source->trace;
	s->arch = arch_by_name(s->head->arch);
	if (!s->arch)
		s->arch = arch_native();
	s->kernel_only = w->kernel_only && s->source->kind->form == SOURCE_PERF && !has_chains(s);
	s->source->left_out = s->kernel_only ? nobodys(w) : 0;
	r = make_resolver(s, w, e);
	if (!r && s->source->kind->form == SOURCE_TRACE && session_trace_open(s))
		r = err_nomem(e);
	source_stretches(s->source, true);
	return r;
}

int session_open(struct session *s, const struct sys *sys, const struct session_want *w, struct err *e)
{
	*s = (struct session){ .sys = sys, .timed = SESSION_NOT_TIMED, .found.fd = -1 };

	int r = refuse(w, e);

	r = r ? r : find(s, w, e);
	s->path = s->found.path;
	if (r)
		return r;
	r = open_source(s, w, e);
	if (r)
		err_wrap(e, "%s", s->path);
	s->owned = true;
	r = r ? r : begin(s, w, e);
	if (r)
		session_close(s);
	return r;
}

int session_over(struct session *s, const struct sys *sys, struct source *source, const struct session_want *w,
		 struct err *e)
{
	*s = (struct session){
		.sys = sys, .timed = SESSION_NOT_TIMED, .found.fd = -1, .path = "live", .source = source,
	};

	int r = refuse(w, e);

	r = r ? r : begin(s, w, e);
	if (r)
		session_close(s);
	return r;
}

void session_ahead(struct session *s, bool records)
{
	if (records)
		source_ahead(s->source);
	if (s->running && !s->early && !s->head->feature[PERF_FEAT_FILE2].p)
		s->early = early_new(s->sys);
}

/* Is an event read as a group? Its periods are differences to the sample before, so samples must come in order. */
static bool has_groups(const struct session *s)
{
	for (size_t i = 0; i < s->head->events.n; i++) {
		const struct sample_layout *l = &s->head->events.v[i].layout;

		if (l->sample_type & PERF_SAMPLE_READ && l->read_format & PERF_FORMAT_GROUP)
			return true;
	}
	return false;
}

void session_unordered(struct session *s)
{
	if (!has_groups(s))
		source_stretches(s->source, false);
}

void session_close(struct session *s)
{
	early_free(s->early);
	stacks_deinit(&s->stacks);
	resolver_free(s->resolver);
	session_trace_close(s);
	map_deinit(&s->group_values);
	if (!s->owned)
		return;
	source_close(s->source);
	perf_pipe_free(s->pipe);
	found_close(&s->found, s->sys);
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

static void tell_spe(const struct footer *f, const struct spe_told *t)
{
	if (!t)
		return;
	footer_count(f, t->truncated, "stretches of SPE records are cut: their buffer was full while recording");
	footer_count(f, t->collided, "stretches in which SPE left out operations: it was not done with the one before");
	footer_count(f, t->partial, "stretches of SPE records end within one");
	footer_count(f, t->nobodys,
		     "SPE records do not tell whose they are: that kernel writes no thread's number into them");
	footer_count(f, t->stats.cut, "SPE records or packets are cut");
	footer_count(f, t->stats.unknown, "SPE packets are of kinds that nobody knows yet");
}

bool session_incomplete(const struct session *s)
{
	const struct source *from = s->source;

	return s->skipped || from->skipped || from->end.code || s->head->incomplete || s->stats.unknown_event ||
	       s->stats.undecodable || from->stats.bad || s->trace->bad;
}

void session_footer(const struct session *s, enum session_tell what, void (*say)(void *arg, const char *line),
		    void *arg)
{
	const struct source *from = s->source;
	struct footer f = { say, arg };
	char line[700];

	for (size_t i = 0; i < s->head->notes.n; i++)
		say(arg, s->head->notes.v[i].text);
	if (from->end.code) {
		snprintf(line, sizeof(line), "the recording breaks off: %s; what stands before was read",
			 from->end.text);
		say(arg, line);
	}
	if (s->stats.counts)
		say(arg, "it is a recording of counts, not of samples: 'sonde stat report' shows it");
	footer_count(&f, s->stats.lost + from->stats.lost,
		     "events were lost while recording: the ring buffers were full");
	footer_count(&f, s->stats.lost_samples, "samples were lost while recording");
	if (what == SESSION_ALL)
		footer_count(&f, s->stats.throttled, "times the kernel throttled the sampling");
	footer_count(&f, s->stats.unknown_event, "records belong to no event of the header");
	footer_count(&f, s->stats.undecodable + from->stats.bad,
		     "records could not be decoded");
	tell_spe(&f, perf_data_spe(from));
	tell_spe(&f, spe_rings_told(from));
	footer_count(&f, from->stats.late, "records came too late for their place in time");
	stacks_tell(&s->stacks.stats, say, arg);
	footer_count(&f, s->trace->bad, "tracepoint formats could not be read");
	footer_count(&f, from->stats.gaps, "places where events were lost while recording, nobody knows how many");
	resolver_warnings(s->resolver, say, arg);
}
