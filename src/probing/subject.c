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
	symtab_deinit(&s->functions);
	marks_deinit(&s->marks);
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

static int add_debug(void *arg, struct symtab *t)
{
	const struct elf *debug = program_debug(arg);

	return debug ? symtab_add_elf(t, debug, SYMTAB_DEBUG, NULL) : 0;
}

int subject_functions(struct subject *s, enum functions_what what, struct err *e)
{
	struct functions_want w = {
		.file = &s->program.code.elf, .debug = add_debug, .arg = &s->program, .what = what,
	};
	int r = s->has_functions ? 0 : functions_read(&s->functions, &w, e);

	if (r)
		symtab_deinit(&s->functions);
	s->has_functions |= !r;
	return r;
}

const struct sym *subject_function_at(struct subject *s, uint64_t addr)
{
	return subject_functions(s, FUNCTIONS_ALL, NULL) ? NULL : symtab_find(&s->functions, addr);
}

void subject_forget_functions(struct subject *s)
{
	symtab_deinit(&s->functions);
	s->has_functions = false;
}

const struct marks *subject_marks(struct subject *s)
{
	const struct image *debug = &s->program.debug;

	if (!s->is_kernel && !s->has_marks)
		marks_read(&s->marks, &s->program.code.elf, debug->bytes ? &debug->elf : NULL);
	s->has_marks = true;
	return &s->marks;
}
