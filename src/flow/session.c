/* session.c - file to ordered records to callbacks. */
#include "flow/session.h"

#include "arch/arch.h"
#include "flow/facts.h"
#include "tracefs/blob.h"

#include <sys/stat.h>
#include <unistd.h>

enum {
	PIPE_MAX = 1u << 31,
	KALLSYMS_MAX = 1 << 27,
	FORGET_AFTER = 2 << 20,
	FORGET_KEEP = 3 << 20,
	FORGET_UNIT = 1 << 16
};

/* --- files for the resolver --- */

static int files_map(void *arg, const char *path, const uint8_t **p, size_t *n)
{
	const struct session *s = arg;

	return sys_map_file(s->sys, path, p, n, NULL);
}

static void files_unmap(void *arg, const uint8_t *p, size_t n)
{
	const struct session *s = arg;

	sys_unmap_file(s->sys, p, n);
}

static int files_kallsyms(void *arg, char **text, size_t *n)
{
	const struct session *s = arg;

	return sys_read_all(s->sys, "/proc/kallsyms", KALLSYMS_MAX, text, n, NULL);
}

static int files_kernel_id(void *arg, uint8_t id[20])
{
	const struct session *s = arg;
	struct build_id b;

	if (!facts_kernel_build_id(s->sys, &b))
		return -ENOENT;
	memset(id, 0, 20);
	memcpy(id, b.v, b.size);
	return 0;
}

static int files_vdso(void *arg UNUSED, const uint8_t **p, size_t *n)
{
	return sys_vdso(p, n);
}

static int make_resolver(struct session *s, const struct session_want *w, struct err *e)
{
	struct sym_want want = {
		.files = { .arg = s,
			   .map = files_map,
			   .unmap = files_unmap,
			   .kallsyms = files_kallsyms,
			   .kernel_build_id = files_kernel_id,
			   .vdso = files_vdso },
		.arch = s->arch,
		.release = s->file.release,
		.symfs = w->symfs,
		.vmlinux = w->vmlinux,
		.kallsyms = w->kallsyms,
	};

	s->resolver = resolver_new(&want, e);
	if (!s->resolver)
		return -ENOMEM;
	for (size_t i = 0; i < s->file.build_ids.n; i++) {
		const struct perf_build_id *b = &s->file.build_ids.v[i];

		resolver_build_id(s->resolver, b->name, b->id, b->size);
	}
	return 0;
}

