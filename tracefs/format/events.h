/*
 * events.h - the trace events of one machine: by id, by "system:name"; with what their texts need (printk formats,
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
	struct tprint *print;   /* made by the first tevents_print() */
	enum tkind kind;        /* what it means, and where its fields stand; NULL: this kernel has not that one */
	const struct tfield **field;                   /* by the kind's numbers: SWITCH_PREV_PID */
	const struct tfield *common[COMMON_FIELDS];    /* COMMON_PID */
};

struct tevents {
	struct tmachine machine;
	uint32_t page_size;         /* of memory, as a blob told; 0: none did */
	struct arena arena;
	VEC(struct tevent *) list;
	VEC(struct tevent *) by_id; /* NULL: there is none of that id */
	struct names names;         /* "system:name" -> index in `index` */
	VEC(uint32_t) index;
	struct map printk;          /* address -> char * */
	struct map comms;           /* pid -> char * */
	unsigned bad;               /* formats that could not be parsed: left out */
	struct err first_bad;       /* what was wrong with the first of them */
};

void tevents_init(struct tevents *t, struct tmachine m);
void tevents_deinit(struct tevents *t);

/* Add the event of a format text; a later one of the same id or name replaces the earlier. -EBADMSG, -ENOMEM. */
int tevents_add(struct tevents *t, struct sv system, struct sv text, struct err *e);

/*
 * Add everything a blob holds. Bad formats are counted, not an error. The blob may go afterwards. Machine is taken
 * from it.
 */
int tevents_add_blob(struct tevents *t, const struct tblob *b, struct err *e);

/* Lines `0xADDR : "text"` (printk_formats) and `PID COMM` (saved_cmdlines). Bad lines are left out. 0 or -ENOMEM. */
int tevents_add_printk(struct tevents *t, struct sv text);
int tevents_add_comms(struct tevents *t, struct sv text);

struct tevent *tevents_by_id(const struct tevents *t, uint64_t id);
struct tevent *tevents_by_kind(const struct tevents *t, enum tkind kind);   /* of one event, not of several */
struct tevent *tevents_by_name(const struct tevents *t, struct sv system, struct sv name);

/* The event of a raw record: by its common_type, the u16 at the start of every record. NULL: unknown or too short. */
struct tevent *tevents_of(const struct tevents *t, const void *raw, size_t n);

/* Its compiled print fmt, made on the first call. NULL only without memory. */
const struct tprint *tevents_print(struct tevents *t, struct tevent *ev);

/* What a kernel address stands for in printk_formats, or NULL; fits struct tprint_names' `string` with arg = t. */
const char *tevents_string(void *t, uint64_t addr);

/* Name of a thread from saved_cmdlines or NULL. */
const char *tevents_comm(const struct tevents *t, uint32_t pid);

#endif
