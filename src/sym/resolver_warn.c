/* resolver_warn.c - warnings for addresses without symbols, and why they have none. */
#include "sym/jitcode.h"
#include "sym/resolver_parts.h"

enum { WARN_FILES = 10, WARN_SIZE = RESOLVER_NAME_SIZE + 200 };

struct speaker {
	void (*say)(void *arg, const char *line);
	void *arg;
};

PRINTF(2, 3) static void say(const struct speaker *s, const char *fmt, ...)
{
	char line[WARN_SIZE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	s->say(s->arg, line);
}

static void warn_kernel(const struct resolver *r, const struct speaker *s)
{
	const struct kernel *k = &r->kernel;

	if (k->problems & (KERNEL_BAD_VMLINUX | KERNEL_NO_VMLINUX))
		say(s, "%s %s%s", r->want.vmlinux,
		    k->problems & KERNEL_NO_VMLINUX ? "cannot be read" : "is not the recorded kernel: not used",
		    k->state == KERNEL_NONE ? "" : ", nor needed: the kernel's functions have names without it");
	else if (kernel_lacks_unused(k))
		say(s, "%s cannot be read, nor is it needed: no function of the kernel is shown", r->want.vmlinux);
	if (k->problems & KERNEL_BAD_KALLSYMS)
		say(s, "no symbols in %s", r->want.kallsyms);
	if (k->state == KERNEL_NONE && k->problems & KERNEL_HIDDEN)
		say(s, "kernel addresses are hidden (kptr_restrict): "
		       "kernel functions have no names");
	if (k->state == KERNEL_NONE && k->problems & KERNEL_DIFFERS)
		say(s, "recorded on another kernel than the running one: "
		       "kernel functions have no names");
	if (k->state == KERNEL_KALLSYMS && k->problems & KERNEL_UNPROVEN)
		say(s, "the recording does not tell its kernel's build id: "
		       "the running kernel's symbols were used");
}

static void warn_dump(const struct dso *d, const struct speaker *s)
{
	const struct jitcode *j = d->code;

	if (d->is_other_dump)
		say(s, "%s is no dump of that process's code by now: its names are not used", d->dump);
	if (!j)
		return;
	if (j->is_cut)
		say(s, "%s tells of more code than is taken: what is behind the first %zu pieces has no names", d->dump,
		    j->loads.n);
	if (j->lacks_lines)
		say(s, "%s has more lines of a function than are taken", d->dump);
	if (j->is_broken)
		say(s, "%s breaks off: code that it would tell of behind that has no names", d->dump);
	if (j->is_reused && !j->is_timed)
		say(s, "%s has times of another clock than the recording (record -k mono has the same one): of code at "
		       "the same place the last is named", d->dump);
}

void resolver_warnings(const struct resolver *r, void (*say_line)(void *arg, const char *line),
		       void *arg)
{
	struct speaker s = { say_line, arg };
	size_t said = 0;

	warn_kernel(r, &s);
	for (size_t i = 0; i < r->dsos.n; i++) {
		if (r->dsos.v[i].state == DSO_STALE && said++ < WARN_FILES)
			say(&s, "%s changed since the recording: its symbols are not used",
			    r->dsos.v[i].name);
	}
	if (said > WARN_FILES)
		say(&s, "%zu more files changed since the recording", said - WARN_FILES);
	for (size_t i = 0; i < r->dsos.n; i++) {
		warn_dump(&r->dsos.v[i], &s);
		if (r->dsos.v[i].is_foreign)
			say(&s, "%s belongs neither to the process's user nor to root: its names are not used",
			    r->dsos.v[i].name);
		if (r->dsos.v[i].is_cut)
			say(&s, "%s has too many lines: those behind the first %zu names were not read",
			    r->dsos.v[i].name, dso_functions(&r->dsos.v[i])->syms.n);
		if (dso_was_cut(&r->dsos.v[i]))
			say(&s, "%s was cut while it was read: some of its symbols have no names",
			    r->dsos.v[i].name);
	}
}