/* --- open --- */

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
	/* perf record --threads makes a directory with the main stream in it. */
	if (!s->sys->stat(s->sys, path, &st) && S_ISDIR(st.st_mode)) {
		snprintf(inner, sizeof(inner), "%s/data", path);
		if (!sys_exists(s->sys, inner))
			return err_set(e, EISDIR, "%s is a directory, not a recording", path);
		err_set(e, EISDIR, "%s is a directory: a recording by several threads", path);
		return err_hint(e, "record without --threads to get one file");
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

static int read_formats(struct session *s, struct err *e)
{
	struct tblob blob;
	struct err why;

	tevents_init(&s->trace, (struct tmachine){ .long_size = 8, .swap = s->file.swap });
	if (!s->file.tracing.p)
		return 0;
	if (tblob_init(&blob, s->file.tracing.p, s->file.tracing.n, &why)) {
		struct err *note = vec_add(&s->file.notes);

		if (note) {
			*note = why;
			err_wrap(note, "formats of the tracepoints");
		}
	}

	int r = tevents_add_blob(&s->trace, &blob, e);

	tblob_deinit(&blob);
	return r == -ENOMEM ? r : 0;
}

static void release_bytes(struct session *s)
{
	if (s->owned)
		free((void *)(uintptr_t)s->bytes.p);
	else
		sys_unmap_file(s->sys, s->bytes.p, s->bytes.n);
}

int session_open(struct session *s, const struct sys *sys, const struct session_want *w, struct err *e)
{
	*s = (struct session){ .sys = sys, .path = w->path ? w->path : "perf.data", .raw_order = w->raw_order };

	int r = get_bytes(s, s->path, e);

	if (r)
		return r;
	r = perf_file_init(&s->file, s->bytes, e);
	if (r) {
		release_bytes(s);
		return err_wrap(e, "%s", s->path);
	}
	s->arch = arch_by_name(s->file.arch);
	if (!s->arch)
		s->arch = arch_native();
	s->order = order_new();
	r = s->order ? read_formats(s, e) : err_nomem(e);
	if (!r)
		r = make_resolver(s, w, e);
	if (r)
		session_close(s);
	return r;
}

void session_close(struct session *s)
{
	resolver_free(s->resolver);
	order_free(s->order);
	tevents_deinit(&s->trace);
	map_deinit(&s->group_values);
	perf_file_deinit(&s->file);
	release_bytes(s);
}

/* --- follow --- */

static void forget(struct session *s, uint64_t from, uint64_t upto)
{
	if (upto > from && !s->owned && s->sys->forget)
		s->sys->forget(s->sys, (void *)(uintptr_t)(s->bytes.p + from), (size_t)(upto - from));
}

/*
 * What was read stays resident though nothing needs it any more: let it go from time to time, but for the newest
 * stretch, whose records wait for their turn in time. Older ones that come back are read again from the page cache.
 */
static void touch(struct session *s, const struct perf_record *r)
{
	if (r->off < s->forgotten) {
		s->touched += r->body.n;
		if (s->touched < FORGET_AFTER)
			return;
		forget(s, 0, s->forgotten);
		s->touched = 0;
	} else if (r->off - s->forgotten > FORGET_AFTER + FORGET_KEEP) {
		uint64_t upto = (r->off - FORGET_KEEP) & ~(uint64_t)(FORGET_UNIT - 1);

		forget(s, s->forgotten, upto);
		s->forgotten = upto;
	}
}

static struct cursor body_cursor(const struct session *s, const struct perf_record *r)
{
	struct cursor c = cur_from(r->body.p, r->body.n);

	c.swap = s->file.swap;
	return c;
}

static int follow_comm(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);
	uint32_t pid = cur_u32(&c), tid = cur_u32(&c);
	const char *comm = cur_str(&c);

	return c.bad ? -EBADMSG : resolver_comm(s->resolver, pid, tid, comm, r->misc & PERF_MISC_COMM_EXEC);
}

static int follow_fork(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);
	uint32_t pid = cur_u32(&c), ppid = cur_u32(&c), tid = cur_u32(&c), ptid = cur_u32(&c);

	if (c.bad)
		return -EBADMSG;
	if (r->type == PERF_REC_EXIT)
		return resolver_exit(s->resolver, pid, tid);
	if (r->misc & PERF_MISC_COMM_EXEC)
		return resolver_fork_running(s->resolver, pid, tid, ptid);
	return resolver_fork(s->resolver, pid, ppid, tid, ptid);
}

/* The 20 bytes of MMAP2 that are either device and inode, or a build id. */
static void mmap2_extra(struct cursor *c, uint16_t misc, struct sym_map *m)
{
	if (misc & PERF_MISC_MMAP_BUILD_ID) {
		m->build_id_size = MIN(cur_u8(c), (uint8_t)sizeof(m->build_id));
		cur_skip(c, 3);

		const uint8_t *id = cur_bytes(c, sizeof(m->build_id));

		if (id)
			memcpy(m->build_id, id, sizeof(m->build_id));
	} else {
		cur_skip(c, 24);
	}
	cur_skip(c, 8);   /* protection, flags */
}

static int follow_mmap(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);
	struct sym_map m = { .pid = cur_u32(&c) };

	cur_skip(&c, 4);
	m.start = cur_u64(&c);
	m.len = cur_u64(&c);
	m.pgoff = cur_u64(&c);
	if (r->type == PERF_REC_MMAP2)
		mmap2_extra(&c, r->misc, &m);
	m.name = cur_str(&c);
	m.kernel = (r->misc & PERF_MISC_CPUMODE_MASK) == PERF_MISC_KERNEL;
	return c.bad ? -EBADMSG : resolver_mmap(s->resolver, &m);
}

