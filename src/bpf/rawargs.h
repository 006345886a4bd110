/*
 * rawargs.h - where a BPF program finds an event's fields: of a tracepoint in the arguments of its raw tracepoint, of a
 * probe in the registers.
 */
#ifndef BPF_RAWARGS_H
#define BPF_RAWARGS_H

#include "arch/arch.h"
#include "bpf/ktypes.h"

struct rawarg {
	uint16_t off;                    /* offset of the argument or register in the program's context */
	bool is_member;                  /* that is a pointer, and the field is the member at an offset from it */
	struct kmember member;
};

/* -EOPNOTSUPP: it is not known how to get the field from this kernel's arguments. */
int rawarg_find(struct rawarg *r, const struct ktypes *k, const char *event, const char *field, struct err *e);

/*
 * The same for a field of a probe. fetches: the fetch arguments as in kprobe_events or uprobe_events: "size=%x1:u32
 * n=+8(%x0)". Supported are registers, $argN, $retval, and one dereference of them; size: bytes of the field.
 */
int rawarg_fetch(struct rawarg *r, const struct arch *a, struct sv fetches, const char *field, uint32_t size,
		 struct err *e);

#endif
