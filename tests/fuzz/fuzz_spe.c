/* A core, where the first byte stands in its buffer, where the bytes are cut in two buffers; then packets. */
#include "spe/data_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void take_all(struct spe_stream *s, struct spe_stats *stats, uint64_t midr)
{
	struct spe_record r;

	while (spe_stream_next(s, &r, stats))
		if (!spe_record_accesses(&r) && spe_data_source(&r, midr))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const uint32_t cores[] = { 0, 0x413fd0c1, 0xc00fac40, 0x480fd060 };
	struct spe_stream s = { 0 };
	struct spe_stats stats = { 0 };
	size_t cut;

	if (n < 3)
		return 0;
	n -= 3;
	cut = p[2] < n ? p[2] : n;
	for (int half = 0; half < 2; half++) {
		size_t size = half ? n - cut : cut;
		uint8_t *copy = malloc(size ? size : 1);

		memcpy(copy, p + 3 + (half ? cut : 0), size);
		spe_stream_give(&s, (struct bytes){ copy, size }, p[1]);
		take_all(&s, &stats, cores[p[0] % ARRAY_SIZE(cores)]);
		free(copy);
	}
	spe_stream_end(&s, &stats);
	if (stats.records + stats.cut > n + 2)
		abort();
	return 0;
}
