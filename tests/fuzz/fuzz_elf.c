/* Everything that is read from an ELF file, and what is looked up in it afterwards. */
#include "image/plt.h"
#include "image/symtab.h"
#include "obj/elf/build_id.h"
#include "obj/elf/debuglink.h"
#include "obj/elf/elf.h"
#include "obj/elf/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void look_up(const struct symtab *t)
{
	for (size_t i = 0; i < t->syms.n; i++) {
		const struct sym *s = symtab_find(t, t->syms.v[i].addr);

		/* The name is a string inside the file: reading all of it is the test. */
		if (s && strlen(symtab_name(t, s)) == SIZE_MAX)
			abort();
		if (i && t->syms.v[i - 1].addr >= t->syms.v[i].addr)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct symtab t = { 0 };
	struct debuglink_buf path;
	struct elf_symbol symbol;
	struct elf_section s;
	struct debuglink link;
	struct build_id id;
	struct elf_code code;
	struct elf f;

	if (elf_init(&f, p, n, NULL))
		return 0;
	build_id_of(&f, &id);
	if (debuglink_of(&f, &link))
		debuglink_path(&link, "/symfs", "/usr/bin/x", 0, &path);
	elf_section_find(&f, ".text", &s);
	elf_symbol_named(&f, "_text", &symbol);
	elf_code_init(&code, &f);
	if (symtab_add_elf(&t, &f, SYMTAB_STATIC, NULL) >= 0 && symtab_add_elf(&t, &f, SYMTAB_DYNAMIC, NULL) >= 0 &&
	    plt_add(&t, &f, NULL) >= 0 && !symtab_finish(&t, &code))
		look_up(&t);
	symtab_deinit(&t);
	return 0;
}
