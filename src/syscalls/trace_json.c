/*
 * trace_json.c - lines of sonde trace as JSON, an object each. A call is a single object, at its end. Arguments are the
 * same texts as in lines.
 */
#include "syscalls/trace.h"

#include "show/json.h"

static struct json begin(struct trace *t, uint64_t time, uint32_t pid, uint32_t tid)
{
	uint64_t ns = t->show->stamps ? time : time - MIN(time, t->base);
	struct json j = json_on(t->out);

	json_begin_object(&j);
	json_key(&j, "time_ms");
	json_scaled(&j, ns, 6);
	json_member_str(&j, "comm", feed_comm(&t->prof->feed, tid));
	if (pid != UINT32_MAX)
		json_member_u64(&j, "pid", pid);
	json_member_u64(&j, "tid", tid);
	return j;
}

static void end(struct trace *t, struct json *j)
{
	json_end(j);
	out_char(t->out, '\n');
}

static void put_args(struct trace *t, const struct trace_thread *thread, int64_t ret, struct json *j)
{
	const struct call *c = thread->call;
	unsigned n = calltable_used(c, thread->arg);

	json_key(j, "args");
	json_begin_object(j);
	for (unsigned i = 0; i < MIN(n, c->n_args); i++) {
		if (!value_is_shown(&c->arg[i].type, thread->arg[i]))
			continue;
		t->text.n = 0;
		t->text.out.n = 0;
		trace_put_arg(t, thread, i, ret, &t->text.out);
		json_member_str(j, c->arg[i].name, mem_out_str(&t->text));
	}
	json_end(j);
}

static void put_result(const struct trace_end *e, struct json *j)
{
	const char *name = value_is_error(e->ret) ? value_errno((unsigned)-e->ret) : NULL;

	json_member_i64(j, "return", name ? -1 : e->ret);
	json_member_if(j, "error", name);
}

void trace_json_end(struct trace *t, const struct trace_end *e)
{
	struct json j = begin(t, e->began ? e->thread->since : e->hit->time, e->hit->pid, e->thread->tid);

	json_member_str(&j, "call", e->call->name);
	/* Without its beginning, arguments and duration are not known. */
	if (e->began)
		put_args(t, e->thread, e->ret, &j);
	if (e->began && !e->call->never_returns) {
		json_key(&j, "duration_ms");
		json_scaled(&j, e->ns, 6);
	}
	if (!e->call->never_returns)
		put_result(e, &j);
	end(t, &j);
}

/* --- events that are not system calls --- */

static void put_field(struct json *j, const struct tfield *f, const struct hit *h)
{
	char hex[24];
	uint64_t v;

	json_key(j, f->name);
	if (f->is_string) {
		json_str(j, tfmt_str(f, h->raw.p, h->raw.n));
	} else if (tfmt_u64(f, h->raw.p, h->raw.n, &v)) {
		if (strchr(f->type, '*') || !strcmp(f->type, "void")) {
			snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)v);
			json_str(j, sv_from(hex));
		} else if (f->is_signed) {
			json_i64(j, (int64_t)v);
		} else {
			json_u64(j, v);
		}
	} else {
		json_null(j);
	}
}

static void put_fault(struct json *j, const struct hit *h)
{
	char hex[24];

	snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)h->sample->ip);
	json_member_str(j, "ip", hex);
	snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)h->sample->addr);
	json_member_str(j, "addr", hex);
}

void trace_json_other(struct trace *t, const struct hit *h)
{
	struct json j = begin(t, h->time, h->pid, h->tid);

	json_member_str(&j, "event", h->tap->label);
	if (trace_is_fault(t, h))
		put_fault(&j, h);
	json_key(&j, "fields");
	json_begin_object(&j);
	for (uint32_t i = h->event ? h->event->fmt.n_common : 0; h->event && i < h->event->fmt.n_fields; i++)
		put_field(&j, &h->event->fmt.fields[i], h);
	json_end(&j);
	end(t, &j);
}
