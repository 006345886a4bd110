/*
 * pb.h - a writer of protobuf messages (the encoding alone: developers.google.com/protocol-buffers, "wire format").
 *
 *   pb_begin(&p, 3); pb_u64(&p, 1, 7); pb_end(&p);
 *
 * A message grows in memory until it is handed on whole: keep to one packet, one table, one sample at a time. Lengths
 * of messages within it are written as four bytes, whatever they are, so that nothing moves when they are known; they
 * hold less than 256 MiB.
 */
#ifndef SHOW_PB_H
#define SHOW_PB_H

#include "base/fmt.h"
#include "base/map.h"
#include "base/vec.h"

enum { PB_DEPTH = 12 };

/* A zeroed one is empty. */
struct pb {
	VEC(uint8_t) bytes;
	size_t open[PB_DEPTH];     /* where the lengths of the messages stand that have not ended */
	unsigned depth;
	int error;                 /* -ENOMEM, -EOVERFLOW; what follows is dropped */
};

void pb_deinit(struct pb *p);

/* Numbers: field's value is 0 by default and then need not be there; these write it all the same. */
void pb_u64(struct pb *p, unsigned field, uint64_t v);
void pb_fixed64(struct pb *p, unsigned field, uint64_t v);
void pb_bytes(struct pb *p, unsigned field, struct sv s);

/* A text: readers refuse a message where one is no UTF-8, so each byte that is none becomes U+FFFD. */
void pb_str(struct pb *p, unsigned field, struct sv s);

/* A repeated number, packed: begin, pb_item for each, end. */
void pb_begin(struct pb *p, unsigned field);
void pb_item(struct pb *p, uint64_t v);
void pb_end(struct pb *p);

/* Number of a text in a table of them; 0, and the error is set: there is no memory. */
uint64_t pb_name(struct pb *p, struct names *table, const char *s);

/* All of it to `o`, and the message is empty again. */
void pb_flush(struct pb *p, struct out *o);

#endif
