/*
 * early.h - read /proc/kallsyms in a second thread before the symbols are needed: the kernel takes long to format it,
 * and a recording of the running kernel nearly always needs it.
 */
#ifndef SOURCE_EARLY_H
#define SOURCE_EARLY_H

#include "sys/sys.h"

#define EARLY_KALLSYMS "/proc/kallsyms"
enum { EARLY_MAX = 1 << 27 };

struct early;

struct early *early_new(const struct sys *sys);   /* NULL: no memory */
void early_free(struct early *y);                 /* may be NULL */

/* Wait for the text, which the caller frees. -ENOENT: there is none, or it was taken before; or -errno of reading. */
int early_take(struct early *y, char **text, size_t *n);

#endif
