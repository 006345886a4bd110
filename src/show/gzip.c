#include "show/gzip.h"

#include "pack/pack.h"

enum { PIECE = 1 << 16 };

struct gzip {
	struct out out, *to;
	struct zlib_packer *packer;
	uint8_t *packed;
	uint32_t sum;
	uint64_t n;
	char buf[PIECE];
};

static int pack(void *arg, const char *bytes, size_t n)
{
	struct gzip *g = arg;

	while (n) {
		size_t some = MIN(n, (size_t)PIECE);

		out_bytes(g->to, g->packed, zlib_pack_part(g->packer, g->packed, bytes, some));
		g->sum = gzip_sum(g->sum, bytes, some);
		g->n += some;
		bytes += some;
		n -= some;
	}
	return g->to->error;
}

struct gzip *gzip_new(struct out *to)
{
	struct gzip *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->to = to;
	g->packer = zlib_packer_new();
	g->packed = malloc(zlib_pack_bound(PIECE));
	if (!g->packer || !g->packed) {
		gzip_free(g);
		return NULL;
	}
	g->out = (struct out){ .write = pack, .arg = g, .buf = g->buf, .cap = sizeof(g->buf) };
	out_bytes(to, g->packed, gzip_pack_head(g->packed));
	return g;
}

struct out *gzip_out(struct gzip *g)
{
	return &g->out;
}

void gzip_end(struct gzip *g)
{
	out_flush(&g->out);
	out_bytes(g->to, g->packed, gzip_pack_end(g->packed, g->sum, g->n));
}

void gzip_free(struct gzip *g)
{
	if (!g)
		return;
	zlib_packer_free(g->packer);
	free(g->packed);
	free(g);
}
