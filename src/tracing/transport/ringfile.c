/* ringfile.c - TRACE.cpuN */
#include "tracing/transport/ringfile.h"

#include "sys/output.h"

#include <fcntl.h>
#include <sys/stat.h>

int ringfile_make_at(struct ringfile *f, const struct sys *s, const char *path, struct err *e)
{
	struct output o;
	int r = output_open(&o, s, path, OUTPUT_BESIDE, OUTPUT_PRIVATE, O_RDWR, e);

	f->fd = o.fd;
	if (r)
		return r;
	f->path = strdup(path);
	return f->path ? 0 : err_nomem(e);
}

int ringfile_make(struct ringfile *f, const struct sys *s, const char *of, const char *instance, struct err *e)
{
	char path[PATH_MAX];

	if (snprintf(path, PATH_MAX, "%s%s%s.cpu%u", of, *instance ? "." : "", instance, f->cpu) >= PATH_MAX)
		return err_set(e, ENAMETOOLONG, "%s is too long a name", of);
	return ringfile_make_at(f, s, path, e);
}

int ringfile_open(struct ringfile *f, const struct sys *s, const char *path, int flags, uint32_t subbuf,
		  struct err *e)
{
	struct stat st;
	int r;

	f->fd = s->open(s, path, flags, 0);
	r = f->fd < 0 ? f->fd : s->fstat(s, f->fd, &st);
	if (!r && !S_ISREG(st.st_mode))
		r = -EINVAL;
	if (r < 0)
		return err_set(e, -r, "cannot read %s: %s", path, err_name(-r));
	f->size = (uint64_t)st.st_size / subbuf * subbuf;
	return 0;
}

void ringfile_keep(struct ringfile *f)
{
	free(f->path);
	f->path = NULL;
}

void ringfile_drop(struct ringfile *f, const struct sys *s)
{
	if (f->fd >= 0)
		s->close(s, f->fd);
	f->fd = -1;
	if (f->path)
		s->unlink(s, f->path);
	ringfile_keep(f);
}
