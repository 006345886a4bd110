/* Tracing data: what was read is written and read again, which must give the same pieces. */
#include "tracefs/format/events.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void same(struct sv a, struct sv b)
{
	if (a.n != b.n || (a.n && memcmp(a.s, b.s, a.n)))
		abort();
}

static void again(const struct tblob *b)
{
	struct mem_out m;
	struct tblob c;

	mem_out_init(&m);
	tblob_write(b, &m.out);
	out_flush(&m.out);
	if (tblob_init(&c, m.v, m.n, NULL) || c.used != m.n || c.formats.n != b->formats.n)
		abort();
	same(b->kallsyms, c.kallsyms);
	same(b->printk_formats, c.printk_formats);
	same(b->cmdlines, c.cmdlines);
	same(b->header_page, c.header_page);
	tblob_deinit(&c);
	mem_out_deinit(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct tevents t;
	struct tblob b;

	tevents_init(&t, (struct tmachine){ 8, false });
	if (!tblob_init(&b, p, n, NULL)) {
		tevents_add_blob(&t, &b, NULL);
		again(&b);
	}
	tevents_deinit(&t);
	tblob_deinit(&b);
	return 0;
}
