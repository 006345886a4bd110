/*
 * early.h - read /proc/kallsyms in a second thread before the symbols are needed: the kernel takes long to format it,
 * and a recording of the running kernel nearly always needs it.
 */
#ifndef SOURCE_EARLY_H
#define SOURCE_EARLY_H

#include "image/kallsyms.h"
#include "sys/sys.h"

struct early;

struct early *early_new(const struct sys *sys);   /* NULL: no memory */
void early_free(struct early *y);                 /* may be NULL */

/* Wait for the table, which the caller owns from then on. -ENOENT: it was taken before; or -errno of reading. */
int early_take(struct early *y, struct kallsyms *k);

#endif
