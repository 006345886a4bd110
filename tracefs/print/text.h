/* text.h - what the helpers of print fmts write: flags, symbols, arrays, bit masks, hex. */
#ifndef TRACEFS_PRINT_TEXT_H
#define TRACEFS_PRINT_TEXT_H

#include "base/fmt.h"
#include "tracefs/print/eval.h"

/* The text of a TEXPR_FLAGS .. TEXPR_BITMASK node. "?" for what has no value here. */
void ttext_node(const struct teval *ev, const struct texpr *x, struct out *o);

/* "aa:bb:cc": bytes in hex with a separator, 0 for none. */
void ttext_hex(struct traw b, char sep, struct out *o);

/* Words of a bitmap, most significant first (%*pb), or as a list of ranges (%*pbl). bits beyond the bytes are 0. */
void ttext_bitmap(const struct teval *ev, struct traw b, size_t bits, struct out *o);
void ttext_bitlist(const struct teval *ev, struct traw b, size_t bits, struct out *o);

/*
 * An `out` on a fixed buffer: what does not fit is cut. For texts that get padded.
 */
struct ttext_buf {
	struct out out;
	size_t n;
	char stage[64], text[1024];
};
void ttext_buf_init(struct ttext_buf *b);
struct sv ttext_buf_sv(struct ttext_buf *b);   /* flushes; borrowed */

#endif
