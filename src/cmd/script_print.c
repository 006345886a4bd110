/* script_print.c - samples in the layout of `perf script`, and as JSON. */
#include "cmd/script_print.h"

#include "show/json.h"
#include "show/text.h"

/* TASK_WIDTH: as in perf 6.12; that of 6.1 has 5. */
enum { ADDR_WIDTH = 16, COMM_WIDTH = 16, TASK_WIDTH = 7 };

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
	/* perf pads seconds with their microseconds to 12 columns: the same. */
	out_u64w(o, t / 1000000000, 5);
	out_char(o, '.');
	out_zero(o, ns ? t % 1000000000 : t % 1000000000 / 1000, ns ? 9 : 6);
	out_str(o, ": ");
}

void script_start(const struct script *s, const struct script_sample *x, struct out *o)
{
	const struct sample *smp = x->smp;

	if (x->fields & FIELD_COMM) {
		put_padded(o, x->comm, x->narrow ? 0 : COMM_WIDTH);
		out_char(o, ' ');
	}
	if (x->fields & FIELD_PID) {
		put_i32(o, smp->pid, TASK_WIDTH);
		out_char(o, x->fields & FIELD_TID ? '/' : ' ');
	}
	if ((x->fields & (FIELD_PID | FIELD_TID)) == (FIELD_PID | FIELD_TID))
		out_printf(o, "%-*d ", TASK_WIDTH, (int)smp->tid);
	else if (x->fields & FIELD_TID) {
		put_i32(o, smp->tid, TASK_WIDTH);
		out_char(o, ' ');
	}
	if (x->fields & FIELD_CPU) {
		out_char(o, '[');
		if (smp->cpu <= INT32_MAX)
			out_zero(o, smp->cpu, 3);
		else
			out_str(o, "-01");
		out_str(o, "] ");
	}
	if (x->fields & FIELD_TIME)
		put_time(o, smp->time, s->want->ns);
}

/* " symbol+0x12 (dso+0x345)" */
static void put_place(const struct script_sample *x, const struct sym_loc *l, unsigned behind, struct out *o)
{
	if (x->fields & FIELD_SYM) {
		out_char(o, ' ');
		text_put(o, sv_from(l->sym ? l->sym : "[unknown]"), TEXT_ALL, TEXT_PLAIN);
		if (l->sym && x->fields & FIELD_SYMOFF) {
			out_str(o, "+0x");
			out_hex(o, l->addr + behind - l->start);
		}
	}
	if (x->fields & (FIELD_DSO | FIELD_DSOFF)) {
		out_str(o, " (");
		text_put(o, sv_from(l->kernel ? l->dso_short : l->dso), TEXT_ALL, TEXT_PLAIN);
		if (x->fields & FIELD_DSOFF && !l->kernel && strcmp(l->dso, "[unknown]")) {
			out_str(o, "+0x");
			out_hex(o, l->offset + behind);
		}
		out_char(o, ')');
	}
}

static int put_frame(const struct script *s, const struct script_sample *x, const struct chain_frame *f, struct out *o)
{
	unsigned behind;
	const struct sym_loc *l = frames_loc(&s->frames, &x->spaces, f, &behind);

	if (!l)
		return -ENOMEM;
	if (s->want->filter.hide_unresolved && !l->sym)
		return 0;
	out_char(o, x->has_chain ? '\t' : ' ');
	out_hexw(o, f->ip, ADDR_WIDTH);
	put_place(x, l, behind, o);
	if (x->has_chain)
		out_char(o, '\n');
	return 0;
}

static void put_trace(struct script *s, const struct script_sample *x, struct out *o)
{
	struct bytes raw = x->smp->raw;
	struct tevent *t = tevents_of(s->session->trace, raw.p, raw.n);
	const struct tprint *p = t ? tevents_print(s->session->trace, t) : NULL;
	struct tprint_names names = session_names(s->session);

	if (p) {
		tprint_record(p, &names, raw.p, raw.n, o);
		return;
	}
	/* No format: the bytes, so that nothing is silently lost. */
	out_str(o, "[no format]");
	for (size_t i = 0; i < raw.n; i++)
		out_printf(o, " %02x", raw.p[i]);
}

/* Software events' addresses are places in the program's memory: perf names them. */
static int put_addr(const struct script *s, const struct script_sample *x, struct out *o)
{
	struct chain_frame f = { x->smp->addr, x->smp->cpumode, false };
	const struct sym_loc *l;
	unsigned behind;

	out_hexw(o, x->smp->addr, ADDR_WIDTH);
	if (x->ev->attr.type != PERF_SOFTWARE)
		return 0;
	l = frames_loc(&s->frames, &x->spaces, &f, &behind);
	if (l)
		put_place(x, l, behind, o);
	return l ? 0 : -ENOMEM;
}

/* " 4K", " 2M", as perf has it. */
static void put_page_size(struct out *o, uint64_t size)
{
	static const char units[] = "BKMGTPE";
	unsigned unit = 0;

	for (; size >= 1024 && size % 1024 == 0; unit++)
		size /= 1024;
	if (size)
		out_printf(o, " %llu%c", (unsigned long long)size, units[unit]);
	else
		out_str(o, " N/A");
}

