/*
 * early.h - the running kernel's symbols, read by another thread before the first lookup: the kernel takes its time to
 * write their list, and a recording of this kernel will need it anyway.
 */
#ifndef SOURCE_EARLY_H
#define SOURCE_EARLY_H

#include "image/kallsyms.h"
#include "sys/sys.h"

struct early;

struct early *early_new(const struct sys *sys);   /* NULL: no memory */
void early_free(struct early *y);                 /* may be NULL */

/* Wait for them: the table is the caller's from then on. -ENOENT: it was taken; or why it could not be read. */
int early_take(struct early *y, struct kallsyms *k);

#endif
