/* view.c - functions shared by the views. */
#include "prof/view.h"

#include "report/profile_filter.h"

#define MS UINT64_C(1000000)

const struct opt view_opts[] = {
	OPT_FLAG('a', "all-cpus", struct view_want, prof.target.all, "live: system-wide, until Ctrl-C"),
	OPT_U64('m', "mmap-pages", struct view_want, prof.rings.pages, "<n>", "live: pages of each CPU's ring buffer"),
	OPT_HEAD("Output"),
	OPT_STR('o', "output", struct view_want, prof.form.output, "<file>", "write here, not to standard output"),
	OPT_FLAG('q', "quiet", struct view_want, prof.form.quiet, "print results only"),
	OPT_COUNT('v', "verbose", struct view_want, verbose, "print more detail"),
	OPT_IGNORED('f', "force", FLAG, struct view_want, ignored),
	OPT_REFUSED('D', "dump-raw-trace", OPT_NO_VALUE, "", "records are not dumped here", "sonde script -D"),
	OPT_END,
};

const struct opt view_files_opts[] = {
	OPT_STR('k', "vmlinux", struct session_want, vmlinux, "<file>", "vmlinux of the recorded kernel"),
	OPT_STR(0, "kallsyms", struct session_want, kallsyms, "<file>",
		"copy of the recorded machine's /proc/kallsyms"),
	OPT_STR(0, "symfs", struct session_want, symfs, "<dir>", "folder with the recorded machine's files"),
	OPT_END,
};

int view_first(struct prof *p, struct err *e)
{
	struct prof_want *w = prof_want(p);
	bool live = w->from.interval_ns || w->target.all || p->argc;

	if (w->from.input && live)
		return err_set(e, EINVAL, "-i %s: a recording goes with no command, no -a and no interval",
			       w->from.input);
	w->from.recorded = !live && !w->from.input;
	w->target.all = live && !w->target.cpus && !w->target.pids && !w->target.tids;
	return 0;
}

bool view_has_event(const struct sys *sys, const char *name)
{
	const char *colon = strchr(name, ':'), *tracefs = sys_tracefs(sys);
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/events/%.*s/%s", tracefs ? tracefs : "", (int)(colon - name), name, colon + 1);
	return tracefs && sys_exists(sys, path);
}

/* A record is shorter than 64 KiB, even if a format says otherwise. */
static uint32_t word_end(const struct tfield *f)
{
	bool is_word = f && f->plain == sizeof(uint64_t) && f->offset <= UINT16_MAX;

	return is_word ? f->offset + (uint32_t)sizeof(uint64_t) : 0;
}

static void find_fields(struct view_tap *t, const struct tap *tap, const struct view_kind *kinds, size_t n)
{
	/* A recording may use the label for anything: only an event with a format is of that kind. */
	while (t->kind < n && (!tap->event || strcmp(tap->label, kinds[t->kind].label)))
		t->kind++;
	if (t->kind == n)
		return;
	for (size_t i = 0; i < VIEW_FIELDS && kinds[t->kind].fields[i]; i++) {
		t->field[i] = tfmt_field(&tap->event->fmt, kinds[t->kind].fields[i]);
		t->word_end[i] = word_end(t->field[i]);
	}
}

const struct view_tap *view_taps(struct prof *p, const struct view_kind *kinds, size_t n)
{
	size_t taps = p->feed.taps.n;
	struct view_tap *v = arena_alloc(&p->feed.arena, (taps + 1) * sizeof(*v));

	if (v)
		memset(v, 0, (taps + 1) * sizeof(*v));
	for (size_t i = 0; v && i < taps; i++)
		find_fields(&v[i], &p->feed.taps.v[i], kinds, n);
	return v;
}

bool view_is(struct map *known, uint64_t ip, bool (*ask)(void *arg, uint64_t ip), void *arg)
{
	enum { PLACES = 1 << 16, NO = 1, YES = 2 };
	uint64_t *at = map_get(known, ip);
	bool is = at ? *at == YES : ask(arg, ip);

	at = at || known->n >= PLACES ? NULL : map_add(known, ip, NULL);
	if (at)
		*at = is ? YES : NO;
	return is;
}

static int add_key(struct view_keys *k, struct sv name, const char *const *names, size_t n, struct err *e)
{
	char all[200] = "";
	size_t at = 0, len = 0;

	while (at < n && !sv_eq(name, names[at]))
		at++;
	if (at < n && k->n < VIEW_KEYS) {
		k->v[k->n++] = (uint8_t)at;
		return 0;
	}
	if (at < n)
		return err_set(e, EINVAL, "-s: at most %d keys", VIEW_KEYS);
	for (size_t i = 0; i < n && len < sizeof(all); i++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "", names[i]);
	return err_set(e, EINVAL, "-s: '%.*s' is none of %s", (int)MIN(name.n, 40u), name.s, all);
}

int view_keys_read(struct view_keys *k, const char *text, const char *const *names, size_t n, struct err *e)
{
	struct sv rest = sv_from(text), piece, name;
	int r = 0;

	k->n = 0;
	while (!r && sv_cut(&rest, ',', &piece)) {
		name = sv_trim(piece);
		r = name.n ? add_key(k, name, names, n, e) : 0;
	}
	return r;
}

int view_span_read(struct view_span *s, const struct prof *p, const char *text, struct err *e)
{
	struct filter_want w = { .time = text };
	struct filter f;
	int r = filter_init(&f, &w, &p->feed.session, e);

	*s = (struct view_span){ f.from, f.to };
	filter_deinit(&f);
	return r;
}

void view_time(struct out *o, uint64_t ns, unsigned width)
{
	out_point(o, ns / 1000, 6, width);
}

void view_ms(struct out *o, uint64_t ns, unsigned width)
{
	out_point(o, ns / 1000, 3, width + 4);
	out_char(o, ' ');
}

void view_note(const struct prof *p, uint64_t n, const char *what)
{
	char line[160];

	if (!n || prof_want(p)->form.quiet)
		return;
	snprintf(line, sizeof(line), "%llu %s", (unsigned long long)n, what);
	p->how->note(p->how->arg, line);
}

uint32_t view_cpus(const struct prof *p)
{
	if (feed_is_live(&p->feed))
		return cpus_count(&p->feed.live.target.online);
	return MIN(p->feed.session.head->cpus_online, (uint32_t)CPUS_MAX);
}
