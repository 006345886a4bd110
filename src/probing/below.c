/* below.c - see below.h. The kernel keeps paths within the folder (sys/inside.h). */
#include "probing/below.h"

#include "sys/inside.h"

static int map(void *arg, const char *path, const uint8_t **p, size_t *n)
{
	const struct subject *s = arg;
	int fd = inside_open(s->sys, s->want->symfs, path, 0), r;

	if (fd < 0)
		return fd;
	r = sys_map_fd(s->sys, fd, path, p, n);
	s->sys->close(s->sys, fd);
	return r;
}

static void unmap(void *arg, const uint8_t *p, size_t n)
{
	sys_unmap_file(((const struct subject *)arg)->sys, p, n);
}

static bool is_there(const struct subject *s, const char *path)
{
	int fd = inside_open(s->sys, s->want->symfs, path, 0);

	if (fd >= 0)
		s->sys->close(s->sys, fd);
	return fd >= 0;
}

/* A bare name: search where programs are, and libraries of any machine. */
static bool find_name(const struct subject *s, char path[PATH_MAX])
{
	static const char *const dirs[] = {
		"/bin", "/usr/bin", "/sbin", "/usr/sbin", "/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib",
		"/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib/x86_64-linux-gnu",
		"/usr/lib/x86_64-linux-gnu",
	};

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (snprintf(path, PATH_MAX, "%s/%s", dirs[i], s->want->exec) < PATH_MAX && is_there(s, path))
			return true;
	return false;
}

int below_find(struct subject *s, char path[PATH_MAX], struct err *e)
{
	const char *exec = s->want->exec;
	bool found;

	if (strchr(exec, '/'))
		found = snprintf(path, PATH_MAX, "%s%s", *exec == '/' ? "" : "/", exec) < PATH_MAX && is_there(s, path);
	else
		found = find_name(s, path);
	s->files = (struct image_files){ .arg = s, .map = map, .unmap = unmap, .mapped = s->sys->mapped };
	return found ? 0 : err_set(e, ENOENT, "there is no file %s below %s", exec, s->want->symfs);
}
