/* page_write.h - make sub-buffers of the ring's format out of events; the reader is page.h. */
#ifndef TRACEFS_RING_PAGE_WRITE_H
#define TRACEFS_RING_PAGE_WRITE_H

#include "tracefs/ring/page.h"

struct tpage_writer {
	struct tpage_layout layout;
	bool swap;            /* in the other byte order */
	uint8_t *bytes;       /* data_offset + data_size, the owner's */
	uint32_t pos;         /* 0: the page is not begun */
	uint64_t ts, lost;
};

/*
 * Add an event, at a time that is its own whatever came before; `lost` events were lost just before it. False: there is
 * no room in this page any more: tpage_put_end, then try again. What is larger than a page is no event (false for
 * ever).
 */
bool tpage_put(struct tpage_writer *w, const struct tpage_event *ev, uint64_t lost);

/* Finish the page: its bytes are complete. False: there was no event in it. */
bool tpage_put_end(struct tpage_writer *w);

#endif
