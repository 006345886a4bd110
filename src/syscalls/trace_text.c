/* trace_text.c - lines of sonde trace, in perf trace's format. */
#include "syscalls/trace.h"

#include "engine/line.h"

#define RED "\033[31m"
#define YELLOW "\033[33m"
#define NORMAL "\033[m"

enum { ALIGNMENT = 70, CONTINUES = 4, COMM = 14 };

static void put_time(struct trace *t, uint64_t time)
{
	uint64_t ns = t->show->stamps ? time : time - MIN(time, t->base);

	out_fixed(t->out, (double)ns / 1e6, 10, 3);
	out_char(t->out, ' ');
}

static void put_task(struct trace *t, uint32_t tid)
{
	if (!t->show->no_comm)
		out_printf(t->out, "%.*s/", COMM, feed_comm(&t->prof->feed, tid));
	out_printf(t->out, "%d ", (int)tid);
}

static void put_path(struct trace *t, const struct trace_thread *thread, int fd, struct out *o)
{
	const char *path = fds_path(&t->fds, thread->pid, fd);

	if (!path)
		return;
	out_char(o, '<');
	pointee_put_escaped((const uint8_t *)path, strlen(path), o);
	out_char(o, '>');
}

/* The full length of the memory that an argument points to, of which `got` bytes were read; UINT64_MAX: all. */
static uint64_t whole_of(const struct trace_thread *thread, const struct pointee *p, bool at_end, size_t got,
			 int64_t ret)
{
	switch (p->what.how) {
	case ARGMEM_COUNTED:
		return thread->arg[p->what.count];
	case ARGMEM_VECTOR:
	case ARGMEM_MESSAGE:
		/* Of buffers that the call fills, only the filled part is shown. */
		return at_end ? (uint64_t)ret : UINT64_MAX;
	case ARGMEM_RETURNED:
		return (uint64_t)ret;
	default:
		return got;
	}
}

/* The memory of an argument; "before => after" if it was read at both ends of the call. False: it was not read. */
static bool put_pointee(struct trace *t, const struct trace_thread *thread, unsigned arg, int64_t ret, struct out *o)
{
	bool told = false;

	for (unsigned end = 0; end < 2; end++) {
		const struct texts_rec *r = thread->text[end];

		for (unsigned i = 0; r && i < thread->call->n_points[end]; i++) {
			const struct pointee *p = &thread->call->points[end][i];

			if (p->what.arg != arg || r->got[i] < 0)
				continue;
			out_str(o, told ? " => " : "");
			told |= pointee_put(&t->shown, p->form, r->bytes[i], (size_t)r->got[i],
					    whole_of(thread, p, end, (size_t)r->got[i], ret), o);
		}
	}
	return told;
}

/* Only the number of variables, as strace does: an environment is long, and mostly the same. */
static void put_env(const struct trace_thread *thread, unsigned arg, struct out *o)
{
	const struct texts_rec *r = thread->text[0];
	const struct argmem_what *last = &thread->call->points[0][MAX(thread->call->n_points[0], 1u) - 1].what;

	if (!r || !r->vars || r->env != thread->arg[arg] || last->how != ARGMEM_LIST || last->arg + 1u != arg)
		return;
	out_printf(o, " /* %u var%s%s */", r->vars - 1, r->vars == 2 ? "" : "s",
		   r->vars > ARGMEM_VARS ? " or more" : "");
}

void trace_put_arg(struct trace *t, const struct trace_thread *thread, unsigned arg, int64_t ret, struct out *o)
{
	const struct value_type *type = &thread->call->arg[arg].type;

	if (!put_pointee(t, thread, arg, ret, o)) {
		value_put(type, thread->arg[arg], o);
		put_env(thread, arg, o);
	}
	if (type->kind == VALUE_FD || type->kind == VALUE_DIR)
		put_path(t, thread, (int32_t)thread->arg[arg], o);
}

static void put_args(struct trace *t, const struct trace_thread *thread, int64_t ret, struct out *o)
{
	const struct call *c = thread->call;
	unsigned n = calltable_used(c, thread->arg);
	bool first = true;

	out_printf(o, "%s(", c->name);
	for (unsigned i = 0; i < c->n_args; i++) {
		if (i >= n || !value_is_shown(&c->arg[i].type, thread->arg[i]))
			continue;
		out_printf(o, "%s%s: ", first ? "" : ", ", c->arg[i].name);
		trace_put_arg(t, thread, i, ret, o);
		first = false;
	}
}

/* Close the arguments with ')' and align the text behind them; columns: those printed so far. */
static void put_gap(struct trace *t, size_t columns, const char *text)
{
	out_char(t->out, ')');
	out_fill(t->out, ' ', columns + 1 < ALIGNMENT ? ALIGNMENT - columns - 1 : 1);
	out_str(t->out, text);
}

