/* rawargs.h - fields of tracepoints, from the arguments that a raw tracepoint's program gets. */
#ifndef BPF_RAWARGS_H
#define BPF_RAWARGS_H

#include "bpf/ktypes.h"

struct rawarg {
	uint16_t off;                    /* of the argument, bytes from the context */
	bool is_member;                  /* it is an address: what is wanted lies so many bytes behind it */
	struct kmember member;
};

/* -EOPNOTSUPP: there is no known way from the arguments of this kernel to the field. */
int rawarg_find(struct rawarg *r, const struct ktypes *k, const char *event, const char *field, struct err *e);

#endif
