/* ftext.h - records of a live buffer in the kernel's own format: ktext.h with this kernel's names and settings. */
#ifndef LIVE_FTEXT_H
#define LIVE_FTEXT_H

#include "live/live.h"
#include "tracefs/text/ktext.h"
#include "tracing/knames.h"

struct ftext {
	struct knames names;
	struct tprint_names print;
	struct tstream *stream;        /* borrowed from the live trace */
	struct ktext *text;
};

/* For records of buffer b of l; l must outlive t, and t must not move. Call after the buffer is set up. 0 or -errno. */
int ftext_init(struct ftext *t, struct live *l, unsigned b, struct err *e);
void ftext_deinit(struct ftext *t);

/* The header of its `trace` file: the tracer's column headings. Nothing if the kernel has none. */
void ftext_head(const struct live *l, unsigned b, struct out *o);

#endif
