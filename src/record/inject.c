/* inject.c - see inject.h. */
#include "record/inject_parts.h"

#include "record/keep.h"

#include <sys/utsname.h>

/* --- build ids ----------------------------------------------------------------------------------------------- */

static bool parse_id(struct sv text, struct build_id *id)
{
	if (text.n % 2 || text.n > 2 * BUILD_ID_MAX || text.n < 4)
		return false;
	*id = (struct build_id){ .size = (uint8_t)(text.n / 2) };
	for (size_t i = 0; i < text.n; i += 2) {
		uint64_t v;

		if (!str_u64((struct sv){ text.s + i, 2 }, 16, &v))
			return false;
		id->v[i / 2] = (uint8_t)v;
	}
	return true;
}

static int take_known(struct inject *j, struct sv line, struct err *e)
{
	struct sv word;
	struct build_id id;
	uint32_t i;

	line = sv_trim(line);
	if (!line.n)
		return 0;
	if (!sv_cut(&line, ' ', &word) || !parse_id(word, &id) || !(line = sv_trim(line)).n)
		return err_set(e, EINVAL, "known build ids are 'ID PATH', as buildid-list shows them");
	i = names_add(&j->known_names, line.s, line.n);
	if (i == NAMES_NONE || (i == j->known_ids.n && !vec_add(&j->known_ids)))
		return err_nomem(e);
	j->known_ids.v[i] = id;
	return 0;
}

static int read_known(struct inject *j, struct err *e)
{
	struct sv rest = sv_from(j->want->known ? j->want->known : ""), line, part;
	int r = 0;

	while (!r && sv_cut(&rest, '\n', &line))
		while (!r && sv_cut(&line, ',', &part))
			r = take_known(j, part, e);
	return r;
}

/* Is the recorded kernel another one than the running one, by its release? */
static bool is_other_kernel(const struct session *s, const char *name)
{
	struct utsname u;

	return name[0] == '[' && strcmp(name, "[vdso]") != 0 && s->head->release[0] &&
	       (s->sys->uname(s->sys, &u) || strcmp(s->head->release, u.release) != 0);
}

/* Can the mapping have a build-id? Not [heap] or //anon. */
static bool may_have_id(const char *name)
{
	return !strncmp(name, "[kernel.", 8) || !strcmp(name, "[vdso]") || (name[0] == '/' && name[1] != '/');
}

/* The build-id of a file, which is read only once. size 0: unknown; NULL: no memory. */
static const struct build_id *id_of(struct inject *j, const char *name)
{
	const struct session *s = j->w.session;
	uint32_t i = names_add(&j->known_names, name, strlen(name));
	struct build_id *id;

	if (i < j->known_ids.n)
		return &j->known_ids.v[i];
	id = i == NAMES_NONE ? NULL : vec_add(&j->known_ids);
	if (!id)
		return NULL;
	*id = (struct build_id){ 0 };
	if (is_other_kernel(s, name) || !keep_id_now(s->sys, name, id)) {
		id->size = 0;
		j->stats->unknown += may_have_id(name);
	} else if (j->want->ids == INJECT_IN_MAPS) {
		j->stats->build_ids++;
	}
	return id;
}

static int add_id(struct inject *j, const char *name, bool kernel)
{
	struct perf_build_id b = {
		.pid = -1, .cpumode = kernel ? PERF_MISC_KERNEL : PERF_MISC_USER, .name = name,
	};
	const struct build_id *id;
	int r;

	if (names_find(&j->w.id_names, name, strlen(name)) != NAMES_NONE)
		return 0;
	id = id_of(j, name);
	if (!id || !id->size)
		return id ? 0 : -ENOMEM;
	b.size = id->size;
	memcpy(b.id, id->v, id->size);
	r = rewrite_build_id(&j->w, &b);
	j->stats->build_ids += r > 0;
	return MIN(r, 0);
}

/* Add the files of all addresses in the sample's chain, not only of the sampled one. */
static int add_hits(struct inject *j, const struct source_rec *rec)
{
	struct session *s = j->w.session;
	struct chain_frame at[CHAIN_MAX];
	struct resolver_spaces in;
	struct sample smp;
	size_t n;
	int r = 0;

	if (!rec->event || sample_decode(&rec->event->layout, rec->perf.body, rec->perf.misc, &smp, NULL))
		return 0;
	in = resolver_spaces(s->resolver, smp.pid, smp.time);
	n = sample_frames(&rec->event->layout, &smp, at, ARRAY_SIZE(at));
	for (size_t i = 0; !r && i < n; i++) {
		bool kernel;
		const char *name = resolver_file(s->resolver, &in, at[i].cpumode, at[i].ip, &kernel);

		r = name ? add_id(j, name, kernel) : 0;
	}
	return r;
}

