/* print.c - samples in the layout of `perf script`, and as JSON. */
#include "cmd/script/print.h"

#include "base/civil.h"
#include "base/map.h"
#include "cmd/sample_text.h"
#include "show/json.h"
#include "show/text.h"

/* TASK_WIDTH is that of perf 6.12; in perf 6.1 it is 5. */
enum { ADDR_WIDTH = 16, COMM_WIDTH = 16, LATENCY_COMM_WIDTH = 8, TASK_WIDTH = 7 };

/* --- text ------------------------------------------------------------------------------------- */

static void put_padded(struct out *o, const char *s, size_t width)
{
	size_t n = text_columns(sv_from(s));

	if (n < width)
		out_fill(o, ' ', width - n);
	text_put(o, sv_from(s), TEXT_ALL, TEXT_PLAIN);
}

static void put_i32(struct out *o, uint32_t v, unsigned width)
{
	if (v <= INT32_MAX)
		out_u64w(o, v, width);
	else
		out_printf(o, "%*d", (int)width, (int)v);
}

static void put_time(struct out *o, uint64_t t, bool ns)
{
	/* perf pads "seconds.microseconds" to 12 columns, which is the same. */
	out_u64w(o, t / 1000000000, 5);
	out_char(o, '.');
	out_zero(o, ns ? t % 1000000000 : t % 1000000000 / 1000, ns ? 9 : 6);
	out_str(o, ": ");
}

/* A command's name is escaped and padded once; if the result is short, the thread caches it. */
static void put_comm(struct script_own *own, const struct script_sample *x, struct out *o)
{
	unsigned i = (unsigned)(hash_u64((uintptr_t)x->comm) % SCRIPT_NAMES);
	uint64_t start = o->total;
	size_t n;

	if (own->names[i].comm == x->comm && own->names[i].narrow == x->narrow) {
		out_bytes(o, own->names[i].text, own->names[i].n);
		return;
	}
	put_padded(o, x->comm, x->narrow ? 0 : COMM_WIDTH);
	out_char(o, ' ');
	n = (size_t)(o->total - start);
	own->names[i].comm = NULL;
	if (n > sizeof(own->names[i].text) || n > o->n)
		return;
	own->names[i].comm = x->comm;
	own->names[i].narrow = x->narrow;
	own->names[i].n = (uint8_t)n;
	memcpy(own->names[i].text, o->buf + o->n - n, n);
}

/* The flags of the record's header, one letter for each. */
static void put_misc(const struct script_sample *x, struct out *o)
{
	/* The modes are numbers, not flags, but perf tests them as bits, and so prints several of them at a time. */
	static const char modes[] = "KUHGg";
	char text[8];
	unsigned n = 0;
	bool of_map = x->type == PERF_REC_MMAP || x->type == PERF_REC_MMAP2;
	bool of_switch = x->type == PERF_REC_SWITCH || x->type == PERF_REC_SWITCH_CPU_WIDE;

	for (unsigned m = 1; m <= 5; m++)
		if ((x->misc & m) == m)
			text[n++] = modes[m - 1];
	if (of_map && x->misc & PERF_MISC_MMAP_DATA)
		text[n++] = 'M';
	if (x->type == PERF_REC_COMM && x->misc & PERF_MISC_COMM_EXEC)
		text[n++] = 'E';
	if (of_switch && x->misc & PERF_MISC_SWITCH_OUT)
		text[n++] = 'S';
	if (of_switch && (x->misc & PERF_MISC_SWITCH_OUT) && x->misc & PERF_MISC_PREEMPT)
		text[n++] = 'p';
	text[n] = '\0';
	out_left(o, text, n < 6 ? 6 : n + 1);
}

static void put_tod(uint64_t t, bool ns, struct out *o)
{
	struct civil c = civil_of((int64_t)(t / 1000000000));

	out_printf(o, "%d-%02u-%02u %02d:%02d:%02d.", c.year, c.month + 1, c.day, c.hour, c.minute, c.second);
	out_zero(o, ns ? t % 1000000000 : t % 1000000000 / 1000, ns ? 9 : 6);
	out_char(o, ' ');
}

