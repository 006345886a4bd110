/*
 * The feature sections of a perf.data, each behind its number and its length, around a recording with one event; and
 * the description that `report --header` prints of them.
 */
#include "disk.h"
#include "parts.h"

#include "cmd/report/header.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { HEAD = 104, ATTR = 128, ENTRY = ATTR + 16, MOST = 64, IDS = 4 };

struct parts {
	struct { uint8_t number; struct bytes bytes; } v[MOST];
	size_t n;
};

/* The table of features is in order of their numbers, each once. */
static void insert(struct parts *s, uint8_t number, struct bytes bytes)
{
	size_t i = 0;

	while (i < s->n && s->v[i].number < number)
		i++;
	if (s->n == MOST || (i < s->n && s->v[i].number == number))
		return;
	memmove(s->v + i + 1, s->v + i, (s->n - i) * sizeof(s->v[0]));
	s->v[i].number = number;
	s->v[i].bytes = bytes;
	s->n++;
}

static void put(struct out *o, uint64_t v, size_t n)
{
	out_bytes(o, &v, n);
}

static void zeros(struct out *o, size_t n)
{
	while (n--)
		out_char(o, '\0');
}

/* Two events with two ids each, no records. */
static void recording(const struct parts *s, struct out *o)
{
	uint64_t data = HEAD + IDS * 8 + 2 * ENTRY, at = data + s->n * 16;
	uint64_t bits[4] = { 0 };

	out_str(o, "PERFILE2");
	put(o, HEAD, 8);
	put(o, ENTRY, 8);
	put(o, HEAD + IDS * 8, 8);
	put(o, (uint64_t)2 * ENTRY, 8);
	put(o, data, 8);
	zeros(o, 24);
	for (size_t i = 0; i < s->n; i++)
		bits[s->v[i].number / 64] |= UINT64_C(1) << s->v[i].number % 64;
	out_bytes(o, bits, sizeof(bits));
	for (uint64_t id = 1; id <= IDS; id++)
		put(o, id, 8);
	for (uint64_t i = 0; i < 2; i++) {
		put(o, i, 4);
		put(o, ATTR, 4);
		zeros(o, 16);
		put(o, 0x10007, 8);   /* IP, TID, TIME, IDENTIFIER */
		zeros(o, ATTR - 32);
		put(o, HEAD + i * 16, 8);
		put(o, 16, 8);
	}
	for (size_t i = 0; i < s->n; at += s->v[i++].bytes.n) {
		put(o, at, 8);
		put(o, s->v[i].bytes.n, 8);
	}
	for (size_t i = 0; i < s->n; i++)
		out_bytes(o, s->v[i].bytes.p, s->v[i].bytes.n);
}

static void say(void *arg, const char *line)
{
	*(size_t *)arg += strlen(line);
}

static void show(struct disk *d)
{
	struct session_want w = { .path = "in" };
	struct session s;
	struct mem_out text;
	struct err e;
	size_t lines = 0;

	if (session_open(&s, &d->sys, &w, &e))
		abort();
	if (s.head->events.n != 2 || s.head->events.v[1].group_leader > 1)
		abort();
	mem_out_init(&text);
	report_header(&s, true, &text.out);
	session_footer(&s, SESSION_ALL, say, &lines);
	mem_out_deinit(&text);
	session_close(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n);
	struct parts parts = { .n = 0 };
	struct disk *d = disk_new();
	struct mem_out m;

	while (cur_left(&c) && !c.bad) {
		uint8_t number = cur_u8(&c);

		insert(&parts, number, part_take(&c));
	}
	mem_out_init(&m);
	recording(&parts, &m.out);
	disk_put(d, "in", mem_out_str(&m), m.n);
	mem_out_deinit(&m);
	show(d);
	disk_free(d);
	return 0;
}
