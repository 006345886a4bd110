/* link.c - see link.h. */
#include "sys/link.h"

#include <unistd.h>

int link_make(const struct sys *s, const char *target, const char *path)
{
	char full[PATH_MAX];
	int n = snprintf(full, sizeof(full), "%s%s", s->root && path[0] == '/' ? s->root : "", path);

	if (n >= PATH_MAX)
		return -ENAMETOOLONG;
	return symlink(target, full) ? -errno : 0;
}

int link_read(const struct sys *s, const char *path, char *buf, size_t size)
{
	ssize_t n = s->readlink(s, path, buf, size - 1);

	if (n < 0)
		return (int)n;
	buf[n] = '\0';
	return 0;
}

int link_real(const struct sys *s, const char *path, char buf[PATH_MAX])
{
	if (s->root && s->root[0])
		return str_copy(buf, PATH_MAX, sv_from(path)) < PATH_MAX ? 0 : -ENAMETOOLONG;
	return realpath(path, buf) ? 0 : -errno;
}

int link_folders(const struct sys *s, const char *path)
{
	char part[PATH_MAX];
	int r = 0;

	if (str_copy(part, sizeof(part), sv_from(path)) >= sizeof(part))
		return -ENAMETOOLONG;
	for (char *at = part + 1; (!r || r == -EEXIST) && at; ) {
		at = strchr(at, '/');
		if (at)
			*at = '\0';
		r = sys_exists(s, part) ? 0 : s->mkdir(s, part, 0755);
		if (at)
			*at++ = '/';
	}
	return r == -EEXIST ? 0 : r;
}
