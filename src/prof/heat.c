/* heat.c - a few heat maps, by name. */
#include "prof/heat.h"

static struct heat_map *map_of(struct heat *h, const char *name)
{
	struct heat_map *m;

	for (size_t i = 0; i < h->n; i++)
		if (!strcmp(h->of[i].name, name))
			return &h->of[i];
	if (h->n == HEAT_MAPS)
		return NULL;
	m = &h->of[h->n];
	m->map = calloc(1, sizeof(*m->map));
	str_copy(m->name, sizeof(m->name), sv_from(name));
	h->n += m->map != NULL;
	return m;
}

int heat_add(struct heat *h, const char *first, const char *second, uint64_t time, uint64_t value)
{
	char name[100];
	struct heat_map *m;

	if (!h->file)
		return 0;
	snprintf(name, sizeof(name), "%s%s%s", first, second ? "-" : "", second ? second : "");
	m = map_of(h, name);
	if (m && !m->map)
		return -ENOMEM;
	if (m)
		heatmap_add(m->map, time, value);
	else
		h->left_out++;
	return 0;
}

struct picture {
	const struct heat_map *of;
	bool is_ns;
};

static void put_picture(void *arg, struct out *o)
{
	const struct picture *p = arg;

	heatmap_svg(p->of->map, p->of->name, p->is_ns, o);
}

/* Make an event name usable in a file name. */
static void clean(char *name)
{
	for (; *name; name++)
		if (*name == '/' || *name == ':' || (unsigned char)*name <= ' ')
			*name = '_';
}

int heat_write(const struct heat *h, struct prof *p, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < h->n; i++) {
		struct picture picture = { &h->of[i], h->is_ns };
		char ending[120];

		snprintf(ending, sizeof(ending), "-%s.svg", h->of[i].name);
		clean(ending);
		r = prof_write(p, h->file, ending, put_picture, &picture, e);
	}
	if (!r && h->left_out)
		return err_set(e, E2BIG, "--heatmap: %llu are of more than %d kinds of events, and in no picture",
			       (unsigned long long)h->left_out, HEAT_MAPS);
	return r;
}

void heat_close(struct heat *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->of[i].map);
	h->n = 0;
}
