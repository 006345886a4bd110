/* A whole recording, perf.data or trace.dat, read as reports do: in order of time, names, maps and chains followed. */
#include "disk.h"

#include "source/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { ADDRESSES_MAX = 64 };

struct seen {
	struct session *s;
	struct mem_out text;
	uint64_t lines;
};

static void look_up(struct session *s, uint32_t pid, uint8_t mode, uint64_t ip)
{
	const struct sym_loc *loc = resolver_find(s->resolver, pid, mode, ip);

	if (!loc || !loc->dso || !loc->dso_short || (loc->sym && !strlen(loc->sym)))
		abort();
}

static void show_text(struct seen *seen, const struct sample *smp)
{
	struct session *s = seen->s;
	struct tprint_names names = session_names(s);
	struct tevent *t;

	t = seen->text.n > 1 << 20 ? NULL : tevents_of(s->trace, smp->raw.p, smp->raw.n);
	if (t)
		tprint_record(tevents_print(s->trace, t), &names, smp->raw.p, smp->raw.n, &seen->text.out);
}

static void sample(struct seen *seen, struct perf_event *ev, const struct sample *smp)
{
	struct session *s = seen->s;

	if (session_event_index(s, ev) >= s->head->events.n)
		abort();
	look_up(s, smp->pid, 0, smp->ip);
	for (uint64_t i = 0; i < MIN(smp->n_chain, (uint64_t)ADDRESSES_MAX); i++)
		look_up(s, smp->pid, 0, sample_chain(&ev->layout, smp, i));
	if (!resolver_comm_of(s->resolver, smp->pid, smp->tid))
		abort();
	show_text(seen, smp);
}

static void take_all(struct seen *seen, struct err *e)
{
	struct session_item it;

	while (session_next(seen->s, &it, e) == 1) {
		if (it.event)
			sample(seen, it.event, &it.sample);
		else if (it.record.body.n > 65535)
			abort();
	}
}

static void say(void *arg, const char *line)
{
	((struct seen *)arg)->lines += strlen(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char kernel[] = "ffff800008000000 T _text\nffff800008001000 T schedule\n"
				     "ffff800009000000 T _etext\n";
	struct disk *d = disk_new();
	struct session_want w = { .path = "in", .raw_order = n & 1 };
	struct session s;
	struct err e = { 0 };

	disk_put(d, "in", p, n);
	disk_put(d, "/proc/kallsyms", kernel, sizeof(kernel) - 1);
	if (!session_open(&s, &d->sys, &w, &e)) {
		struct seen seen = { .s = &s };

		mem_out_init(&seen.text);
		take_all(&seen, &e);
		session_footer(&s, SESSION_ALL, say, &seen);
		mem_out_deinit(&seen.text);
		session_close(&s);
	} else if (!e.code) {
		abort();
	}
	disk_free(d);
	return 0;
}