static int follow_ksymbol(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);
	uint64_t addr = cur_u64(&c);
	uint32_t len = cur_u32(&c);

	cur_skip(&c, 2);

	uint16_t flags = cur_u16(&c);
	const char *name = cur_str(&c);

	return c.bad ? -EBADMSG : resolver_ksymbol(s->resolver, addr, len, name, flags & 1);
}

static int follow_lost(struct session *s, const struct perf_record *r)
{
	struct cursor c = body_cursor(s, r);

	if (r->type == PERF_REC_LOST)
		cur_skip(&c, 8);

	uint64_t n = cur_u64(&c);

	*(r->type == PERF_REC_LOST ? &s->stats.lost : &s->stats.lost_samples) += n;
	return c.bad ? -EBADMSG : 0;
}

static int follow(struct session *s, const struct perf_record *r)
{
	switch (r->type) {
	case PERF_REC_COMM:
		return follow_comm(s, r);
	case PERF_REC_FORK:
	case PERF_REC_EXIT:
		return follow_fork(s, r);
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		return follow_mmap(s, r);
	case PERF_REC_KSYMBOL:
		return follow_ksymbol(s, r);
	case PERF_REC_LOST:
	case PERF_REC_LOST_SAMPLES:
		return follow_lost(s, r);
	case PERF_REC_THROTTLE:
		s->stats.throttled++;
		break;
	}
	return 0;
}

/*
 * {a,b}:S - the leader's sample holds the counters of the whole group: each member gets a sample whose period is what
 * it counted since the sample before. The leader's own period stands as recorded.
 */
static int give_group(struct session *s, const struct session_ops *ops, struct perf_event *leader, struct sample *smp)
{
	struct sample_value v;
	int r = 0;

	for (uint64_t i = 0; !r && sample_read(&leader->layout, smp, i, &v); i++) {
		const uint64_t *index = map_get(&s->file.ids, v.id);
		struct perf_event *ev = index && *index < s->file.events.n ? &s->file.events.v[*index] : NULL;
		uint64_t *last = ev ? map_add(&s->group_values, v.id, NULL) : NULL;
		struct sample member = *smp;

		if (!ev) {
			s->stats.unknown_event++;
			continue;
		}
		if (!last)
			return -ENOMEM;
		member.id = v.id;
		if (ev != leader) {
			member.period = v.value >= *last ? v.value - *last : v.value;
			ev->n_samples++;
		}
		*last = v.value;
		if (member.period)
			r = ops->sample(ops->arg, ev, &member);
	}
	return r;
}

static int give_sample(struct session *s, const struct session_ops *ops, const struct perf_record *r)
{
	struct perf_event *ev = perf_file_event(&s->file, r);
	struct sample smp;

	if (!ev) {
		s->stats.unknown_event++;
		return 0;
	}
	if (sample_decode(&ev->layout, r->body, r->misc, &smp, NULL)) {
		s->stats.undecodable++;
		return 0;
	}
	s->stats.samples++;
	ev->n_samples++;
	if (!s->stats.first_time || smp.time < s->stats.first_time)
		s->stats.first_time = smp.time;
	if (smp.time > s->stats.last_time)
		s->stats.last_time = smp.time;
	if (!ops->sample)
		return 0;
	if (ev->layout.sample_type & PERF_SAMPLE_READ && ev->layout.read_format & PERF_FORMAT_GROUP)
		return give_group(s, ops, ev, &smp);
	return ops->sample(ops->arg, ev, &smp);
}

static int give(struct session *s, const struct session_ops *ops, const struct perf_record *r)
{
	struct sample id = { 0 };
	struct perf_event *ev;
	int ret;

	if (r->type == PERF_REC_SAMPLE)
		return give_sample(s, ops, r);
	ret = follow(s, r);
	if (ret == -ENOMEM)
		return ret;
	if (ret)
		s->stats.undecodable++;
	if (!ops->record)
		return 0;
	ev = r->type < PERF_REC_USER ? perf_file_event(&s->file, r) : NULL;
	if (ev)
		sample_decode_trailer(&ev->layout, r->body, &id, NULL);
	return ops->record(ops->arg, r, &id);
}