int script_text(struct script *s, const struct script_sample *x, struct out *o)
{
	int r = 0;

	script_start(s, x, o);
	if (x->fields & FIELD_PERIOD) {
		out_u64w(o, x->smp->period, 10);
		out_char(o, ' ');
	}
	if (x->fields & FIELD_EVENT) {
		put_padded(o, x->ev->label, s->name_width);
		out_str(o, ": ");
	}
	if (x->fields & FIELD_TRACE)
		put_trace(s, x, o);
	if (x->fields & FIELD_ADDR)
		r = put_addr(s, x, o);
	if (x->fields & FIELD_WEIGHT)
		out_printf(o, " %16llu", (unsigned long long)x->smp->weight);
	if (x->fields & FIELD_IP && x->has_chain)
		out_char(o, '\n');
	for (size_t i = 0; !r && x->fields & FIELD_IP && i < x->n_frames; i++)
		r = put_frame(s, x, &x->frames[i], o);
	if (x->fields & FIELD_PHYS_ADDR)
		out_printf(o, "%16llx", (unsigned long long)x->smp->phys_addr);
	if (x->fields & FIELD_DATA_PAGE)
		put_page_size(o, x->smp->data_page);
	if (x->fields & FIELD_CODE_PAGE)
		put_page_size(o, x->smp->code_page);
	out_char(o, '\n');
	return r;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void pair_str(struct json *j, const char *key, const char *v)
{
	json_key(j, key);
	json_str(j, sv_from(v));
}

static void pair_u64(struct json *j, const char *key, uint64_t v)
{
	json_key(j, key);
	json_u64(j, v);
}

/* Addresses have more bits than a JSON number keeps. */
static void pair_hex(struct json *j, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)v);
	pair_str(j, key, text);
}

static int json_frame(const struct script *s, const struct script_sample *x, const struct chain_frame *f,
		      struct json *j)
{
	unsigned behind;
	const struct sym_loc *l = frames_loc(&s->frames, &x->spaces, f, &behind);

	if (!l)
		return -ENOMEM;
	json_begin_object(j);
	pair_hex(j, "ip", f->ip);
	if (l->sym) {
		pair_str(j, "sym", l->sym);
		pair_u64(j, "symoff", l->addr + behind - l->start);
	}
	pair_str(j, "dso", l->dso);
	if (!l->kernel)
		pair_hex(j, "offset", l->offset + behind);
	json_end(j);
	return 0;
}

/* Elements as numbers; false: they are none. */
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

static void json_trace(struct script *s, const struct script_sample *x, struct json *j)
{
	struct bytes raw = x->smp->raw;
	struct tevent *t = tevents_of(s->session->trace, raw.p, raw.n);
	struct mem_out text;

	if (t) {
		json_key(j, "fields");
		json_begin_object(j);
		for (uint32_t i = t->fmt.n_common; i < t->fmt.n_fields; i++)
			json_field(&t->fmt.fields[i], raw, j);
		json_end(j);
	}
	mem_out_init(&text);
	put_trace(s, x, &text.out);
	pair_str(j, "text", mem_out_str(&text));
	mem_out_deinit(&text);
}

static void json_start(const struct script_sample *x, struct json *j)
{
	const struct sample *smp = x->smp;

	pair_str(j, "event", x->ev->label);
	if (x->fields & FIELD_COMM)
		pair_str(j, "comm", x->comm);
	if (x->fields & (FIELD_PID | FIELD_TID)) {
		json_key(j, "pid");
		json_i64(j, (int32_t)smp->pid);
		json_key(j, "tid");
		json_i64(j, (int32_t)smp->tid);
	}
	if (x->fields & FIELD_CPU)
		pair_u64(j, "cpu", smp->cpu);
	if (x->fields & FIELD_TIME)
		pair_u64(j, "time_ns", smp->time);
	if (x->fields & FIELD_PERIOD)
		pair_u64(j, "period", smp->period);
	if (x->fields & FIELD_ADDR)
		pair_hex(j, "addr", smp->addr);
	if (x->fields & FIELD_WEIGHT)
		pair_u64(j, "weight", smp->weight);
	if (x->fields & FIELD_PHYS_ADDR)
		pair_hex(j, "phys_addr", smp->phys_addr);
	if (x->fields & FIELD_DATA_PAGE)
		pair_u64(j, "data_page_size", smp->data_page);
	if (x->fields & FIELD_CODE_PAGE)
		pair_u64(j, "code_page_size", smp->code_page);
}

int script_json(struct script *s, const struct script_sample *x, struct out *o)
{
	struct json j = json_on(o);
	int r = 0;

	json_begin_object(&j);
	json_start(x, &j);
	if (x->fields & FIELD_TRACE)
		json_trace(s, x, &j);
	if (x->fields & FIELD_IP) {
		json_key(&j, "frames");
		json_begin_array(&j);
		for (size_t i = 0; !r && i < x->n_frames; i++)
			r = json_frame(s, x, &x->frames[i], &j);
		json_end(&j);
	}
	json_end(&j);
	out_char(o, '\n');
	return r;
}
