/* ringset.c - pages of open rings. */
#include "live/ringset.h"

#include "tracing/rings.h"

/* Make room for `more` rings. */
static int grow(struct ringset *s, size_t more, struct err *e)
{
	struct tstream_ring *rings = realloc(s->rings, (s->n + more) * sizeof(*rings));
	struct ringset_file *files;

	if (!rings)
		return err_nomem(e);
	s->rings = rings;
	files = realloc(s->files, (s->n + more) * sizeof(*files));
	if (!files)
		return err_nomem(e);
	s->files = files;
	return 0;
}

int ringset_add(struct ringset *s, const struct tfs *t, uint32_t number, struct err *e)
{
	struct tpage_layout layout;
	struct cpus cpus;
	int r = rings_layout(t, &layout, e);

	r = r ? r : rings_cpus(t, &cpus, e);
	r = r ? r : grow(s, cpus_count(&cpus), e);
	for (int cpu = r ? -1 : cpus_next(&cpus, 0); cpu >= 0; cpu = cpus_next(&cpus, (unsigned)cpu + 1)) {
		struct ringset_file *f = &s->files[s->n];
		int fd = rings_open(t, (unsigned)cpu, RINGS_LIVE, e);

		if (fd < 0)
			return fd;
		*f = (struct ringset_file){ .fd = fd, .size = rings_subbuf(&layout) };
		s->rings[s->n++] = (struct tstream_ring){ .cpu = (uint32_t)cpu, .buffer = number, .layout = layout };
		f->page = malloc(f->size);
		if (!f->page)
			return err_nomem(e);
	}
	return r;
}

int ringset_page(void *set, uint32_t i, const uint8_t **page, size_t *n, struct err *e)
{
	struct ringset *s = set;
	struct ringset_file *f = &s->files[i];
	ssize_t got;

	while ((got = s->sys->read(s->sys, f->fd, f->page, f->size)) == -EINTR)
		;
	if (got == -EAGAIN || got == -ENODEV || got == 0)
		return 0;
	if (got < 0)
		return err_set(e, (int)-got, "cannot read the ring of CPU %u: %s", s->rings[i].cpu,
			       err_name((int)-got));
	*page = f->page;
	*n = (size_t)got;
	return 1;
}

int ringset_stream(struct ringset *s, struct err *e)
{
	s->stream = tstream_new(s->rings, s->n, false, ringset_page, s);
	return s->stream ? 0 : err_nomem(e);
}

void ringset_close(struct ringset *s)
{
	tstream_free(s->stream);
	for (size_t i = 0; i < s->n; i++) {
		s->sys->close(s->sys, s->files[i].fd);
		free(s->files[i].page);
	}
	free(s->files);
	free(s->rings);
	*s = (struct ringset){ .sys = s->sys };
}
