/*
 * bpf_ring.h - what programs of ours write into a ring of theirs (BPF_MAP_RINGBUF, Linux 5.8; kernel/bpf/ringbuf.c):
 *
 *	page 0      u64 consumer: bytes that we have read, in all
 *	page 1      u64 producer: bytes that are taken, in all
 *	from 2 on   the data, mapped twice, so that no record is cut: u32 length (bit 31: it is being written, bit 30:
 *	            it was thrown away), u32 of the kernel's own, then the bytes, up to the next multiple of 8
 */
#ifndef SYS_BPF_RING_H
#define SYS_BPF_RING_H

#include "sys/sys.h"

struct bpf_ring {
	void *ours, *theirs;     /* the mappings: page 0, and the rest */
	size_t page, size;       /* bytes; size: of the data */
	uint64_t at;             /* the first byte that was not read */
};

/* fd: the map, of `size` bytes (a power of two). 0 or -errno. */
int bpf_ring_init(struct bpf_ring *r, const struct sys *s, int fd, size_t size);
void bpf_ring_deinit(struct bpf_ring *r, const struct sys *s);

/* The next one that is finished, until bpf_ring_release; NULL: there is none. */
const uint8_t *bpf_ring_next(struct bpf_ring *r, size_t *n);

/* The kernel may write over all that bpf_ring_next has given. */
void bpf_ring_release(struct bpf_ring *r);

#endif
