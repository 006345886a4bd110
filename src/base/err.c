/* err.c - fill and decorate a struct err. */
#include "base/err.h"

static int err_fill(struct err *e, int code, const char *fmt, va_list ap)
{
	if (e) {
		e->code = code;
		e->hint[0] = '\0';
		vsnprintf(e->text, sizeof(e->text), fmt, ap);
	}
	return -code;
}

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_fill(e, code, fmt, ap);
	va_end(ap);
	return -code;
}

int err_at(struct err *e, int code, uint64_t off, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_fill(e, code, fmt, ap);
	va_end(ap);
	if (e) {
		size_t n = strlen(e->text);

		snprintf(e->text + n, sizeof(e->text) - n, " (at offset 0x%llx)", (unsigned long long)off);
	}
	return -code;
}

int err_wrap(struct err *e, const char *fmt, ...)
{
	char old[sizeof(e->text)];
	va_list ap;

	if (!e)
		return -EIO;
	memcpy(old, e->text, sizeof(old));
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);

	size_t n = strlen(e->text);

	snprintf(e->text + n, sizeof(e->text) - n, ": %s", old);
	return -e->code;
}

int err_hint(struct err *e, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return -EIO;
	va_start(ap, fmt);
	vsnprintf(e->hint, sizeof(e->hint), fmt, ap);
	va_end(ap);
	return -e->code;
}

int err_nomem(struct err *e)
{
	return err_set(e, ENOMEM, "out of memory");
}

const char *err_name(int code)
{
	return strerror(code);
}
