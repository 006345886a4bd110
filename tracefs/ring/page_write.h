/* page_write.h - make sub-buffers of the ring's format out of events; the reader is page.h. */
#ifndef TRACEFS_RING_PAGE_WRITE_H
#define TRACEFS_RING_PAGE_WRITE_H

#include "tracefs/ring/page.h"

struct tpage_writer {
	struct tpage_layout layout;
	bool swap;            /* in the other byte order */
	uint8_t *bytes;       /* the owner's buffer, data_offset + data_size bytes */
	uint32_t pos;         /* 0: the page is not begun */
	uint64_t ts, lost;
};

/*
 * Add an event; `lost` events were lost just before it. Its time may be earlier than the previous event's. False: the
 * page is full, or lost events need a new page: call tpage_put_end, then try again. An event that is larger than a page
 * can never be added.
 */
bool tpage_put(struct tpage_writer *w, const struct tpage_event *ev, uint64_t lost);

/* Finish the page: its bytes are complete. False: the page has no events. */
bool tpage_put_end(struct tpage_writer *w);

#endif
