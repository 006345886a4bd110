/* doctor.c - rows of the report, and the order of the examination. */
#include "machine/doctor_parts.h"

#include <unistd.h>

static const char *keep(struct doctor *d, const char *fmt, va_list ap)
{
	char text[1024];
	int n = vsnprintf(text, sizeof(text), fmt, ap);
	char *copy = arena_dup(&d->report->arena, text, MIN((size_t)MAX(n, 0), sizeof(text) - 1));

	d->nomem |= !copy;
	return copy;
}

void doctor_add(struct doctor *d, const char *name, enum doctor_status s, const char *fmt, ...)
{
	struct doctor_row *row = vec_add(&d->report->rows);
	va_list ap;

	if (!row) {
		d->nomem = true;
		return;
	}
	va_start(ap, fmt);
	*row = (struct doctor_row){ .topic = d->topic, .name = name, .status = s, .value = keep(d, fmt, ap) };
	va_end(ap);
}

static struct doctor_row *last(struct doctor *d)
{
	return d->nomem ? NULL : &d->report->rows.v[d->report->rows.n - 1];
}

void doctor_how(struct doctor *d, const char *fmt, ...)
{
	struct doctor_row *row = last(d);
	va_list ap;

	if (!row)
		return;
	va_start(ap, fmt);
	row->how = keep(d, fmt, ap);
	va_end(ap);
}

void doctor_do(struct doctor *d, const char *fmt, ...)
{
	struct doctor_row *row = last(d);
	va_list ap;

	if (!row)
		return;
	va_start(ap, fmt);
	row->advice = keep(d, fmt, ap);
	va_end(ap);
}

bool doctor_has(const struct doctor *d, const char *path)
{
	return !d->sys->access(d->sys, path, F_OK);
}

int doctor_init(struct doctor_report *r, const struct sys *sys, struct err *e)
{
	struct doctor d = { .sys = sys, .report = r, .copied = sys->root && sys->root[0] };

	*r = (struct doctor_report){ 0 };
	doctor_machine(&d);
	doctor_rights(&d);
	doctor_counters(&d);
	doctor_tracing(&d);
	doctor_probes(&d);
	doctor_system(&d);
	free(d.readme);
	if (!d.nomem)
		return 0;
	doctor_deinit(r);
	return err_nomem(e);
}

void doctor_deinit(struct doctor_report *r)
{
	vec_free(&r->rows);
	arena_deinit(&r->arena);
}

const char *doctor_word(enum doctor_status s)
{
	static const char *const words[] = {
		[DOCTOR_INFO] = "", [DOCTOR_YES] = "yes", [DOCTOR_PARTLY] = "partly",
		[DOCTOR_NO] = "no", [DOCTOR_UNKNOWN] = "?",
	};

	return words[s];
}
