/* base64.h - a stream that writes what comes as base64 (RFC 4648), without line breaks. */
#ifndef SHOW_BASE64_H
#define SHOW_BASE64_H

#include "base/fmt.h"

struct base64 {
	struct out out, *to;
	uint8_t rest[3];           /* bytes that make no group of three yet */
	unsigned n_rest;
	char buf[3072];
};

/* What is written into b->out goes to `to`; both stay the caller's, and b stays where it is. */
void base64_init(struct base64 *b, struct out *to);
void base64_end(struct base64 *b);     /* all is handed on; errors are kept in `to` */

#endif
