#include "show/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(struct base64 *b)
{
	uint32_t v = (uint32_t)b->rest[0] << 16 | (uint32_t)b->rest[1] << 8 | b->rest[2];
	char text[4];

	for (unsigned i = 0; i < sizeof(text); i++)
		text[i] = i <= b->n_rest ? digits[v >> (18 - 6 * i) & 63] : '=';
	out_bytes(b->to, text, sizeof(text));
	memset(b->rest, 0, sizeof(b->rest));
	b->n_rest = 0;
}

static int put(void *arg, const char *bytes, size_t n)
{
	struct base64 *b = arg;

	for (size_t i = 0; i < n; i++) {
		b->rest[b->n_rest++] = (uint8_t)bytes[i];
		if (b->n_rest == sizeof(b->rest))
			put_group(b);
	}
	return b->to->error;
}

void base64_init(struct base64 *b, struct out *to)
{
	*b = (struct base64){ .to = to };
	b->out = (struct out){ .write = put, .arg = b, .buf = b->buf, .cap = sizeof(b->buf) };
}

void base64_end(struct base64 *b)
{
	out_flush(&b->out);
	if (b->n_rest)
		put_group(b);
}
