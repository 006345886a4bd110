/* base64.h - an output stream that is encoded as base64 (RFC 4648), without line breaks. */
#ifndef SHOW_BASE64_H
#define SHOW_BASE64_H

#include "base/fmt.h"

struct base64 {
	struct out out, *to;
	uint8_t rest[3];           /* bytes not yet forming a group of three */
	unsigned n_rest;
	char buf[3072];
};

/* What is written to b->out is encoded to `to`; both remain the caller's, and b must not move. */
void base64_init(struct base64 *b, struct out *to);
void base64_end(struct base64 *b);     /* flushes; errors are kept in `to` */

#endif
