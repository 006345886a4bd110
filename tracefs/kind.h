/*
 * kind.h - what an event means: its kind, and where in its records the fields stand that the kind has, looked up once
 * when its format is read (events.h). The table is kind.def.
 *
 *   if (ev->kind == KIND_SCHED_SWITCH && ev->field[SWITCH_NEXT_PID])
 *           tfmt_u64(ev->field[SWITCH_NEXT_PID], raw, n, &pid);
 */
#ifndef TRACEFS_KIND_H
#define TRACEFS_KIND_H

#include "tracefs/format/format.h"

enum tkind {
	KIND_OTHER,   /* an event as any: it has no fields but those of its format */
#define KIND(constant, system, name, set) KIND_##constant,
#include "tracefs/kind.def"
	KIND_COUNT
};

/* enum tkind_switch { SWITCH_PREV_PID, ... }: the numbers of a kind's fields. */
#define F(number, name) number,
#define FIELDS(set, list) enum tkind_##set { list };
#include "tracefs/kind.def"
#undef F

enum tkind_common {
#define COMMON(number, name) number,
#include "tracefs/kind.def"
	COMMON_FIELDS
};

/* The kind of an event whose system is set. */
enum tkind tkind_of(const struct tfmt *f);

/* Its fields by their numbers, NULL for each that this kernel has not, in the arena. NULL: no memory. */
const struct tfield **tkind_fields(const struct tfmt *f, enum tkind kind, struct arena *a);
void tkind_common(const struct tfmt *f, const struct tfield *common[COMMON_FIELDS]);

/* "sched", "sched_switch": how the tracing file system calls it. Not for the ones that stand for several. */
const char *tkind_system(enum tkind kind);
const char *tkind_name(enum tkind kind);

/* "NET_RX": the number of a soft interrupt (linux/interrupt.h); NULL: it is none. */
const char *tkind_softirq(uint64_t vec);

#endif
