/*
 * A print fmt, then a NUL, then a record: compiled against an event with a field of every kind, and rendered. Record
 * bytes are copied to a block of their exact size, so that reading beyond them is seen.
 */
#include "tracefs/format/events.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const char head[] =
	"name: e\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:int i;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 u;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 b;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:char s[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u16 a[4];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] d;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u32 r[];\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t m;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:const void * p;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u32 t[];\toffset:32;\tsize:0;\tsigned:0;\n"
	"\tfield:guid_t g;\toffset:8;\tsize:16;\tsigned:0;\n"
	"\nprint fmt: ";

static bool symbol(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	(void)arg;
	*s = (struct tprint_symbol){
		.name = "sym", .module = addr & 2 ? "mod" : NULL, .offset = addr & 0xff, .size = addr & 0xf00,
	};
	return addr & 1;
}

static int discard(void *arg, const char *bytes, size_t n)
{
	(void)arg;
	(void)bytes;
	(void)n;
	return 0;
}

static void render(struct tevents *t, struct tevent *ev, const uint8_t *raw, size_t n)
{
	struct tprint_names names = { t, symbol, tevents_string };
	char buf[256];
	struct out o = { .write = discard, .buf = buf, .cap = sizeof(buf) };
	const struct tprint *p = tevents_print(t, ev);
	uint8_t *copy = malloc(n);

	if (n)
		memcpy(copy, raw, n);
	tprint_record(p, &names, copy, n, &o);
	tprint_record(p, NULL, copy, n, &o);
	tprint_fields(&ev->fmt, copy, n, &o);
	for (uint32_t i = 0; i < ev->fmt.n_fields; i++) {
		struct tprint_part at = tprint_part_of(p, ev->fmt.fields[i].name);

		if (at.at)
			tprint_part_record(p, at, &names, copy, n, &o);
	}
	if ((tprint_state(p) == TPRINT_WHOLE) != !tprint_reason(p)[0])
		abort();
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *nul = n ? memchr(p, 0, n) : NULL;
	size_t text = nul ? (size_t)(nul - p) : n, skip = nul ? text + 1 : text;
	struct tevents t;
	struct mem_out m;

	mem_out_init(&m);
	out_str(&m.out, head);
	out_bytes(&m.out, p, text);
	tevents_init(&t, (struct tmachine){ .long_size = n & 1 ? 4 : 8, .swap = n >> 1 & 1 });
	tevents_add_printk(&t, SV("0x10 : \"ten\\n\"\n"));
	if (!tevents_add(&t, SV("s"), sv_from(mem_out_str(&m)), NULL))
		render(&t, t.list.v[0], p + skip, n - skip);
	tevents_deinit(&t);
	mem_out_deinit(&m);
	return 0;
}
