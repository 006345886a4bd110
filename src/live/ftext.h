/* ftext.h - events of a live buffer in the text format of the kernel's `trace` file: ktext.h for this kernel. */
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

/* For records of buffer b of l, whose settings are made. l must outlive t, and t must not move. 0 or -errno. */
int ftext_init(struct ftext *t, struct live *l, unsigned b, struct err *e);
void ftext_deinit(struct ftext *t);

/* Print the header of buffer b's `trace` file, the tracer's column headings. Nothing if there is none. */
void ftext_head(const struct live *l, unsigned b, struct out *o);

#endif
