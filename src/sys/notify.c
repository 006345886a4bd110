/* notify.c - inotify; vfs_write also notifies for files of tracefs. */
#include "sys/notify.h"

#include <sys/inotify.h>
#include <unistd.h>

int notify_open(const struct sys *sys, const char *path)
{
	char full[PATH_MAX];
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK), code;

	if (fd < 0)
		return -errno;
	snprintf(full, sizeof(full), "%s%s", sys->root ? sys->root : "", path);
	if (inotify_add_watch(fd, full, IN_MODIFY) >= 0)
		return fd;
	code = errno;
	close(fd);
	return -code;
}

void notify_take(const struct sys *sys, int fd)
{
	char events[4096];

	while (sys->read(sys, fd, events, sizeof(events)) > 0)
		;
}
