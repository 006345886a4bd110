/*
 * side_text.h - records that are no samples as text, as perf's script --show-*-events and its dumps have it. Layouts:
 * linux/perf_event.h, enum perf_event_type, up to 6.18.
 */
#ifndef CMD_SIDE_TEXT_H
#define CMD_SIDE_TEXT_H

#include "base/fmt.h"
#include "perf/side.h"
#include "sym/resolver.h"

/* "MMAP" of an enum perf_rec_type; NULL: none that is known. Types are below SIDE_NAMES. */
enum { SIDE_NAMES = PERF_REC_COMPRESSED2 + 1 };
const char *side_name(uint32_t type);

struct side_names {
	struct resolver *resolver;   /* names of the kernel's code; NULL: none */
	bool swap;                   /* foreign byte order */
};

/*
 * What stands behind "PERF_RECORD_MMAP", to the end of the line or lines, of the types that the kernel writes. A record
 * that is cut tells less. False: nothing of it is known, and nothing was written.
 */
bool side_text(const struct perf_record *r, const struct side_names *names, struct out *o);

#endif
