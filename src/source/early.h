/*
 * early.h - the text of the running kernel's symbols, read by another thread before anybody asks for it: the kernel
 * takes its time to write it, and it is needed all the same where a recording is of this kernel.
 */
#ifndef SOURCE_EARLY_H
#define SOURCE_EARLY_H

#include "sys/sys.h"

#define EARLY_KALLSYMS "/proc/kallsyms"
enum { EARLY_MAX = 1 << 27 };

struct early;

struct early *early_new(const struct sys *sys);   /* NULL: no memory */
void early_free(struct early *y);                 /* may be NULL */

/* Wait for it: the text is the caller's to free. -ENOENT: there is none, or it was taken; or why it was not read. */
int early_take(struct early *y, char **text, size_t *n);

#endif
