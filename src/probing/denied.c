/* denied.c - the reasons that the kernel does not give itself. */
#include "probing/denied.h"

void probe_refused(const struct subject *s, const struct defined *d, struct err *e)
{
	static const char patched[] = " (of a function's first instructions, which the kernel patches for its tracers, "
				      "only +0 can be probed)";
	const char *why;
	struct err had = *e;

	if (e->code == EACCES || e->code == EPERM)
		return;
	if (!s->is_kernel) {
		err_set(e, had.code, "%s+%llu in %s: %s", d->func, (unsigned long long)d->offset, s->program.code.path,
			had.text);
		if (had.code == EINVAL && !had.hint[0])
			err_hint(e, "is it a regular file on a file system that can be mapped executable?");
		return;
	}
	why = kernel_image_refusal(&s->kernel, sv_from(d->func), 0);
	if (!why[0]) {
		err_wrap(e, "%s+%llu%s", d->func, (unsigned long long)d->offset,
			 d->offset && d->offset <= 16 ? patched : "");
		return;
	}
	err_set(e, had.code, "the kernel refuses %s: %s", d->func, why);
	err_hint(e, "probe a function that calls it, or that it calls; 'sonde probe -F' lists functions");
}
