/* describe.c - finds the source names of a definition's address. */
#include "probing/describe.h"

#include "obj/demangle/demangle.h"

void describer_init(struct describer *d, const struct sys *sys, const struct kernel_want *w)
{
	memset(d, 0, sizeof(*d));
	d->sys = sys;
	d->want.kernel = *w;
}

static void close_program(struct describer *d)
{
	if (d->is_open)
		subject_close(&d->subject);
	d->is_open = false;
}

void describer_deinit(struct describer *d)
{
	close_program(d);
	if (d->has_kernel)
		kernel_image_close(&d->kernel);
}

static bool open_program(struct describer *d, struct sv path)
{
	char text[PATH_MAX];

	str_copy(text, sizeof(text), path);
	if (strcmp(text, d->path)) {
		close_program(d);
		memcpy(d->path, text, sizeof(text));
		d->want.exec = d->path;
		d->is_open = !subject_open(&d->subject, d->sys, &d->want, NULL);
	}
	return d->is_open;
}

static void put_program(struct describer *d, const struct dynevent *x, struct out *o)
{
	uint64_t addr;
	const struct sym *f = NULL;
	const char *name;
	char plain[512];

	if (open_program(d, x->target) && image_addr(&d->subject.program.code, x->offset, &addr))
		f = subject_function_at(&d->subject, addr);
	if (!f) {
		out_printf(o, "0x%llx", (unsigned long long)x->offset);
	} else {
		name = symtab_name(&d->subject.program.functions, f);
		out_str(o, demangle(name, DEMANGLE_SHORT, plain, sizeof(plain)) ? plain : name);
		if (x->is_return)
			out_str(o, "%return");
		if (!describe_line(&d->subject, addr, addr == f->addr, o) && addr != f->addr)
			out_printf(o, "+%llu", (unsigned long long)(addr - f->addr));
	}
	out_str(o, " in ");
	out_sv(o, x->target);
}

/* Print the function of "_text+1234" or a plain address. */
static bool put_kernel_address(struct describer *d, const struct dynevent *x, struct out *o)
{
	struct kallsyms_line f;
	uint64_t addr, size;
	bool is_text = sv_eq(x->target, "_text") || sv_eq(x->target, "_stext");

	if (!is_text && !(sv_starts(x->target, "0x") && str_u64(x->target, 16, &addr)))
		return false;
	if (!d->has_kernel && !d->no_kernel) {
		d->has_kernel = !kernel_image_open(&d->kernel, d->sys, &d->want.kernel, NULL);
		d->no_kernel = !d->has_kernel;
	}
	if (!d->has_kernel)
		return false;
	if (is_text)
		addr = d->kernel.base_addr + x->offset;
	if (!kernel_image_at(&d->kernel, addr, &f, &size))
		return false;
	out_sv(o, f.name);
	if (addr != f.addr)
		out_printf(o, "+%llu", (unsigned long long)(addr - f.addr));
	return true;
}

static void put_kernel(struct describer *d, const struct dynevent *x, struct out *o)
{
	if (!put_kernel_address(d, x, o)) {
		out_sv(o, x->target);
		if (x->offset)
			out_printf(o, "+%llu", (unsigned long long)x->offset);
	}
	if (x->is_return)
		out_str(o, "%return");
	if (x->module.n) {
		out_str(o, " in ");
		out_sv(o, x->module);
	}
}

static void put_event(const struct dynevent *x, struct out *o)
{
	const char *point = x->kind == DYNEVENT_EPROBE ? memchr(x->target.s, '.', x->target.n) : NULL;

	if (x->kind == DYNEVENT_SYNTHETIC) {
		out_str(o, "no place, it is made by triggers");
	} else if (point) {
		out_printf(o, "event %.*s:", (int)(point - x->target.s), x->target.s);
		out_sv(o, (struct sv){ point + 1, x->target.n - (size_t)(point + 1 - x->target.s) });
	} else {
		out_str(o, "tracepoint ");
		out_sv(o, x->target);
	}
}

void describe_put(struct describer *d, const struct dynevent *x, struct out *o)
{
	char name[2 * DYNEVENT_NAME_MAX + 2];
	struct dynevent_arg a;
	struct sv args = x->args;
	bool with = false;

	snprintf(name, sizeof(name), "%.*s:%.*s", (int)MIN(x->group.n, 63u), x->group.s, (int)MIN(x->event.n, 63u),
		 x->event.s);
	out_str(o, "  ");
	out_left(o, name, 20);
	out_str(o, " (on ");
	if (x->kind == DYNEVENT_UPROBE)
		put_program(d, x, o);
	else if (x->kind == DYNEVENT_KPROBE || x->kind == DYNEVENT_FPROBE)
		put_kernel(d, x, o);
	else
		put_event(x, o);
	while (dynevent_next(x->kind, &args, &a)) {
		out_str(o, with ? " " : " with ");
		out_sv(o, a.name.n ? a.name : a.fetch);
		with = true;
	}
	out_str(o, ")\n");
}
