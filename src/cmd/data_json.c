/*
 * data_json.c - perf's JSON, in perf's layout: a line for each member, indented by a tab for each level. As in perf, a
 * call chain has the recorded addresses, without the markers between them (PERF_CONTEXT_*).
 */
#include "cmd/data_json.h"

#include "base/civil.h"
#include "source/perf_data.h"

enum { FORMAT = 1, MEMBER = 1, OF_HEADERS = 2, SAMPLE = 2, OF_SAMPLE = 3, PLACE = 4, OF_PLACE = 5 };
enum { RESOLVED_MAX = 1 << 13 };

/* Begin a line at this level; all but the first end the line before with a comma. */
static void line(struct out *o, bool first, unsigned level)
{
	if (!first)
		out_char(o, ',');
	out_char(o, '\n');
	out_fill(o, '\t', level);
}

static void key(struct out *o, bool first, unsigned level, const char *name)
{
	line(o, first, level);
	out_json(o, sv_from(name));
	out_str(o, ": ");
}

static void key_u64(struct out *o, unsigned level, const char *name, uint64_t v)
{
	key(o, false, level, name);
	out_u64(o, v);
}

/* Like perf, leave out texts that are not known. */
static void key_str(struct out *o, unsigned level, const char *name, const char *text)
{
	if (!*text)
		return;
	key(o, false, level, name);
	out_json(o, sv_from(text));
}

static void close_at(struct out *o, unsigned level, char bracket)
{
	line(o, true, level);
	out_char(o, bracket);
}

/* "2026-11-24T05:14:05Z" */
static void put_date(struct out *o, int64_t seconds)
{
	struct civil t = civil_of(seconds);

	out_printf(o, "\"%04d-%02u-%02uT%02d:%02d:%02dZ\"", t.year, t.month + 1, t.day, t.hour, t.minute, t.second);
}

static void put_file(const struct session *s, struct out *o)
{
	const struct perf_file *f = perf_data_file(s->source);

	if (!f)
		return;
	key_u64(o, OF_HEADERS, "data-offset", f->data_off);
	key_u64(o, OF_HEADERS, "data-size", f->data_end - f->data_off);
	key_u64(o, OF_HEADERS, "feat-offset", f->data_end);
}

static void put_headers(const struct session *s, int64_t captured, struct out *o)
{
	const struct perf_head *h = s->head;

	key(o, false, MEMBER, "headers");
	out_char(o, '{');
	key(o, true, OF_HEADERS, "header-version");
	out_u64(o, FORMAT);
	key(o, false, OF_HEADERS, "captured-on");
	put_date(o, captured);
	put_file(s, o);
	key_str(o, OF_HEADERS, "hostname", h->hostname);
	key_str(o, OF_HEADERS, "os-release", h->release);
	key_str(o, OF_HEADERS, "arch", h->arch);
	key_str(o, OF_HEADERS, "cpu-desc", h->cpudesc);
	key_str(o, OF_HEADERS, "cpuid", h->cpuid);
	key_u64(o, OF_HEADERS, "nrcpus-online", h->cpus_online);
	key_u64(o, OF_HEADERS, "nrcpus-avail", h->cpus_available);
	key_str(o, OF_HEADERS, "perf-version", h->version);
	if (h->cmdline.n) {
		key(o, false, OF_HEADERS, "cmdline");
		out_char(o, '[');
		for (size_t i = 0; i < h->cmdline.n; i++) {
			line(o, !i, OF_HEADERS + 1);
			out_json(o, sv_from(h->cmdline.v[i]));
		}
		close_at(o, OF_HEADERS, ']');
	}
	close_at(o, MEMBER, '}');
}

static void put_place(struct out *o, bool first, uint64_t ip, const struct sym_loc *l)
{
	line(o, first, PLACE);
	out_char(o, '{');
	key(o, true, OF_PLACE, "ip");
	out_str(o, "\"0x");
	out_hex(o, ip);
	out_char(o, '"');
	if (l && l->sym) {
		key_str(o, OF_PLACE, "symbol", l->sym);
		key_str(o, OF_PLACE, "dso", l->dso_short);
	}
	close_at(o, PLACE, '}');
}

