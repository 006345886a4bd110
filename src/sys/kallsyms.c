/* kallsyms.c - see kallsyms.h. */
#include "sys/kallsyms.h"

#include <fcntl.h>

int sys_kallsyms(const struct sys *s, const char *path, struct kallsyms *k, struct err *e)
{
	int fd = s->open(s, path, O_RDONLY, 0), r;

	*k = (struct kallsyms){ 0 };
	if (fd < 0)
		return err_set(e, -fd, "cannot open %s: %s", path, err_name(-fd));
	r = sys_feed(s, fd, kallsyms_feed, k);
	s->close(s, fd);
	r = r ? r : kallsyms_end(k);
	if (!r)
		return 0;
	kallsyms_deinit(k);
	return err_set(e, -r, "cannot read %s: %s", path, err_name(-r));
}
