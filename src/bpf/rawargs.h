/*
 * rawargs.h - fields of tracepoints, from the arguments that a raw tracepoint's program gets; and those of probes,
 * from the registers that theirs gets.
 */
#ifndef BPF_RAWARGS_H
#define BPF_RAWARGS_H

#include "arch/arch.h"
#include "bpf/ktypes.h"

struct rawarg {
	uint16_t off;                    /* of the argument, the register, bytes from the context */
	bool is_member;                  /* it is an address: what is wanted lies so many bytes behind it */
	struct kmember member;
};

/* -EOPNOTSUPP: there is no known way from the arguments of this kernel to the field. */
int rawarg_find(struct rawarg *r, const struct ktypes *k, const char *event, const char *field, struct err *e);

/*
 * The same of a probe. Fetches: what stands behind its place in kprobe_events or uprobe_events: "size=%x1:u32
 * n=+8(%x0)". Registers, arguments and the returned value, and what lies behind an address in one; size: of the
 * field.
 */
int rawarg_fetch(struct rawarg *r, const struct arch *a, struct sv fetches, const char *field, uint32_t size,
		 struct err *e);

#endif