/* For --Latency: names are cut to a narrow column. */
static void put_latency_comm(const char *comm, struct out *o)
{
	struct sv name = sv_from(comm);

	name.n = MIN(name.n, (size_t)LATENCY_COMM_WIDTH);
	out_fill(o, ' ', LATENCY_COMM_WIDTH - name.n);
	text_put(o, name, TEXT_ALL, TEXT_PLAIN);
	out_char(o, ' ');
}

static void put_cpu(uint32_t cpu, bool latency, struct out *o)
{
	if (latency) {
		put_i32(o, cpu, 3);
		out_char(o, ' ');
		return;
	}
	out_char(o, '[');
	if (cpu <= INT32_MAX)
		out_zero(o, cpu, 3);
	else
		out_str(o, "-01");
	out_str(o, "] ");
}

void script_start(const struct script *s, struct script_own *own, const struct script_sample *x, struct out *o)
{
	if (x->fields & FIELD_COMM && s->want->latency)
		put_latency_comm(x->comm, o);
	else if (x->fields & FIELD_COMM)
		put_comm(own, x, o);
	if (x->fields & FIELD_PID) {
		put_i32(o, x->pid, TASK_WIDTH);
		out_char(o, x->fields & FIELD_TID ? '/' : ' ');
	}
	if ((x->fields & (FIELD_PID | FIELD_TID)) == (FIELD_PID | FIELD_TID))
		out_printf(o, "%-*d ", TASK_WIDTH, (int)x->tid);
	else if (x->fields & FIELD_TID) {
		put_i32(o, x->tid, TASK_WIDTH);
		out_char(o, ' ');
	}
	if (x->fields & FIELD_CPU)
		put_cpu(x->cpu, s->want->latency, o);
	if (x->fields & FIELD_MISC)
		put_misc(x, o);
	if (x->fields & FIELD_TOD)
		put_tod(x->tod, s->want->times.ns, o);
	if (x->fields & FIELD_TIME)
		put_time(o, x->time, s->want->times.ns);
}

void script_trace(const struct tprint *p, const struct tprint_names *names, struct bytes raw, struct out *o)
{
	if (p) {
		tprint_record(p, names, raw.p, raw.n, o);
		return;
	}
	/* Without a format, print the bytes, so that nothing is lost silently. */
	out_str(o, "[no format]");
	for (size_t i = 0; i < raw.n; i++)
		out_printf(o, " %02x", raw.p[i]);
}

static void put_trace(const struct script_sample *x, const struct tprint_names *names, struct out *o)
{
	if (x->trace && !x->print)
		out_sv(o, script_made(x));
	else
		script_trace(x->print, names, script_raw(x), o);
}

static void put_ready(struct out *o, const struct script_text *t)
{
	if (t)
		out_bytes(o, t->s, t->n);
}

static void put_page_size(uint64_t size, struct out *o)
{
	out_char(o, ' ');
	sample_page_size(size, o);
}

