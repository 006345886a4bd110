/* ask.c - send a question and read the whole answer. */
#include "packets/ask.h"

#include "sys/net.h"

#include <time.h>

enum { PIECE = 65536 };

static int fail(struct err *e, int code)
{
	if (code == -ETIMEDOUT)
		return err_set(e, ETIMEDOUT, "no answer within %d ms", ASK_MS);
	return err_set(e, -code, "%s", code == -ENOTCONN ? "it has closed the connection" : err_name(-code));
}

/* Append the next bytes of a stream, or the next message. 0 or -errno. */
static int more(struct ask *a, uint64_t until, size_t *got)
{
	int r = net_wait_for(a->sys, a->fd, until, -1);
	ssize_t n;

	*got = 0;
	if (r)
		return r;
	if (a->n >= ASK_BYTES)
		return -EFBIG;
	if (a->cap - a->n < PIECE) {
		size_t cap = MAX(a->cap * 2, (size_t)2 * PIECE);
		char *bytes;

		bytes = realloc(a->bytes, cap);
		if (!bytes)
			return -ENOMEM;
		a->bytes = bytes;
		a->cap = cap;
	}
	n = net_take(a->fd, a->bytes + a->n, a->cap - a->n, NULL);
	if (n == -EAGAIN)
		return 0;
	if (n <= 0)
		return n ? (int)n : -ENOTCONN;
	*got = (size_t)n;
	a->n += (size_t)n;
	return 0;
}

static uint64_t deadline(const struct ask *a)
{
	return a->sys->now(a->sys, CLOCK_MONOTONIC) + ASK_MS * UINT64_C(1000000);
}

/* Receive one message; or, from a stream, one JSON value. */
static int receive(struct ask *a, bool is_stream, size_t *length, struct err *e)
{
	uint64_t until = deadline(a);
	struct json_scan scan = { 0 };

	a->n = *length = 0;
	while (!*length) {
		size_t from = a->n, got;
		int r = more(a, until, &got);

		if (r)
			return fail(e, r);
		if (!is_stream)
			*length = a->n;
		else if (json_find_end(&scan, a->bytes + from, got))
			*length = a->n;
	}
	return 0;
}

int ask_open(struct ask *a, const struct sys *sys, enum local_kind kind, int pid, const char *path,
	     struct err *e)
{
	size_t length;
	int r;

	*a = (struct ask){ .sys = sys, .fd = local_connect(sys, kind, pid, path) };
	if (a->fd < 0)
		return err_set(e, -a->fd, "cannot connect: %s", err_name(-a->fd));
	r = kind == LOCAL_SEQPACKET ? receive(a, false, &length, e) : 0;
	if (r)
		ask_close(a);
	return r;
}

void ask_close(struct ask *a)
{
	if (a->fd >= 0)
		a->sys->close(a->sys, a->fd);
	free(a->bytes);
	*a = (struct ask){ .fd = -1 };
}

/* {"method": ..., "params": [...], "id": 0} */
static void put_request(struct out *o, const char *method, const char *const *words)
{
	out_str(o, "{\"method\":");
	out_json(o, sv_from(method));
	out_str(o, ",\"params\":[");
	for (size_t i = 0; words && words[i]; i++) {
		out_str(o, i ? "," : "");
		out_json(o, sv_from(words[i]));
	}
	out_str(o, "],\"id\":0}");
}

static int exchange(struct ask *a, const char *p, size_t n, bool is_stream, struct json_doc *d, struct err *e)
{
	size_t length;
	int r = net_send(a->sys, a->fd, p, n);

	if (r)
		return fail(e, r);
	r = receive(a, is_stream, &length, e);
	return r ? r : json_read(d, a->bytes, length, e);
}

int ask_ovs(struct ask *a, const char *method, const char *const *words, struct json_doc *d, struct sv *text,
	    struct err *e)
{
	const struct json_node *result, *error;
	struct mem_out m;
	int r;

	mem_out_init(&m);
	put_request(&m.out, method, words);
	mem_out_str(&m);
	r = exchange(a, m.v, m.n, true, d, e);
	mem_out_deinit(&m);
	if (r)
		return r;
	result = json_get(d, &d->v.v[0], "result");
	error = json_get(d, &d->v.v[0], "error");
	if (error && error->kind == JSON_STRING)
		return err_set(e, EREMOTEIO, "%.300s", error->text.s);
	if (!result || result->kind != JSON_STRING)
		return err_set(e, EBADMSG, "an answer without a result");
	*text = result->text;
	return 0;
}

int ask_dpdk(struct ask *a, const char *question, struct json_doc *d, struct err *e)
{
	return exchange(a, question, strlen(question), false, d, e);
}
