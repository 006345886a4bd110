/*
 * tar.c - a head of 512 bytes for each file, numbers octal as text:
 *     0 name, 100   100 mode, 8   108 user, 8   116 group, 8   124 size, 12   136 time, 12   148 sum of all bytes, 8
 *   156 type, 1     157 where a link leads, 100                257 "ustar" NUL "00"
 * then the bytes, filled up to 512.
 */
#include "show/tar.h"

enum { BLOCK = 512, NAME = 100, TYPE_FILE = '0', TYPE_LINK = '2', TYPE_LONG_NAME = 'L', TYPE_LONG_LINK = 'K' };

struct member {
	const char *name, *target;
	char type;
	unsigned mode;
	uint64_t size;
};

static void put_sum(char head[BLOCK])
{
	unsigned sum = 0;

	memset(head + 148, ' ', 8);
	for (unsigned i = 0; i < BLOCK; i++)
		sum += (uint8_t)head[i];
	snprintf(head + 148, 7, "%06o", sum);
}

/* Of sizes from 8 GiB on it is a number of so many bytes instead, the highest first, and the top bit tells so. */
static void put_size(char head[BLOCK], uint64_t size)
{
	if (size < UINT64_C(1) << 33) {
		snprintf(head + 124, 12, "%011llo", (unsigned long long)size);
		return;
	}
	head[124] = (char)0x80;
	for (unsigned i = 0; i < 8; i++)
		head[135 - i] = (char)(size >> 8 * i);
}

static void put_head(struct out *o, const struct member *m)
{
	char head[BLOCK] = { 0 };

	memcpy(head, m->name, MIN(strlen(m->name), (size_t)NAME));
	snprintf(head + 100, 8, "%07o", m->mode);
	memcpy(head + 108, "0000000", 8);
	memcpy(head + 116, "0000000", 8);
	put_size(head, m->size);
	memcpy(head + 136, "00000000000", 12);
	head[156] = m->type;
	memcpy(head + 157, m->target, MIN(strlen(m->target), (size_t)NAME));
	memcpy(head + 257, "ustar\0" "00", 8);
	put_sum(head);
	out_bytes(o, head, sizeof(head));
}

static void put_bytes(struct out *o, const void *bytes, size_t n)
{
	static const char fill[BLOCK];

	out_bytes(o, bytes, n);
	out_bytes(o, fill, -n % BLOCK);
}

static void put_long(struct out *o, char type, const char *text)
{
	size_t n = strlen(text) + 1;
	struct member m = { .name = "././@LongLink", .target = "", .type = type, .size = n };

	if (n <= NAME)
		return;
	put_head(o, &m);
	put_bytes(o, text, n);
}

static void put_member(struct out *o, const struct member *m)
{
	put_long(o, TYPE_LONG_NAME, m->name);
	put_long(o, TYPE_LONG_LINK, m->target);
	put_head(o, m);
}

void tar_file(struct out *o, const char *name, unsigned mode, const void *bytes, size_t n)
{
	put_member(o, &(struct member){ .name = name, .target = "", .type = TYPE_FILE, .mode = mode, .size = n });
	put_bytes(o, bytes, n);
}

void tar_link(struct out *o, const char *name, const char *target)
{
	put_member(o, &(struct member){ .name = name, .target = target, .type = TYPE_LINK, .mode = 0777 });
}

void tar_end(struct out *o)
{
	static const char zeros[2 * BLOCK];

	out_bytes(o, zeros, sizeof(zeros));
}
