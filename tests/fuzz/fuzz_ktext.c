/* Six bytes of choices, then records of random sizes: text of each, bounded, whatever they say; calls are folded at
 * random. */
#include "tracefs/text/ktext.h"

#include "tests/unit/ktext_formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { TEXT_MAX = 16384 };

struct input {
	const uint8_t *p;
	size_t n;
	uint8_t *record;
};

/* The next record, in memory of its own: its size in words, then its bytes. */
static bool next_record(struct input *in, struct tstream_rec *rec)
{
	size_t size;

	if (in->n < 2)
		return false;
	size = MIN((in->p[0] & 63) * 4u, in->n - 2);
	*rec = (struct tstream_rec){ .ts = in->n, .cpu = in->p[1] & 7, .n = (uint32_t)size, .lost = in->p[1] >> 7 };
	in->p += 2;
	in->n -= 2;
	free(in->record);
	in->record = malloc(size ? size : 1);
	if (!in->record)
		abort();
	memcpy(in->record, in->p, size);
	rec->raw = in->record;
	in->p += size;
	in->n -= size;
	return true;
}

/* Looks ahead without going on: skip goes on. */
static bool peek(void *arg, struct tstream_rec *rec)
{
	struct input *in = arg, copy = *in;
	bool any = next_record(&copy, rec);

	in->record = copy.record;
	return any;
}

static void skip(void *arg)
{
	struct tstream_rec rec;

	next_record(arg, &rec);
}

static bool symbol(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	(void)arg;
	*s = (struct tprint_symbol){.name = "name", .module = addr & 1 ? "mod" : NULL, .offset = addr & 15, .size = 16};
	return addr & 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char *const releases[] = { "", "5.10.1", "5.16.0", "6.12.1" };
	static const struct tprint_names names = { .symbol = symbol };
	struct input in = { .p = p + 6, .n = n - 6 };
	struct ktext_head head = { .entries = 1 };
	struct tstream_rec rec;
	struct ktext_want w;
	struct tevents t;
	struct mem_out m;
	struct ktext *k;

	if (n < 6)
		return 0;
	tevents_init(&t, (struct tmachine){ .long_size = 8, .swap = p[0] >> 7 });
	for (size_t i = 0; i < ARRAY_SIZE(ktext_formats); i++)
		tevents_add(&t, SV("ftrace"), sv_from(ktext_formats[i]), NULL);
	tevents_add_printk(&t, SV("0x0 : \"%d %s %p %*d %llx %c %pI4 %pS %.3s %-8d|\\n\"\n"));
	w = (struct ktext_want){
		.events = &t,
		.names = &names,
		.tracer = p[0] & 1 ? "function_graph" : "nop",
		.release = releases[p[0] >> 1 & 3],
		.options = (uint32_t)traw_load(p + 1, 4, false),
		.overrun = p[5] & 1,
		.counter = p[5] & 2,
		.cpus = p[5] >> 4,
		.irq_end = p[5] & 4 ? UINT64_MAX : 0,
		.arg = &in,
		.peek = peek,
		.skip = skip,
	};
	k = ktext_new(&w);
	if (!k)
		abort();
	while (next_record(&in, &rec)) {
		mem_out_init(&m);
		ktext_record(k, &rec, &m.out);
		if (strlen(mem_out_str(&m)) > TEXT_MAX)
			abort();
		mem_out_deinit(&m);
	}
	mem_out_init(&m);
	ktext_header(k, &head, &m.out);
	mem_out_deinit(&m);
	ktext_free(k);
	free(in.record);
	tevents_deinit(&t);
	return 0;
}
