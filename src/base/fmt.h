/*
 * fmt.h - output through one buffer with its own number formatting.
 *
 * A struct out holds up to its buffer's size and hands full buffers to `write`. Writing never fails at the call:
 * the first error is kept in `error` (-errno) and everything after it is dropped; check it once at the end.
 *
 * What is written may be anybody's text: names of threads, what a program wrote into the trace, paths. A file or a pipe
 * gets its bytes as they are. A terminal would obey them: it gets control characters and what is no UTF-8 as "\x1b",
 * but for tab and newline. Sequences that are meant for the terminal go through out_control.
 */
#ifndef BASE_FMT_H
#define BASE_FMT_H

#include "base/base.h"
#include "base/str.h"

struct out {
	int (*write)(void *arg, const char *bytes, size_t n);   /* 0 or -errno; must take all n */
	void *arg;
	char *buf;
	size_t n, cap;
	uint64_t total;    /* bytes handed over or buffered since the start */
	int error;
	bool terminal;     /* the far end obeys control characters */
	bool color;        /* ... and shows colours */
	unsigned width;    /* columns of the far end; 0 = unlimited (file, pipe) */
	uint8_t part[4];   /* the start of a UTF-8 sequence for a terminal: the pieces of a text may cut it */
	uint8_t n_part;
};

void out_flush(struct out *o);
void out_begin(struct out *o);                              /* something will come, though it may take its time */
void out_end(struct out *o);                                /* flush, and nothing more comes */
void out_control(struct out *o, const char *sequence);      /* of ours, for a terminal: as it is */
void out_bytes(struct out *o, const void *p, size_t n);

/* Here, for most texts are written out in the code: their length is known there. */
static inline void out_str(struct out *o, const char *s)
{
	out_bytes(o, s, strlen(s));
}

static inline void out_sv(struct out *o, struct sv s)
{
	out_bytes(o, s.s, s.n);
}

void out_char(struct out *o, char c);
void out_fill(struct out *o, char c, size_t n);
void out_u64(struct out *o, uint64_t v);
void out_i64(struct out *o, int64_t v);
void out_hex(struct out *o, uint64_t v);                    /* without 0x */
void out_u64w(struct out *o, uint64_t v, unsigned width);   /* right-aligned in width */
void out_hexw(struct out *o, uint64_t v, unsigned width);
void out_zero(struct out *o, uint64_t v, unsigned width);   /* zero-padded */
void out_zero_hex(struct out *o, uint64_t v, unsigned width);
void out_point(struct out *o, uint64_t v, unsigned decimals, unsigned width);   /* 12345, 3: 12.345; width: to 24 */
void out_left(struct out *o, const char *s, size_t width);  /* left-aligned, padded, never cut */
void out_right(struct out *o, const char *s, size_t width);
void out_grouped(struct out *o, uint64_t v);                /* 1,234,567 */
void out_fixed(struct out *o, double v, unsigned width, unsigned prec);
void out_near(struct out *o, double v, unsigned width, unsigned prec);   /* the same, in less time and more code */
void out_printf(struct out *o, const char *fmt, ...) PRINTF(2, 3);
void out_json(struct out *o, struct sv s);                  /* a quoted JSON string; bad UTF-8 becomes U+FFFD */

/* Addresses of 4 and 16 bytes in network order (ip.c). IPv6 as in RFC 5952 and the kernel's %pI6c: the first longest
 * run of zeros as "::", the last words of mapped and ISATAP addresses as IPv4. */
void out_ip4(struct out *o, const uint8_t p[4]);
void out_ip6(struct out *o, const uint8_t p[16]);

/* Length of the valid UTF-8 sequence at p (RFC 3629), or 0. */
size_t fmt_utf8(const uint8_t *p, size_t left);

/* 1,234,567 into buf. */
const char *fmt_grouped(char *buf, size_t size, uint64_t v);

/* 4.2 MB: bytes with a unit, three digits at most. */
const char *fmt_bytes(char *buf, size_t size, uint64_t bytes);

/* "Fri Nov 20 08:10:22 2026 UTC" of seconds since 1970: UTC, for board and laptop seldom share a time zone. */
enum { FMT_DATE = 32 };
const char *fmt_date(char buf[FMT_DATE], int64_t seconds);

/* An `out` that grows in memory: bytes at .v, .n, with a NUL after them when mem_out_str is asked. */
struct mem_out {
	struct out out;
	char *v;
	size_t n, cap;
	char small[256];
};
void mem_out_init(struct mem_out *m);
const char *mem_out_str(struct mem_out *m);   /* flushes; borrowed until the next write */
void mem_out_deinit(struct mem_out *m);

#endif
