/* reach.c - see reach.h. */
#include "probing/reach.h"

#include "obj/elf/elf.h"
#include "probe/place.h"

static bool goes(const struct subject *s, uint64_t start, uint64_t end, uint64_t from, uint64_t to)
{
	struct place_code c = {
		.arch = s->arch, .start = start, .bytes = module_code(&s->program, start),
	};

	if (c.bytes.bad)
		return false;
	if (end - start < cur_left(&c.bytes))
		c.bytes.end = c.bytes.pos + (end - start);
	return place_is_reached(&c, from, to);
}

/* With fixed-size instructions all code can be scanned; otherwise only from known starts of functions on. */
bool reach_is_target(struct subject *s, uint64_t from, uint64_t to)
{
	struct elf_code code;

	if (s->arch->insn_size) {
		elf_code_init(&code, &s->program.code.elf);
		for (size_t i = 0; i < code.n; i++)
			if (goes(s, code.v[i].start, code.v[i].end, from, to))
				return true;
		return !code.n || code.n == ELF_CODE_MAX;
	}
	if (module_functions(&s->program, FUNCTIONS_ALL, NULL))
		return true;
	for (size_t i = 0; i < s->program.functions.syms.n; i++) {
		const struct sym *f = &s->program.functions.syms.v[i];

		if (goes(s, f->addr, f->addr + f->size, from, to))
			return true;
	}
	return false;
}
