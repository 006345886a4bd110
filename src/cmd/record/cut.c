/* cut.c - see cut.h. */
#include "cmd/record/cut.h"

#include "base/civil.h"

#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

/* perf's suffixes: s, m, h and d are times; B, K, M and G are sizes. */
static bool is_time(struct sv text, uint64_t *ns)
{
	static const struct { char letter; unsigned seconds; } units[] = {
		{ 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 },
	};
	enum { DAYS_MAX = 36500 };
	uint64_t n;

	for (size_t i = 0; text.n && i < ARRAY_SIZE(units); i++)
		if (text.s[text.n - 1] == units[i].letter) {
			*ns = units[i].seconds * NS_PER_S;
			if (!str_u64((struct sv){ text.s, text.n - 1 }, 10, &n) || !n ||
			    n > DAYS_MAX * UINT64_C(86400) * NS_PER_S / *ns)
				return false;
			*ns *= n;
			return true;
		}
	return false;
}

int record_cut_parse(struct record_cut_want *w, const char *value, struct err *e)
{
	struct sv text = sv_from(value ? value : "signal");

	w->on = true;
	w->size = w->ns = 0;
	if (sv_eq(text, "signal") || is_time(text, &w->ns))
		return 0;
	/* A number without a suffix is refused: it could be a time or a size. */
	if (text.n && (text.s[text.n - 1] < '0' || text.s[text.n - 1] > '9') && str_size(text, &w->size) && w->size)
		return 0;
	return err_set(e, EINVAL, "'%s' is none of signal, a size (100M, 1G) and a time (30s, 10m, 1h, 1d)", value);
}

/* Rename with the time in 1/100 s. If two parts end within the same 1/100 s, the later one takes the next free name. */
static int take_name(const struct sys *sys, const char *path, const char *stem, char *name, size_t size)
{
	uint64_t t = sys->now(sys, CLOCK_REALTIME) / (NS_PER_S / 100);
	int n, r;

	do {
		struct civil c = civil_of((int64_t)(t / 100));

		n = snprintf(name, size, "%s.%04d%02u%02u%02d%02d%02d%02u", stem, c.year, c.month + 1, c.day, c.hour,
			     c.minute, c.second, (unsigned)(t % 100));
		t++;
		r = n > 0 && (size_t)n < size ? record_cut_place(sys, path, name) : -ENAMETOOLONG;
	} while (r == -EEXIST);
	return r;
}

/* Remember the newest part, and delete the oldest ones beyond max_files. */
static int keep(struct record_cut *c, const struct record_cut_want *w, const struct sys *sys, struct err *e)
{
	char **to = w->max_files ? vec_add(&c->kept) : NULL;

	if (!w->max_files)
		return 0;
	if (!to || !(*to = strdup(c->name)))
		return err_nomem(e);
	while (c->kept.n > w->max_files) {
		sys->unlink(sys, c->kept.v[0]);
		free(c->kept.v[0]);
		memmove(c->kept.v, c->kept.v + 1, --c->kept.n * sizeof(*c->kept.v));
	}
	return 0;
}

int record_cut_end(struct record_cut *c, const struct record_cut_want *w, const struct sys *sys, const char *path,
		   struct err *e)
{
	int r = take_name(sys, path, record_cut_stem(w, path), c->name, sizeof(c->name));

	if (r)
		return err_set(e, -r, "cannot give %s its name with the time: %s", path, err_name(-r));
	c->n++;
	return keep(c, w, sys, e);
}

void record_cut_deinit(struct record_cut *c)
{
	for (size_t i = 0; i < c->kept.n; i++)
		free(c->kept.v[i]);
	vec_free(&c->kept);
}
