/*
 * ip.c - network addresses as text. musl's inet_ntop is not used, because it would link all of musl's printf with its
 * 128-bit arithmetic (24 KB).
 */
#include "base/fmt.h"

static unsigned word(const uint8_t *p, size_t i)
{
	return (unsigned)p[i * 2] << 8 | p[i * 2 + 1];
}

/* Find the first longest run of at least two zero words among the first n. Returns its length; 0: none. */
static size_t zero_run(const uint8_t *p, size_t n, size_t *at)
{
	size_t best = 1, len = 0;

	*at = n;
	for (size_t i = 0; i < n; i++) {
		len = word(p, i) ? 0 : len + 1;
		if (len > best) {
			best = len;
			*at = i + 1 - len;
		}
	}
	return *at < n ? best : 0;
}

void out_ip4(struct out *o, const uint8_t p[4])
{
	for (size_t i = 0; i < 4; i++) {
		if (i)
			out_char(o, '.');
		out_u64(o, p[i]);
	}
}

void out_ip6(struct out *o, const uint8_t p[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	bool isatap = (p[8] & 0xfd) == 0 && p[9] == 0 && p[10] == 0x5e && p[11] == 0xfe;
	bool v4 = isatap || !memcmp(p, mapped, sizeof(mapped));
	size_t n = v4 ? 6 : 8, at, run = zero_run(p, n, &at);
	bool colon = false;

	for (size_t i = 0; i < n; i++) {
		if (run && i == at) {
			out_str(o, "::");
			colon = false;
			i += run - 1;
			continue;
		}
		if (colon)
			out_char(o, ':');
		out_hex(o, word(p, i));
		colon = true;
	}
	if (v4) {
		if (colon)
			out_char(o, ':');
		out_ip4(o, p + 12);
	}
}