static uint8_t mode_behind(uint64_t marker, uint8_t mode)
{
	switch (marker) {
	case PERF_CONTEXT_HV: return PERF_MISC_HYPERVISOR;
	case PERF_CONTEXT_KERNEL: return PERF_MISC_KERNEL;
	case PERF_CONTEXT_USER: return PERF_MISC_USER;
	}
	return mode;
}

static void put_chain(struct session *s, const struct session_item *it, struct out *o)
{
	const struct sample *smp = &it->sample;
	struct resolver_spaces in = resolver_spaces(s->resolver, smp->pid, smp->time);
	uint8_t mode = PERF_MISC_USER;
	bool first = true;

	key(o, false, OF_SAMPLE, "callchain");
	out_char(o, '[');
	if (!(it->event->layout.sample_type & PERF_SAMPLE_CALLCHAIN))
		put_place(o, true, smp->ip, resolver_find_in(s->resolver, &in, smp->cpumode, smp->ip));
	for (uint64_t i = 0; i < smp->n_chain; i++) {
		uint64_t ip = sample_chain(&it->event->layout, smp, i);

		if (ip >= PERF_CONTEXT_MAX) {
			mode = mode_behind(ip, mode);
			continue;
		}
		put_place(o, first, ip, resolver_find_in(s->resolver, &in, mode, ip));
		first = false;
	}
	close_at(o, OF_SAMPLE, ']');
}

/* The fields of a tracepoint, each as a string. */
static int put_fields(struct session *s, const struct sample *smp, struct out *o)
{
	const struct tevent *ev = tevents_of(s->trace, smp->raw.p, smp->raw.n);
	struct mem_out text;
	int r = 0;

	for (uint32_t i = 0; ev && i < ev->fmt.n_fields && !r; i++) {
		const struct tfield *f = &ev->fmt.fields[i];

		mem_out_init(&text);
		tprint_field(f, smp->raw.p, smp->raw.n, &text.out);
		mem_out_str(&text);
		r = text.out.error;
		key(o, false, OF_SAMPLE, f->name);
		out_json(o, (struct sv){ text.v, text.n });
		mem_out_deinit(&text);
	}
	return r;
}

/* Does any event record the CPU? Then every sample gets one, -1 where it was not recorded. */
static bool has_cpus(const struct session *s)
{
	for (size_t i = 0; i < s->head->events.n; i++)
		if (s->head->events.v[i].attr.sample_type & PERF_SAMPLE_CPU)
			return true;
	return false;
}

static int put_sample(struct session *s, const struct session_item *it, bool first, bool cpus, struct out *o)
{
	const struct sample *smp = &it->sample;
	int r;

	line(o, first, SAMPLE);
	out_char(o, '{');
	key(o, true, OF_SAMPLE, "timestamp");
	out_u64(o, smp->time);
	key(o, false, OF_SAMPLE, "pid");
	out_i64(o, (int32_t)smp->pid);
	key(o, false, OF_SAMPLE, "tid");
	out_i64(o, (int32_t)smp->tid);
	if (cpus) {
		key(o, false, OF_SAMPLE, "cpu");
		out_i64(o, (int32_t)smp->cpu);
	}
	key_str(o, OF_SAMPLE, "comm", resolver_comm_of(s->resolver, smp->pid, smp->tid));
	put_chain(s, it, o);
	r = put_fields(s, smp, o);
	close_at(o, SAMPLE, '}');
	return r;
}

int data_json(struct session *s, int64_t captured, struct out *o, struct err *e)
{
	struct session_item it;
	uint64_t places = 0;
	bool first = true, cpus = has_cpus(s);
	int r;

	out_char(o, '{');
	key(o, true, MEMBER, "linux-perf-json-version");
	out_u64(o, FORMAT);
	put_headers(s, captured, o);
	key(o, false, MEMBER, "samples");
	out_char(o, '[');
	while ((r = session_next(s, &it, e)) == 1 && !o->error) {
		if (it.event && put_sample(s, &it, first, cpus, o))
			return err_nomem(e);
		/* The resolver caches what it has looked up: clear it now and then, so that memory stays bounded. */
		places += it.event ? 1 + it.sample.n_chain : 0;
		if (places >= RESOLVED_MAX) {
			resolver_clear(s->resolver);
			places = 0;
		}
		first &= !it.event;
	}
	close_at(o, MEMBER, ']');
	out_str(o, "\n}\n");
	return r < 0 ? r : 0;
}