/* --- records ------------------------------------------------------------------------------------------------- */

static int take_map(struct inject *j, const struct side *d, struct err *e)
{
	if (j->want->ids == INJECT_ALL && !d->map.has_build_id && add_id(j, side_map_file(&d->map), d->map.kernel))
		return err_nomem(e);
	return j->want->jit && !d->map.kernel ? inject_jit_map(j, d, e) : 0;
}

static bool is_map(const struct perf_record *r, struct side *d)
{
	return (r->type == PERF_REC_MMAP || r->type == PERF_REC_MMAP2) && side_decode(r, false, d) == 1;
}

/* Look at a record before it is copied. 1: do not copy it; 0: copy it; -errno. */
static int look_at(struct inject *j, const struct source_rec *rec, struct err *e)
{
	const struct perf_record *r = &rec->perf;
	struct side d;

	if (rewrite_makes(r))
		return 1;
	if (r->type == PERF_REC_SAMPLE)
		return j->want->ids == INJECT_HITS && add_hits(j, rec) ? err_nomem(e) : 0;
	return is_map(r, &d) ? take_map(j, &d, e) : 0;
}

/*
 * Write a mapping as MMAP2 with the build-id in place of device and inode. MMAP and MMAP2 have the same first 32 bytes,
 * and the same fields from the name on: between them MMAP2 has 24 bytes of identity, prot and flags.
 */
static int put_map(struct inject *j, const struct perf_record *r, const struct side *d, struct err *e)
{
	enum { RANGE = 32, IDENTITY = 24, READ = 1, EXEC = 4, PRIVATE = 2, OF_ID = 4 };
	const uint32_t modes[2] = { READ | (d->map.data ? 0 : EXEC), PRIVATE };
	bool has_modes = r->type == PERF_REC_MMAP2;
	size_t size = r->body.n + (has_modes ? 0 : IDENTITY + sizeof(modes));
	struct perf_rec head = {
		.type = PERF_REC_MMAP2, .misc = r->misc | PERF_MISC_MMAP_BUILD_ID,
		.size = (uint16_t)(sizeof(head) + size),
	};
	const struct build_id *id = id_of(j, side_map_file(&d->map));
	uint8_t identity[IDENTITY] = { 0 };
	const uint8_t *rest = r->body.p + RANGE + (has_modes ? IDENTITY : 0);

	if (!id)
		return err_nomem(e);
	if (!id->size || size > UINT16_MAX - sizeof(head)) {
		rewrite_record(&j->w, r);
		return 0;
	}
	identity[0] = id->size;
	memcpy(identity + OF_ID, id->v, MIN(id->size, (uint8_t)SIDE_BUILD_ID_MAX));
	out_bytes(&j->w.out, &head, sizeof(head));
	out_bytes(&j->w.out, r->body.p, RANGE);
	out_bytes(&j->w.out, identity, sizeof(identity));
	if (!has_modes)
		out_bytes(&j->w.out, modes, sizeof(modes));
	out_bytes(&j->w.out, rest, (size_t)(r->body.p + r->body.n - rest));
	rewrite_count(&j->w);
	return 0;
}

static int put_record(struct inject *j, const struct perf_record *r, struct err *e)
{
	struct side d;

	if (j->want->ids == INJECT_IN_MAPS && is_map(r, &d) && !d.map.has_build_id)
		return put_map(j, r, &d, e);
	rewrite_record(&j->w, r);
	return 0;
}

static int write_records(struct inject *j, struct err *e)
{
	struct source_rec rec;
	int r, got;

	while ((got = session_next_record(j->w.session, &rec, e)) == SOURCE_RECORD) {
		r = look_at(j, &rec, e);
		if (r < 0)
			return r;
		if (rec.time)
			inject_jit_until(j, rec.time);
		if (!r && put_record(j, &rec.perf, e))
			return -ENOMEM;
		if (j->w.out.error)
			return j->w.out.error;
	}
	inject_jit_until(j, UINT64_MAX);
	return got;
}

int inject_write(struct session *s, struct sink *to, const struct inject_want *w, struct inject_stats *stats,
		 struct err *e)
{
	struct inject *j = calloc(1, sizeof(*j));
	int r;

	if (!j)
		return err_nomem(e);
	j->w.session = s;
	j->w.sink = to;
	j->want = w;
	j->stats = stats;
	r = read_known(j, e);
	if (!r)
		r = rewrite_begin(&j->w, e);
	if (!r)
		r = write_records(j, e);
	if (!r)
		r = rewrite_end(&j->w, e);
	stats->records = j->w.records;
	inject_jit_deinit(j);
	names_deinit(&j->known_names);
	vec_free(&j->known_ids);
	rewrite_deinit(&j->w);
	free(j);
	return r;
}
