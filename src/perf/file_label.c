/* file_label.c - names for events that the recorder did not name. */
#include "perf/event.h"
#include "perf/file_parts.h"
#include "tracefs/dat/blob.h"

enum { LABEL_MAX = 160 };

/* The modifiers of the attr (:u, :k, :pp) as one types them after an event. */
static const char *modifiers(const struct perf_attr *a, char buf[8])
{
	uint64_t excluded = a->flags & (PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_USER |
					PERF_ATTR_EXCLUDE_HV);
	uint64_t precise = (a->flags & PERF_ATTR_PRECISE_MASK) >> PERF_ATTR_PRECISE_SHIFT;
	char *p = buf;

	*p++ = ':';
	if (excluded && !(excluded & PERF_ATTR_EXCLUDE_KERNEL))
		*p++ = 'k';
	if (excluded && !(excluded & PERF_ATTR_EXCLUDE_USER))
		*p++ = 'u';
	if (excluded && !(excluded & PERF_ATTR_EXCLUDE_HV))
		*p++ = 'h';
	for (; precise; precise--)
		*p++ = 'p';
	*p = '\0';
	return p > buf + 1 ? buf : "";
}

/* Fill the map: PMU type on the recorded machine -> offset of its name in the file. */
static int pmus_read(const struct perf_file *f, struct map *pmus)
{
	struct cursor c = perf_head_feature(&f->head, PERF_FEAT_PMU_MAPPINGS);

	for (uint32_t n = cur_u32(&c); n && !c.bad; n--) {
		uint32_t type = cur_u32(&c);
		const char *name = perf_head_string(&c);
		uint64_t *at = c.bad ? NULL : map_add(pmus, type, NULL);

		if (c.bad)
			break;
		if (!at)
			return -ENOMEM;
		*at = (uint64_t)((const uint8_t *)name - f->bytes.p);
	}
	return 0;
}

struct labels {
	const struct perf_file *file;
	struct map pmus;           /* type -> offset of the PMU's name in the file */
	struct tblob blob;
	struct map tracepoints;    /* id -> index in the blob's formats */
};

/* Value of a "key: value" line at the start of *text, which moves behind the line. */
static bool line_value(struct sv *text, const char *key, struct sv *value)
{
	if (!sv_cut(text, '\n', value) || !sv_starts(*value, key))
		return false;
	value->s += strlen(key);
	value->n -= strlen(key);
	*value = sv_trim(*value);
	return true;
}

/* A format starts with the lines "name: NAME" and "ID: NUMBER". */
static bool format_head(struct sv text, struct sv *name, uint64_t *id)
{
	struct sv number;

	return line_value(&text, "name:", name) && line_value(&text, "ID:", &number) &&
	       str_u64(number, 10, id);
}

static int tracepoints_read(struct labels *l)
{
	/* Of a damaged blob the formats before the damage are used. */
	if (tblob_init(&l->blob, l->file->head.tracing.p, l->file->head.tracing.n, NULL) == -ENOMEM)
		return -ENOMEM;
	for (size_t i = 0; i < l->blob.formats.n; i++) {
		struct sv name;
		uint64_t id, *at;

		if (!format_head(l->blob.formats.v[i].text, &name, &id))
			continue;
		at = map_add(&l->tracepoints, id, NULL);
		if (!at)
			return -ENOMEM;
		*at = i;
	}
	return 0;
}

static void tracepoint_label(const struct labels *l, uint64_t config, char *buf, size_t size)
{
	const uint64_t *at = map_get(&l->tracepoints, config);
	const struct tblob_format *f = at ? &l->blob.formats.v[*at] : NULL;
	struct sv name;
	uint64_t id;

	if (f && format_head(f->text, &name, &id))
		snprintf(buf, size, "%.*s:%.*s", (int)MIN(f->system.n, size), f->system.s,
			 (int)MIN(name.n, size), name.s);
	else
		snprintf(buf, size, "tracepoint:%llu", (unsigned long long)config);
}

static void label_of(const struct labels *l, const struct perf_attr *a, char *buf, size_t size)
{
	char generic[LABEL_MAX], mod[8];
	const char *name = event_config_name(a->type, a->config, generic, sizeof(generic));
	const uint64_t *pmu = map_get(&l->pmus, a->type);
	unsigned long long config = a->config;

	if (a->type == PERF_TRACEPOINT)
		tracepoint_label(l, config, buf, size);
	else if (a->type == PERF_BREAKPOINT)
		snprintf(buf, size, "mem:0x%llx", (unsigned long long)a->config1);
	else if (name)
		snprintf(buf, size, "%s%s", name, modifiers(a, mod));
	else if (a->type == PERF_RAW)
		snprintf(buf, size, "r%llx%s", config, modifiers(a, mod));
	else if (pmu)
		snprintf(buf, size, "%s/config=0x%llx/%s", (const char *)l->file->bytes.p + *pmu,
			 config, modifiers(a, mod));
	else
		snprintf(buf, size, "type %u config 0x%llx", a->type, config);
}

static int label_new(const struct labels *l, struct arena *arena, struct perf_event *ev)
{
	char buf[LABEL_MAX];

	label_of(l, &ev->attr, buf, sizeof(buf));
	ev->label = arena_dup(arena, buf, strlen(buf));
	return ev->label ? 0 : -ENOMEM;
}

static bool wants_tracepoints(const struct perf_file *f)
{
	for (size_t i = 0; i < f->head.events.n; i++)
		if (f->head.events.v[i].attr.type == PERF_TRACEPOINT && !f->head.events.v[i].name)
			return f->head.tracing.n > 0;
	return false;
}

int perf_file_set_labels(struct perf_file *f)
{
	struct labels l = { .file = f };
	int err = pmus_read(f, &l.pmus);

	if (!err && wants_tracepoints(f))
		err = tracepoints_read(&l);
	for (size_t i = 0; i < f->head.events.n && !err; i++) {
		struct perf_event *ev = &f->head.events.v[i];

		ev->label = ev->name;
		if (!ev->name)
			err = label_new(&l, &f->head.arena, ev);
	}
	map_deinit(&l.pmus);
	map_deinit(&l.tracepoints);
	tblob_deinit(&l.blob);
	return err;
}
