/* subject.c - open the kernel or a program for probing. */
#include "probing/subject.h"

#include "sys/image_files.h"

int subject_open(struct subject *s, const struct sys *sys, const struct subject_want *w, struct err *e)
{
	int r;

	memset(s, 0, sizeof(*s));
	s->want = w;
	s->sys = sys;
	s->files = sys_image_files(sys);
	s->is_kernel = !w->exec;
	if (s->is_kernel) {
		s->arch = arch_native();
		return kernel_image_open(&s->kernel, sys, &w->kernel, e);
	}
	r = program_open(&s->program, sys, &s->files,
			 &(struct program_want){ .file = w->exec, .debug = w->debug, .target_pid = w->target_pid }, e);
	s->arch = arch_by_elf(s->program.code.elf.machine);
	return r;
}

void subject_close(struct subject *s)
{
	if (s->is_kernel)
		kernel_image_close(&s->kernel);
	else
		module_close(&s->program);
	arena_deinit(&s->arena);
}

struct dwarf *subject_dwarf(struct subject *s, const struct err **why)
{
	struct dwarf *d = s->is_kernel ? kernel_image_dwarf(&s->kernel) : module_dwarf(&s->program, &s->no_dwarf);

	if (why)
		*why = s->is_kernel ? &s->kernel.no_dwarf : &s->no_dwarf;
	return d;
}

bool subject_missing(const struct subject *s, char *buf, size_t size)
{
	const char *missing = s->program.info.missing;

	if (s->is_kernel || !missing[0])
		return false;
	snprintf(buf, size, "%s, which has a part of the debug information, is missing", missing);
	return true;
}

const struct sym *subject_function_at(struct subject *s, uint64_t addr)
{
	struct module *m = &s->program;

	return module_functions(m, FUNCTIONS_ALL, NULL) ? NULL : symtab_find(&m->functions, addr);
}

const struct marks *subject_marks(struct subject *s)
{
	static const struct marks none;

	return s->is_kernel ? &none : module_marks(&s->program);
}
