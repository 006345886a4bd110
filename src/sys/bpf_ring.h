/*
 * bpf_ring.h - reads a ring that our BPF programs write (BPF_MAP_RINGBUF, Linux 5.8; kernel/bpf/ringbuf.c):
 *
 *  page 0      u64 consumer: total number of bytes read
 *  page 1      u64 producer: total number of bytes reserved
 *  from 2 on   the data, mapped twice, so that no record is split: u32 length (bit 31: being written, bit 30:
 *              discarded), u32 for the kernel, then the bytes, padded to a multiple of 8
 */
#ifndef SYS_BPF_RING_H
#define SYS_BPF_RING_H

#include "sys/sys.h"

struct bpf_ring {
	void *ours, *theirs;     /* mappings: page 0 writable, the rest read-only */
	size_t page, size;       /* bytes; size: of the data area */
	uint64_t at;             /* consumer position including records not yet released */
};

/* fd: the map, of `size` bytes (a power of two). 0 or -errno. */
int bpf_ring_init(struct bpf_ring *r, const struct sys *s, int fd, size_t size);
void bpf_ring_deinit(struct bpf_ring *r, const struct sys *s);

/* The next complete record, valid until bpf_ring_release; NULL: none. */
const uint8_t *bpf_ring_next(struct bpf_ring *r, size_t *n);

/* Release all records that bpf_ring_next has returned. */
void bpf_ring_release(struct bpf_ring *r);

#endif
