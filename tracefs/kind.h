/*
 * kind.h - what an event means: its kind, and the fields of that kind in its records, looked up once when its format
 * is read (events.h). The table is kind.def.
 *
 *   if (ev->kind == KIND_SCHED_SWITCH && ev->field[SWITCH_NEXT_PID])
 *           tfmt_u64(ev->field[SWITCH_NEXT_PID], raw, n, &pid);
 */
#ifndef TRACEFS_KIND_H
#define TRACEFS_KIND_H

#include "tracefs/format/format.h"

enum tkind {
	KIND_OTHER,   /* any other event: it has only the fields of its format */
#define KIND(constant, system, name, set) KIND_##constant,
#include "tracefs/kind.def"
	KIND_COUNT
};

/* enum tkind_switch { SWITCH_PREV_PID, ... }: indices of a kind's fields. */
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

/*
 * The fields of the kind by their index, allocated in the arena; NULL for each that this kernel lacks. NULL: no memory.
 */
const struct tfield **tkind_fields(const struct tfmt *f, enum tkind kind, struct arena *a);
void tkind_common(const struct tfmt *f, const struct tfield *common[COMMON_FIELDS]);

/* "sched", "sched_switch": the names in tracefs. Not for kinds that stand for several events. */
const char *tkind_system(enum tkind kind);
const char *tkind_name(enum tkind kind);

/* "NET_RX": the name of a softirq by its number (linux/interrupt.h); NULL: no such softirq. */
const char *tkind_softirq(uint64_t vec);

#endif
