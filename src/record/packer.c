/* packer.c - compress records in pieces of 32 KiB. */
#include "record/packer.h"

#include "abi/perf_event.h"
#include "pack/pack.h"

enum { STRETCH = 32 << 10 };   /* bytes; fits into a COMPRESSED record even if it does not shrink */

struct packer {
	struct zstd_packer *z;
	uint8_t *made;             /* zstd_pack_bound(STRETCH) bytes */
	uint64_t given_bytes, made_bytes;
};

struct packer *packer_new(void)
{
	struct packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->z = zstd_packer_new();
	p->made = malloc(zstd_pack_bound(STRETCH));
	if (p->z && p->made)
		return p;
	packer_free(p);
	return NULL;
}

void packer_free(struct packer *p)
{
	if (p) {
		zstd_packer_free(p->z);
		free(p->made);
	}
	free(p);
}

static int write_stretch(struct packer *p, struct sink *s, const uint8_t *v, size_t n, struct err *e)
{
	size_t len = zstd_pack(p->z, p->made, v, n);
	struct perf_rec h = { .type = PERF_REC_COMPRESSED, .size = (uint16_t)(sizeof(h) + len) };
	struct bytes out[2] = { { (const uint8_t *)&h, sizeof(h) }, { p->made, len } };

	p->given_bytes += n;
	p->made_bytes += h.size;
	return sink_write(s, out, 2, e);
}

int packer_write(struct packer *p, struct sink *s, const struct bytes *pieces, size_t n, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t at = 0; at < pieces[i].n && !r; at += STRETCH) {
			size_t left = pieces[i].n - at;

			r = write_stretch(p, s, pieces[i].p + at, MIN(left, (size_t)STRETCH), e);
		}
	}
	return r;
}

uint64_t packer_given(const struct packer *p)
{
	return p->given_bytes;
}

uint64_t packer_made(const struct packer *p)
{
	return p->made_bytes;
}
