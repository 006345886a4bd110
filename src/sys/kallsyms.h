/* kallsyms.h - /proc/kallsyms read piece by piece: its text of 5 to 20 MB is never in memory as a whole. */
#ifndef SYS_KALLSYMS_H
#define SYS_KALLSYMS_H

#include "image/kallsyms.h"
#include "sys/sys.h"

#define SYS_KALLSYMS "/proc/kallsyms"

/* Of path, which has such a text. *k need not be zeroed; after an error there is nothing to deinit. 0 or -errno. */
int sys_kallsyms(const struct sys *s, const char *path, struct kallsyms *k, struct err *e);

#endif
