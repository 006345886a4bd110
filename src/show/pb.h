/*
 * pb.h - a writer of protobuf messages (only the encoding: developers.google.com/protocol-buffers, "wire format").
 *
 *   pb_begin(&p, 3); pb_u64(&p, 1, 7); pb_end(&p);
 *
 * A message grows in memory until pb_flush: keep to one packet, one table, one sample at a time. Lengths of nested
 * messages always take four bytes, so that nothing has to be moved when they become known; they must be less than 256
 * MiB.
 */
#ifndef SHOW_PB_H
#define SHOW_PB_H

#include "base/fmt.h"
#include "base/map.h"
#include "base/vec.h"

enum { PB_DEPTH = 12 };

/* Zeroed it is empty. */
struct pb {
	VEC(uint8_t) bytes;
	size_t open[PB_DEPTH];     /* offsets of the lengths of open messages */
	unsigned depth;
	int error;                 /* -ENOMEM, -EOVERFLOW; later output is dropped */
};

void pb_deinit(struct pb *p);

/* Numbers: 0 is the default, and could be omitted; these always write the field. */
void pb_u64(struct pb *p, unsigned field, uint64_t v);
void pb_fixed64(struct pb *p, unsigned field, uint64_t v);
void pb_bytes(struct pb *p, unsigned field, struct sv s);

/* A string: readers reject a message with malformed UTF-8, so each bad byte becomes U+FFFD. */
void pb_str(struct pb *p, unsigned field, struct sv s);

/* Nested message, or packed repeated number: begin, pb_item for each, end. */
void pb_begin(struct pb *p, unsigned field);
void pb_item(struct pb *p, uint64_t v);
void pb_end(struct pb *p);

/* Index of a string in a table of strings; 0 with the error set: no memory. */
uint64_t pb_name(struct pb *p, struct names *table, const char *s);

/* Write everything to `o`; the message is empty again. */
void pb_flush(struct pb *p, struct out *o);

#endif