/* NULL: no color. */
static void put_color(struct trace *t, const char *color)
{
	if (t->out->color && color)
		out_control(t->out, color);
}

/* Colors as perf's: red from 1 ms on, yellow from 0.01 ms on. */
static void put_duration(struct trace *t, bool known, uint64_t ns)
{
	enum { MS = 1000000, LONG = 10000 };
	const char *color = ns >= MS ? RED : ns >= LONG ? YELLOW : NULL;
	if (!known) {
		out_str(t->out, "(         ): ");
		return;
	}
	out_char(t->out, '(');
	put_color(t, color);
	out_fixed(t->out, (double)ns / 1e6, 6, 3);
	out_str(t->out, " ms");
	put_color(t, color ? NORMAL : NULL);
	out_str(t->out, "): ");
}

/* The call's text, and its length. */
static const char *text_of(struct trace *t, const struct trace_thread *thread, int64_t ret, size_t *n)
{
	const char *text;

	t->text.n = 0;
	t->text.out.n = 0;
	put_args(t, thread, ret, &t->text.out);
	text = mem_out_str(&t->text);
	*n = strlen(text);
	return text;
}

void trace_put_head(struct trace *t, const struct hit *h)
{
	put_time(t, h->time);
	put_duration(t, true, 0);
	put_task(t, h->tid);
}

void trace_put_begin(struct trace *t, const struct trace_thread *thread)
{
	size_t n;
	const char *text = text_of(t, thread, 0, &n);

	put_time(t, thread->since);
	put_duration(t, false, 0);
	put_task(t, thread->tid);
	out_str(t->out, text);
	if (thread->call->never_returns) {
		put_gap(t, n, "= ?\n");
		return;
	}
	put_gap(t, n + CONTINUES, " ...\n");
}

static void put_result(struct trace *t, const struct trace_end *e)
{
	value_put_result(e->call->result, e->ret, t->out);
	if (e->call->result == RESULT_PID && e->ret > 0)
		out_printf(t->out, " (%s)", feed_comm(&t->prof->feed, (uint32_t)e->ret));
	out_char(t->out, '\n');
}

void trace_put_end(struct trace *t, const struct trace_end *e)
{
	size_t n;

	if (e->began)
		put_time(t, e->thread->since);
	else
		out_str(t->out, "         ? ");
	put_duration(t, e->began, e->ns);
	put_task(t, e->thread->tid);
	if (e->began && !e->thread->shown) {
		const char *text = text_of(t, e->thread, e->ret, &n);

		out_str(t->out, text);
	} else {
		out_str(t->out, " ... [");
		put_color(t, YELLOW);
		out_str(t->out, "continued");
		put_color(t, NORMAL);
		out_printf(t->out, "]: %s()", e->call->name);
		n = sizeof(" ... [continued]: ()") - 1 + strlen(e->call->name);
	}
	put_gap(t, n, "= ");
	put_result(t, e);
}

/* --- events that are not system calls --- */

/* Print the name of an enum's value. False: the field is no enum, or the value has no name. */
static bool put_enum(struct trace *t, const struct tfield *f, uint64_t v, struct out *o)
{
	struct sv name = kenums_name(&t->prof->feed.enums, f->type, v);

	out_bytes(o, name.s, name.n);
	return name.n;
}

static void put_field(struct trace *t, const struct tfield *f, const struct hit *h)
{
	struct out *o = t->out;
	uint64_t v;

	if (f->is_string) {
		struct sv s = tfmt_str(f, h->raw.p, h->raw.n);

		out_printf(o, "\"%.*s\"", (int)s.n, s.s);
	} else if (!tfmt_u64(f, h->raw.p, h->raw.n, &v)) {
		out_str(o, "...");
	} else if (put_enum(t, f, v, o)) {
		return;
	} else if (strchr(f->type, '*') || !strcmp(f->type, "void")) {
		out_printf(o, "0x%llx", (unsigned long long)v);
	} else if (f->is_signed) {
		out_i64(o, (int64_t)v);
	} else {
		out_u64(o, v);
	}
}

static void put_fields(struct trace *t, const struct hit *h)
{
	const struct tfmt *fmt = &h->event->fmt;

	for (uint32_t i = fmt->n_common; i < fmt->n_fields; i++) {
		out_printf(t->out, "%s%s: ", i == fmt->n_common ? "" : ", ", fmt->fields[i].name);
		put_field(t, &fmt->fields[i], h);
	}
}

void trace_put_event(struct trace *t, const struct hit *h)
{
	struct out *o = t->out;

	put_time(t, h->time);
	if (!t->show->no_syscalls)
		put_duration(t, false, 0);
	put_task(t, h->tid);
	out_printf(o, "%s(", h->tap->label);
	if (h->event && t->show->as_kernel)
		line_text(&t->prof->feed, h, o);
	else if (h->event)
		put_fields(t, h);
	out_str(o, ")\n");
}
