/* subject.c - open the kernel or a program for probing. */
#include "probing/subject.h"

#include "arch/arch.h"

int subject_open(struct subject *s, const struct sys *sys, const struct subject_want *w, struct err *e)
{
	int r;

	memset(s, 0, sizeof(*s));
	s->want = w;
	s->sys = sys;
	s->is_kernel = !w->exec;
	if (s->is_kernel) {
		s->arch = arch_native();
		return kernel_image_open(&s->kernel, sys, &w->kernel, e);
	}
	r = program_open(&s->program, sys,
			 &(struct program_want){ .file = w->exec, .debug = w->debug, .target_pid = w->target_pid }, e);
	s->arch = s->program.arch;
	return r;
}

void subject_close(struct subject *s)
{
	if (s->has_funcs)
		funcs_deinit(&s->funcs);
	if (s->is_kernel)
		kernel_image_close(&s->kernel);
	else
		program_close(&s->program);
	arena_deinit(&s->arena);
}

struct dwarf *subject_dwarf(struct subject *s, const struct err **why)
{
	struct dwarf *d = s->is_kernel ? kernel_image_dwarf(&s->kernel) : program_dwarf(&s->program);

	if (why)
		*why = s->is_kernel ? &s->kernel.no_dwarf : &s->program.no_dwarf;
	return d;
}

bool subject_missing(const struct subject *s, char *buf, size_t size)
{
	if (s->is_kernel || !s->program.missing[0])
		return false;
	snprintf(buf, size, "%s, which has a part of the debug information, is missing", s->program.missing);
	return true;
}

int subject_funcs(struct subject *s, enum funcs_what what, struct err *e)
{
	int r = s->has_funcs ? 0 : funcs_of(&s->funcs, &s->program, what, e);

	s->has_funcs |= !r;
	return r;
}
