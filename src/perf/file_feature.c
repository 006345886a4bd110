/*
 * file_feature.c - feature sections: what the recorder tells about the machine, the command and the
 * events.
 *
 * Table: {u64 offset, u64 size} for each bit set, ascending. A string is u32 length and that many
 * bytes, NUL included; a list is u32 count and the strings.
 */
#include "perf/file_parts.h"

#include "sym/file2.h"

enum { BUILD_ID_SIZE = 20, BUILD_ID_FIELD = 24 };

void perf_file_find_features(struct perf_file *f, const uint64_t bits[4], uint64_t table)
{
	struct cursor file = perf_head_cursor(&f->head, f->bytes), c = file;

	cur_seek(&c, table);
	for (unsigned i = 0; i < PERF_FEAT_MAX; i++) {
		if (!(bits[i / 64] & PERF_BIT(i % 64)))
			continue;

		uint64_t off = cur_u64(&c), size = cur_u64(&c);
		struct cursor at = cur_sub(&file, off, size);

		if (c.bad) {
			perf_file_missing(f, "the table of features is cut from feature %u on", i);
			return;
		}
		if (at.bad)
			perf_file_missing(f, "feature %u is missing: %llu bytes at offset 0x%llx", i,
					  (unsigned long long)size, (unsigned long long)off);
		else
			f->head.feature[i] = (struct bytes){ at.pos, (size_t)size };
	}
}

int perf_file_add_build_id(struct perf_file *f, uint16_t misc, struct bytes body)
{
	struct cursor c = perf_head_cursor(&f->head, body);
	struct perf_build_id b = { .cpumode = misc & PERF_MISC_CPUMODE_MASK };

	b.pid = (int32_t)cur_u32(&c);

	const uint8_t *id = cur_bytes(&c, BUILD_ID_FIELD);

	b.name = cur_str(&c);
	if (c.bad)
		return -EBADMSG;
	b.size = misc & PERF_MISC_BUILD_ID_SIZE ? MIN(id[BUILD_ID_SIZE], BUILD_ID_SIZE)
						: BUILD_ID_SIZE;
	memcpy(b.id, id, b.size);

	struct perf_build_id *new = vec_add(&f->head.build_ids);

	if (!new)
		return -ENOMEM;
	*new = b;
	return 0;
}

/* The section is a sequence of whole BUILD_ID records; perf writes their type as 0 here, others as 67. */
static int build_ids_read(struct perf_file *f, struct cursor *c)
{
	while (cur_left(c) && !c->bad) {
		cur_u32(c);

		uint16_t misc = cur_u16(c), size = cur_u16(c);
		size_t n = size - sizeof(struct perf_rec);
		const uint8_t *p = size < sizeof(struct perf_rec) ? NULL : cur_bytes(c, n);
		int err = p ? perf_file_add_build_id(f, misc, (struct bytes){ p, n }) : -EBADMSG;

		if (err == -ENOMEM)
			return err;
		c->bad |= err != 0;
	}
	return 0;
}

static int cmdline_read(struct perf_file *f, struct cursor *c)
{
	uint32_t n = cur_u32(c);

	for (uint32_t i = 0; i < n; i++) {
		const char *s = perf_head_string(c);
		const char **arg = c->bad ? NULL : vec_add(&f->head.cmdline);

		if (c->bad)
			break;
		if (!arg)
			return -ENOMEM;
		*arg = s;
	}
	return 0;
}

/*
 * u32 count, u32 attr size, then for each: attr, u32 count of ids, name, ids. Events are found by
 * id, else by position.
 */
static int event_desc_read(struct perf_file *f, struct cursor *c)
{
	uint32_t n = cur_u32(c), attr_size = cur_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		cur_skip(c, attr_size);

		uint32_t n_ids = cur_u32(c);
		const char *name = perf_head_string(c);
		struct cursor ids = *c;
		const uint64_t *index = n_ids ? map_get(&f->head.ids, cur_u64(&ids)) : NULL;
		size_t at = index ? (size_t)*index : i;

		if (n_ids > cur_left(c) / sizeof(uint64_t))
			c->bad = true;
		else
			cur_skip(c, n_ids * sizeof(uint64_t));
		if (!c->bad && at < f->head.events.n)
			f->head.events.v[at].name = name;
	}
	return 0;
}

/*
 * u32 count, then for each, ascending: name, u32 index of the leader, u32 number of members, leader
 * included.
 */
static int groups_read(struct perf_file *f, struct cursor *c)
{
	uint32_t n = cur_u32(c);
	size_t next = 0;

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		perf_head_string(c);

		uint32_t leader = cur_u32(c), members = cur_u32(c);

		if (c->bad || leader < next || leader > f->head.events.n ||
		    members > f->head.events.n - leader)
			c->bad = true;
		for (next = leader; members && !c->bad; members--)
			f->head.events.v[next++].group_leader = leader;
	}
	return 0;
}

static int cpus_read(struct perf_file *f, struct cursor *c)
{
	f->head.cpus_available = cur_u32(c);
	f->head.cpus_online = cur_u32(c);
	return 0;
}

static int tracing_read(struct perf_file *f, struct cursor *c)
{
	f->head.tracing = (struct bytes){ c->pos, cur_left(c) };
	return 0;
}

/* sym/file2.c reads the names when they are needed; this only checks that the section is well-formed to its end. */
static int file2_read(struct perf_file *f UNUSED, struct cursor *c)
{
	struct file2_file file;

	while (file2_next(c, &file) > 0)
		;
	return 0;
}

#define STRING(member) \
	static int member##_read(struct perf_file *f, struct cursor *c) \
	{ \
		f->head.member = perf_head_string(c); \
		return 0; \
	}
STRING(hostname)
STRING(release)
STRING(version)
STRING(arch)
STRING(cpudesc)
STRING(cpuid)

static const struct {
	enum perf_feature feature;
	const char *name;
	/* 0 or -ENOMEM; c->bad is set when the section is damaged. */
	int (*read)(struct perf_file *f, struct cursor *c);
} readers[] = {
	{ PERF_FEAT_TRACING_DATA, "TRACING_DATA", tracing_read },
	{ PERF_FEAT_BUILD_ID, "BUILD_ID", build_ids_read },
	{ PERF_FEAT_HOSTNAME, "HOSTNAME", hostname_read },
	{ PERF_FEAT_OSRELEASE, "OSRELEASE", release_read },
	{ PERF_FEAT_VERSION, "VERSION", version_read },
	{ PERF_FEAT_ARCH, "ARCH", arch_read },
	{ PERF_FEAT_NRCPUS, "NRCPUS", cpus_read },
	{ PERF_FEAT_CPUDESC, "CPUDESC", cpudesc_read },
	{ PERF_FEAT_CPUID, "CPUID", cpuid_read },
	{ PERF_FEAT_CMDLINE, "CMDLINE", cmdline_read },
	{ PERF_FEAT_EVENT_DESC, "EVENT_DESC", event_desc_read },
	{ PERF_FEAT_GROUP_DESC, "GROUP_DESC", groups_read },
	{ PERF_FEAT_FILE2, "FILE2", file2_read },
};

int perf_file_read_features(struct perf_file *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(readers); i++) {
		struct cursor c = perf_head_feature(&f->head, readers[i].feature);

		if (c.bad)
			continue;

		int err = readers[i].read(f, &c);

		if (err)
			return err;
		if (c.bad)
			perf_file_missing(f, "feature %s is damaged at byte %zu of %zu",
					  readers[i].name, cur_off(&c),
					  f->head.feature[readers[i].feature].n);
	}
	return 0;
}
