/*
 * side_text.h - side records (all that are not samples) as text, in the layout of perf script --show-*-events and of
 * perf's dumps. Layouts of the records: linux/perf_event.h, enum perf_event_type, up to 6.18.
 */
#ifndef CMD_SIDE_TEXT_H
#define CMD_SIDE_TEXT_H

#include "base/fmt.h"
#include "perf/side.h"
#include "sym/resolver.h"

/* The name of an enum perf_rec_type, "MMAP"; NULL: an unknown type. All known types are below SIDE_NAMES. */
enum { SIDE_NAMES = PERF_REC_COMPRESSED2 + 1 };
const char *side_name(uint32_t type);

struct side_names {
	struct resolver *resolver;   /* for the symbols of TEXT_POKE records; NULL: addresses only */
	bool swap;                   /* the record has the foreign byte order */
};

/*
 * Print what follows "PERF_RECORD_MMAP", including the newline, for the record types that the kernel writes. Fields
 * beyond the end of a truncated record are 0. False: the type is unknown or the record malformed; nothing was printed.
 */
bool side_text(const struct perf_record *r, const struct side_names *names, struct out *o);

#endif
