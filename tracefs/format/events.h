/*
 * events.h - the trace events of one machine: by id, by "system:name"; with what their texts refer to (printk formats,
 * names of threads). Everything lives as long as the table.
 */
#ifndef TRACEFS_FORMAT_EVENTS_H
#define TRACEFS_FORMAT_EVENTS_H

#include "base/map.h"
#include "tracefs/dat/blob.h"
#include "tracefs/kind.h"
#include "tracefs/print/print.h"

struct tevent {
	struct tfmt fmt;
	struct tprint *print;   /* made by the first call of tevents_print() */
	enum tkind kind;        /* what the event means (kind.h); KIND_OTHER for most */
	const struct tfield **field;                   /* by index, SWITCH_PREV_PID; NULL: this kernel lacks it */
	const struct tfield *common[COMMON_FIELDS];    /* COMMON_PID */
};

struct tevents {
	struct tmachine machine;
	uint32_t page_size;         /* of memory, from a blob; 0: not known */
	struct arena arena;
	VEC(struct tevent *) list;
	VEC(struct tevent *) by_id; /* NULL: no event has that id */
	struct names names;         /* "system:name" -> index in `index` */
	VEC(uint32_t) index;
	struct map printk;          /* address -> char * */
	struct map comms;           /* pid -> char * */
	unsigned bad;               /* number of formats that could not be parsed and were left out */
	struct err first_bad;       /* the error of the first one */
};

void tevents_init(struct tevents *t, struct tmachine m);
void tevents_deinit(struct tevents *t);

/* Add the event of a format text; it replaces an earlier one of the same id or name. -EBADMSG, -ENOMEM. */
int tevents_add(struct tevents *t, struct sv system, struct sv text, struct err *e);

/*
 * Add everything that a blob holds, and take `machine` from it. Formats that cannot be parsed are counted, which is no
 * error. The blob is not needed afterwards.
 */
int tevents_add_blob(struct tevents *t, const struct tblob *b, struct err *e);

/* Lines `0xADDR : "text"` (printk_formats) and `PID COMM` (saved_cmdlines). Bad lines are left out. 0 or -ENOMEM. */
int tevents_add_printk(struct tevents *t, struct sv text);
int tevents_add_comms(struct tevents *t, struct sv text);

struct tevent *tevents_by_id(const struct tevents *t, uint64_t id);
struct tevent *tevents_by_kind(const struct tevents *t, enum tkind kind);   /* only for kinds of a single event */
struct tevent *tevents_by_name(const struct tevents *t, struct sv system, struct sv name);

/* The event of a raw record: by its common_type, the u16 at the start of every record. NULL: unknown or too short. */
struct tevent *tevents_of(const struct tevents *t, const void *raw, size_t n);

/* The compiled print fmt of an event, made on the first call. NULL only without memory. */
const struct tprint *tevents_print(struct tevents *t, struct tevent *ev);

/* The text at a kernel address by printk_formats, or NULL; fits struct tprint_names' `string` with arg = t. */
const char *tevents_string(void *t, uint64_t addr);

/* Name of a thread from saved_cmdlines or NULL. */
const char *tevents_comm(const struct tevents *t, uint32_t pid);

#endif
