/* gzip.h - an output stream that is compressed to one gzip member. */
#ifndef SHOW_GZIP_H
#define SHOW_GZIP_H

#include "base/fmt.h"

struct gzip;

struct gzip *gzip_new(struct out *to);   /* NULL: no memory */
struct out *gzip_out(struct gzip *g);
void gzip_end(struct gzip *g);           /* flushes; errors are kept in `to` */
void gzip_free(struct gzip *g);

#endif