static void put_line(const struct script *s, struct script_own *own, const struct script_sample *x, struct out *o)
{
	script_start(s, own, x, o);
	if (x->fields & FIELD_PERIOD) {
		out_u64w(o, x->period, 10);
		out_char(o, ' ');
	}
	if (x->fields & FIELD_EVENT) {
		put_padded(o, x->ev->label, s->name_width);
		out_str(o, ": ");
	}
	if (x->fields & FIELD_TRACE)
		put_trace(x, &s->texts, o);
	if (x->fields & FIELD_ADDR) {
		out_hexw(o, x->addr, ADDR_WIDTH);
		put_ready(o, x->addr_place);
	}
	out_sv(o, script_access(x));
	if (x->fields & FIELD_IP && x->has_chain)
		out_char(o, '\n');
	for (size_t i = 0; i < x->n_frames; i++)
		put_ready(o, x->frames[i]);
	out_sv(o, script_behind(x));
	if (x->fields & FIELD_PHYS_ADDR)
		out_printf(o, "%16llx", (unsigned long long)x->phys_addr);
	if (x->fields & FIELD_DATA_PAGE)
		put_page_size(x->data_page, o);
	if (x->fields & FIELD_CODE_PAGE)
		put_page_size(x->code_page, o);
	out_char(o, '\n');
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Write an array's elements as numbers. False: the field is no array of numbers. */
static bool json_elements(const struct tfield *f, struct bytes raw, struct json *j)
{
	struct traw b = tfmt_bytes(f, raw.p, raw.n);

	if (f->kind < TFIELD_ARRAY || (f->elem != 1 && f->elem != 2 && f->elem != 4 && f->elem != 8))
		return false;
	json_begin_array(j);
	for (size_t at = 0; b.n - at >= f->elem; at += f->elem) {
		uint64_t v = traw_load(b.p + at, f->elem, f->swap);

		if (f->is_signed)
			json_i64(j, traw_sext(v, f->elem));
		else
			json_u64(j, v);
	}
	json_end(j);
	return true;
}

static void json_field(const struct tfield *f, struct bytes raw, struct json *j)
{
	struct mem_out text;
	uint64_t v;

	json_key(j, f->name);
	if (f->is_string) {
		json_str(j, tfmt_str(f, raw.p, raw.n));
	} else if (f->kind == TFIELD_SCALAR && tfmt_u64(f, raw.p, raw.n, &v)) {
		if (f->is_signed)
			json_i64(j, (int64_t)v);
		else
			json_u64(j, v);
	} else if (!json_elements(f, raw, j)) {
		mem_out_init(&text);
		tprint_field(f, raw.p, raw.n, &text.out);
		json_str(j, sv_from(mem_out_str(&text)));
		mem_out_deinit(&text);
	}
}

static void json_trace(const struct script_sample *x, const struct tprint_names *names, struct json *j)
{
	const struct tevent *t = x->trace;
	struct mem_out text;

	if (t) {
		json_key(j, "fields");
		json_begin_object(j);
		for (uint32_t i = t->fmt.n_common; i < t->fmt.n_fields; i++)
			json_field(&t->fmt.fields[i], script_raw(x), j);
		json_end(j);
	}
	mem_out_init(&text);
	put_trace(x, names, &text.out);
	json_member_str(j, "text", mem_out_str(&text));
	mem_out_deinit(&text);
}

static void json_start(const struct script_sample *x, struct json *j)
{
	json_member_str(j, "event", x->ev->label);
	if (x->fields & FIELD_COMM)
		json_member_str(j, "comm", x->comm);
	if (x->fields & (FIELD_PID | FIELD_TID)) {
		json_key(j, "pid");
		json_i64(j, (int32_t)x->pid);
		json_key(j, "tid");
		json_i64(j, (int32_t)x->tid);
	}
	if (x->fields & FIELD_CPU)
		json_member_u64(j, "cpu", x->cpu);
	if (x->fields & FIELD_TIME)
		json_member_u64(j, "time_ns", x->time);
	if (x->fields & FIELD_PERIOD)
		json_member_u64(j, "period", x->period);
	if (x->fields & FIELD_ADDR)
		script_json_hex(j, "addr", x->addr);
	if (x->fields & FIELD_WEIGHT)
		json_member_u64(j, "weight", x->weight);
	if (x->fields & FIELD_PHYS_ADDR)
		script_json_hex(j, "phys_addr", x->phys_addr);
	if (x->fields & FIELD_DATA_PAGE)
		json_member_u64(j, "data_page_size", x->data_page);
	if (x->fields & FIELD_CODE_PAGE)
		json_member_u64(j, "code_page_size", x->code_page);
}

static void put_json(const struct script_sample *x, const struct tprint_names *names, struct out *o)
{
	struct json j = json_on(o);

	json_begin_object(&j);
	json_start(x, &j);
	if (x->fields & FIELD_TRACE)
		json_trace(x, names, &j);
	if (x->fields & FIELD_IP) {
		json_key(&j, "frames");
		json_begin_array(&j);
		for (size_t i = 0; i < x->n_frames; i++) {
			if (i)
				out_char(o, ',');
			put_ready(o, x->frames[i]);
		}
		json_end(&j);
	}
	out_sv(o, script_behind(x));
	json_end(&j);
	out_char(o, '\n');
}

void script_write(const void *arg, void *own, void *item, struct out *o)
{
	const struct script *s = arg;
	const struct script_sample *x = item;

	if (!x->ev)
		out_sv(o, script_made(x));
	else if (s->want->json)
		put_json(x, &s->texts, o);
	else
		put_line(s, own, x, o);
}
