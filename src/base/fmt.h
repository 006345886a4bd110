/*
 * fmt.h - output through one buffer with its own number formatting.
 *
 * A struct out holds up to its buffer's size and hands full buffers to `write`. Writing never fails at the call:
 * the first error is kept in `error` (-errno) and everything after it is dropped; check it once at the end.
 *
 * The text may be untrusted: thread names, what a program wrote into the trace, paths. Files and pipes get its bytes
 * unchanged. A terminal would obey escape sequences in it, so for one, control characters (except tab and newline) and
 * bytes that are not UTF-8 are escaped as "\x1b". sonde's own escape sequences go through out_control.
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
	uint64_t total;    /* bytes written or buffered since the start */
	int error;
	bool terminal;     /* the output is a terminal: escape control characters */
	bool color;        /* ... and colours are wanted */
	unsigned width;    /* columns of the terminal; 0 = unlimited (file, pipe) */
	uint8_t part[4];   /* for a terminal: an incomplete UTF-8 sequence, whose rest comes with the next call */
	uint8_t n_part;
};

void out_flush(struct out *o);
void out_begin(struct out *o);                              /* call `write` with 0 bytes: output will follow, later */
void out_end(struct out *o);                                /* flush at the end of all output */
void out_control(struct out *o, const char *sequence);      /* an escape sequence for a terminal, written unchanged */
void out_bytes(struct out *o, const void *p, size_t n);

/* Inline, because s is mostly a literal, of which the compiler knows the length. */
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
void out_near(struct out *o, double v, unsigned width, unsigned prec);   /* same text as out_fixed, faster for < 1e6 */
void out_printf(struct out *o, const char *fmt, ...) PRINTF(2, 3);
void out_json(struct out *o, struct sv s);                  /* a quoted JSON string; bad UTF-8 becomes U+FFFD */

/* Addresses of 4 and 16 bytes in network order (ip.c). IPv6 as in RFC 5952 and the kernel's %pI6c: the first longest
 * run of zeros as "::", the last words of mapped and ISATAP addresses as IPv4. */
void out_ip4(struct out *o, const uint8_t p[4]);
void out_ip6(struct out *o, const uint8_t p[16]);

/* Length of the valid UTF-8 sequence at p (RFC 3629), or 0. */
size_t fmt_utf8(const uint8_t *p, size_t left);

/* Write v as "1,234,567" into buf; returns buf. */
const char *fmt_grouped(char *buf, size_t size, uint64_t v);

/* Bytes with a unit (powers of 1024), three digits at most: "4.20 MB". Returns buf. */
const char *fmt_bytes(char *buf, size_t size, uint64_t bytes);

/* Seconds since 1970 as "Fri Nov 20 08:10:22 2026 UTC": UTC, because board and laptop seldom share a time zone. */
enum { FMT_DATE = 32 };
const char *fmt_date(char buf[FMT_DATE], int64_t seconds);

/* An `out` into memory that grows: n bytes at v after out_flush; mem_out_str adds a NUL. */
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
