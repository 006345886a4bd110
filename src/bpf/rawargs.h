/*
 * rawargs.h - locates fields of tracepoints in the arguments of a raw tracepoint's program, and arguments of probes in
 * the registers of a probe's program.
 */
#ifndef BPF_RAWARGS_H
#define BPF_RAWARGS_H

#include "arch/arch.h"
#include "bpf/ktypes.h"

struct rawarg {
	uint16_t off;                    /* offset of the argument or register in the context, bytes */
	bool is_member;                  /* it is an address: the field is `member` of what it points to */
	struct kmember member;
};

/* -EOPNOTSUPP: no known mapping from this kernel's arguments to the field. */
int rawarg_find(struct rawarg *r, const struct ktypes *k, const char *event, const char *field, struct err *e);

/*
 * The same for a probe. fetches: its arguments as in kprobe_events or uprobe_events: "size=%x1:u32 n=+8(%x0)".
 * Registers, arguments, the return value, and memory at an address in one of these; size: of the field.
 */
int rawarg_fetch(struct rawarg *r, const struct arch *a, struct sv fetches, const char *field, uint32_t size,
		 struct err *e);

#endif
