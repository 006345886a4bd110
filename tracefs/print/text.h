/* text.h - what the helpers of print fmts write: flags, symbols, arrays, bit masks, hex. */
#ifndef TRACEFS_PRINT_TEXT_H
#define TRACEFS_PRINT_TEXT_H

#include "base/fmt.h"
#include "tracefs/print/eval.h"

/* The text of a TEXPR_FLAGS .. TEXPR_BITMASK node. "?" for a value that is not known outside of the kernel. */
void ttext_node(const struct teval *ev, const struct texpr *x, struct out *o);

/* "aa:bb:cc": bytes in hex with a separator; sep 0: none. */
void ttext_hex(struct traw b, char sep, struct out *o);

/* A bitmap in words, most significant first (%*pb), or as a list of ranges (%*pbl). Bits beyond the bytes read as 0. */
void ttext_bitmap(const struct teval *ev, struct traw b, size_t bits, struct out *o);
void ttext_bitlist(const struct teval *ev, struct traw b, size_t bits, struct out *o);

/* An `out` on a fixed buffer, for texts that get padded; excess text is cut off. */
struct ttext_buf {
	struct out out;
	size_t n;
	char stage[64], text[1024];
};
void ttext_buf_init(struct ttext_buf *b);
struct sv ttext_buf_sv(struct ttext_buf *b);   /* flushes; borrowed */

#endif