/* --- order --- */

/*
 * Time of a record: at a fixed place of a sample, in the trailer of others. False: it has none, and belongs where it
 * stands.
 */
static bool time_of(const struct session *s, const struct perf_record *r, uint64_t *time)
{
	const struct perf_event *ev = perf_file_event(&s->file, r);
	struct sample id;

	if (!ev || !(ev->layout.sample_type & PERF_SAMPLE_TIME))
		return false;
	if (r->type != PERF_REC_SAMPLE) {
		if (!ev->layout.id_all || sample_decode_trailer(&ev->layout, r->body, &id, NULL))
			return false;
		*time = id.time;
		return true;
	}

	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	struct cursor c = body_cursor(s, r);

	cur_skip(&c, 8 * (size_t)__builtin_popcountll(ev->layout.sample_type & before));
	*time = cur_u64(&c);
	return !c.bad;
}

static int give_ready(struct session *s, const struct session_ops *ops, struct err *e)
{
	struct order_item it;
	int r = 0;

	while (!r && order_pop(s->order, &it) == 1) {
		struct perf_record rec;
		uint64_t off = it.off;

		if (perf_file_next(&s->file, &off, &rec, e) == 1) {
			touch(s, &rec);
			r = give(s, ops, &rec);
		}
	}
	return r;
}

static int take(struct session *s, const struct session_ops *ops, const struct perf_record *r, struct err *e)
{
	uint64_t time;

	s->stats.records++;
	touch(s, r);
	if (r->type == PERF_REC_FINISHED_ROUND) {
		order_round(s->order);
		return give_ready(s, ops, e);
	}
	if (r->type == PERF_REC_COMPRESSED)
		s->stats.compressed++;
	if (r->type >= PERF_REC_USER)
		return give(s, ops, r);
	if (s->raw_order || !time_of(s, r, &time))
		return give(s, ops, r);
	return order_push(s->order, (struct order_item){ time, r->off }) ? err_nomem(e) : 0;
}

int session_run(struct session *s, const struct session_ops *ops, struct err *e)
{
	uint64_t off = s->file.data_off;
	struct perf_record rec;
	int r = 0, got;

	while (!r && (got = perf_file_next(&s->file, &off, &rec, &s->end)) == 1)
		r = take(s, ops, &rec, e);
	if (!r) {
		order_end(s->order);
		r = give_ready(s, ops, e);
	}
	forget(s, 0, s->bytes.n);
	if (r == -ENOMEM)
		err_nomem(e);
	return r;
}

/* --- what to tell --- */

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

void session_footer(const struct session *s, void (*say)(void *arg, const char *line), void *arg)
{
	struct footer f = { say, arg };
	char line[700];

	for (size_t i = 0; i < s->file.notes.n; i++)
		say(arg, s->file.notes.v[i].text);
	if (s->end.code) {
		snprintf(line, sizeof(line), "the recording breaks off: %s; what stands before was read", s->end.text);
		say(arg, line);
	}
	footer_count(&f, s->stats.lost, "events were lost while recording: the ring buffers were full");
	footer_count(&f, s->stats.lost_samples, "samples were lost while recording");
	footer_count(&f, s->stats.throttled, "times the kernel throttled the sampling");
	footer_count(&f, s->stats.unknown_event, "records belong to no event of the header");
	footer_count(&f, s->stats.undecodable, "records could not be decoded");
	footer_count(&f, s->stats.compressed, "compressed records were not read");
	footer_count(&f, order_stats(s->order)->late, "records came too late for their place in time");
	footer_count(&f, s->trace.bad, "tracepoint formats could not be read");
	resolver_warnings(s->resolver, say, arg);
}
