/* denied.h - why the kernel refused a definition. */
#ifndef PROBING_DENIED_H
#define PROBING_DENIED_H

#include "probing/define.h"

/* Is it this place that the kernel does not take, and not the whole file? */
static inline bool probe_is_refusal(int r)
{
	return r == -EINVAL || r == -ENOENT || r == -EADDRNOTAVAIL || r == -EILSEQ || r == -EOPNOTSUPP;
}

/* Add to e what the kernel's own lists say of the function, and what can be done. */
void probe_refused(const struct subject *s, const struct defined *d, struct err *e);

#endif
