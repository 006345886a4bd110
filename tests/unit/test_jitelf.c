/* obj/jitelf: code that was made at run time as a file, which our own readers take. */
#include "obj/jit/jitelf.h"

#include "image/module.h"
#include "t.h"

static const uint8_t code[21] = { 0x90, 0x90, 0xc3 };

/* One CIE, one FDE of the code, pc-relative; then a table with that one. It begins where the rules end. */
static const uint8_t rules[] = {
	16, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8,
	16, 0, 0, 0, 24, 0, 0, 0, 0xcc, 0xff, 0xff, 0xff, 21, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0,
	1, 0x1b, 3, 0x3b, 0xd0, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0xbc, 0xff, 0xff, 0xff, 0xe8, 0xff, 0xff, 0xff,
};
enum { TABLE = 20 };

static struct mem_out m;

static const uint8_t *made(const struct jitdump_rec *r, struct cursor unwinding, uint64_t table)
{
	struct jitelf j = { .load = r, .unwinding = unwinding, .header_size = table, .machine = 62 };

	mem_out_init(&m);
	jitelf_write(&j, &m.out);
	return guard_dup(mem_out_str(&m), m.n);
}

TEST(jitelf_has_its_function_and_its_build)
{
	struct jitdump_rec r = { .addr = 0x7000, .size = sizeof(code), .name = "f(int)", .code = code };
	struct jitdump_rec other = { .addr = 0x8000, .size = sizeof(code), .name = "f(int)", .code = code };
	struct module_want w = { .path = "x" };
	struct module mod = { 0 };
	struct build_id id, want = jitelf_id(&(struct jitelf){ .load = &r });
	struct build_id another = jitelf_id(&(struct jitelf){ .load = &other });
	const struct sym *s;

	const uint8_t *bytes = made(&r, (struct cursor){ 0 }, 0);

	CHECK_EQ(module_borrow(&mod, bytes, m.n, &w, NULL), 0);
	CHECK_EQ(module_functions(&mod, FUNCTIONS_BEST, NULL), 0);
	s = symtab_find(&mod.functions, JITELF_TEXT + 20);
	CHECK(s && !strcmp(symtab_name(&mod.functions, s), "f(int)"));
	CHECK(!symtab_find(&mod.functions, JITELF_TEXT + 21));
	CHECK(build_id_of(&mod.code.elf, &id) && build_id_same(&id, &want));
	CHECK(!build_id_same(&another, &want));
	CHECK_EQ(mod.code.elf.machine, 62);
	module_close(&mod);
	mem_out_deinit(&m);
}

TEST(jitelf_has_the_rules_as_far_from_the_code_as_in_memory)
{
	struct jitdump_rec r = { .addr = 0x7000, .size = sizeof(code), .name = "f", .code = code };
	struct module_want w = { .path = "x" };
	struct module mod = { 0 };
	struct cfi_fde fde;

	const uint8_t *bytes = made(&r, cur_from(rules, sizeof(rules)), TABLE);

	CHECK_EQ(module_borrow(&mod, bytes, m.n, &w, NULL), 0);
	CHECK(module_function(&mod, MODULE_EH_FRAME, JITELF_TEXT + 3, &fde));
	CHECK_EQ(fde.start, JITELF_TEXT);
	CHECK_EQ(fde.end, JITELF_TEXT + 21);
	module_close(&mod);
	mem_out_deinit(&m);
}
