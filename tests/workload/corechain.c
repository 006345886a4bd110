/*
 * corechain.c - the call chains of a core file's threads, followed as those of samples are: registers of NT_PRSTATUS,
 * stacks of the segments, files by NT_FILE. To be held against what is known of them, and what others say.
 *
 *   corechain CORE [EXEC]    "TID N", and for each frame its address and function; EXEC stands for the first file
 */
#include "image/module.h"
#include "obj/elf/note.h"
#include "sys/image_files.h"
#include "unwind/unwind.h"

enum { PRSTATUS = 1, AUXV = 6, NT_FILE_MAPS = 0x46494c45, AUX_VDSO = 33, FILES = 64, FRAMES = 100 };

/* linux/elfcore.h, asm/ptrace.h: where a thread's number and registers are in NT_PRSTATUS; these by DWARF's numbers. */
enum { PID_AT = 32, REGS_AT = 112 };
static const uint8_t x86_64_regs[] = { 15, 14, 13, 12, 6, 3, 11, 10, 9, 8, 0, 2, 1, 4, 5, 255, 255, 255, 255, 7 };
enum { X86_64_PC = 16, AARCH64_PC = 32, AARCH64_REGS = 32 };

struct file {
	uint64_t start, end;           /* of all that is mapped of it */
	struct module module;
	uint64_t bias;
	bool is_open;
};

struct core {
	struct elf elf;
	const struct arch *arch;
	struct image_files files;
	struct file file[FILES];
	size_t n_files;
};

static struct err e;

static const struct file *file_at(const struct core *c, uint64_t addr)
{
	for (size_t i = 0; i < c->n_files; i++)
		if (addr >= c->file[i].start && addr < c->file[i].end)
			return &c->file[i];
	return NULL;
}

/* What the core has left out is in the file. */
static bool read_word(void *arg, uint64_t addr, uint64_t *v)
{
	const struct core *c = arg;
	struct cursor at = elf_data_at(&c->elf, addr);
	const struct file *f = file_at(c, addr);

	if ((at.bad || cur_left(&at) < 8) && f && f->is_open)
		at = module_code(&f->module, addr - f->bias);
	*v = cur_u64(&at);
	return !at.bad;
}

static bool code_at(void *arg, uint64_t pc, struct unwind_code *code)
{
	const struct file *f = file_at(arg, pc);

	*code = (struct unwind_code){ f && f->is_open ? (struct module *)&f->module : NULL, f ? f->bias : 0 };
	return f;
}

/* The first address of a file's first segment. */
static uint64_t lowest(const struct elf *f)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(f, i, &s); i++)
		if (s.type == ELF_PT_LOAD)
			return s.vaddr & ~(uint64_t)0xfff;
	return 0;
}

static void open_file(struct core *c, struct file *f, const char *path)
{
	struct module_want w = { .path = path, .arch = c->arch };

	f->is_open = !module_open(&f->module, &c->files, &w, &e);
	f->bias = f->is_open ? f->start - lowest(&f->module.code.elf) : 0;
}

/* count, page size, {start, end, offset in pages}, and a name for each. */
static void take_files(struct core *c, struct cursor maps, const char *exec)
{
	uint64_t n = cur_u64(&maps);
	struct cursor names = maps;
	const char *last = "";

	n = MIN(n, (uint64_t)1000);
	cur_skip(&names, 8 + n * 24);
	cur_skip(&maps, 8);
	for (uint64_t i = 0; i < n && !names.bad; i++) {
		uint64_t start = cur_u64(&maps), end = cur_u64(&maps);
		const char *name = cur_str(&names);

		cur_skip(&maps, 8);
		if (strcmp(name, last) && c->n_files < FILES) {
			struct file *f = &c->file[c->n_files++];

			f->start = start;
			open_file(c, f, exec && c->n_files == 1 ? exec : name);
		}
		last = name;
		if (c->n_files)
			c->file[c->n_files - 1].end = end;
	}
}

/* The vDSO is in the core itself. */
static void take_vdso(struct core *c, struct cursor aux)
{
	struct module_want w = { .arch = c->arch };

	while (cur_left(&aux) >= 16) {
		uint64_t what = cur_u64(&aux), addr = cur_u64(&aux);
		struct cursor at = elf_data_at(&c->elf, addr);
		struct file *f = &c->file[c->n_files];

		if (what != AUX_VDSO || at.bad || c->n_files == FILES)
			continue;
		f->start = addr;
		f->end = addr + cur_left(&at);
		f->is_open = !module_borrow(&f->module, at.pos, cur_left(&at), &w, &e);
		f->bias = f->is_open ? addr - lowest(&f->module.code.elf) : 0;
		c->n_files++;
	}
}

static struct unwind_regs registers(const struct core *c, struct cursor at)
{
	bool is_arm = c->arch == arch_by_elf(ELF_AARCH64);
	struct unwind_regs r = { 0 };

	cur_skip(&at, REGS_AT);
	for (unsigned i = 0; i <= AARCH64_REGS; i++) {
		uint64_t v = cur_u64(&at);

		if (i == (is_arm ? AARCH64_PC : X86_64_PC))
			r.pc = v;
		else if (is_arm)
			unwind_reg_set(&r, i, v);
		else if (i < ARRAY_SIZE(x86_64_regs) && x86_64_regs[i] < CFI_REGS)
			unwind_reg_set(&r, x86_64_regs[i], v);
	}
	return r;
}

static const char *name_of(struct core *c, const struct unwind_frame *f)
{
	struct unwind_code code;
	const struct sym *s = NULL;

	if (code_at(c, f->pc - f->returns, &code) && code.module && !module_functions(code.module, FUNCTIONS_BEST, &e))
		s = symtab_find(&code.module->functions, f->pc - f->returns - code.bias);
	return s ? symtab_name(&code.module->functions, s) : "-";
}

static void thread(struct core *c, struct cursor status)
{
	struct unwind_process p = { read_word, code_at, c };
	struct unwind_regs regs = registers(c, status);
	struct unwind *u = unwind_new(c->arch);
	struct unwind_frame f[FRAMES];
	enum unwind_end end = 0;
	size_t n = u ? unwind_stack(u, &p, &regs, f, FRAMES, &end) : 0;

	cur_skip(&status, PID_AT);
	printf("TID %u\n", cur_u32(&status));
	for (size_t i = 0; i < n; i++)
		printf("%#llx %s\n", (unsigned long long)f[i].pc, name_of(c, &f[i]));
	unwind_free(u);
}

/* Each note of that type, in the order of the file. */
static void notes(struct core *c, uint32_t type, const char *exec)
{
	struct elf_segment s;
	struct note n;

	for (uint32_t i = 0; elf_segment(&c->elf, i, &s); i++) {
		struct cursor at = elf_segment_data(&c->elf, &s);

		while (s.type == ELF_PT_NOTE && note_next(&at, &n)) {
			struct cursor desc = cur_from(n.desc, n.n);

			desc.swap = c->elf.all.swap;
			if (n.type != type || !sv_eq(n.name, "CORE"))
				continue;
			if (type == PRSTATUS)
				thread(c, desc);
			else if (type == AUXV)
				take_vdso(c, desc);
			else
				take_files(c, desc, exec);
		}
	}
}

int main(int argc, char **argv)
{
	static struct core c;
	struct image core = { 0 };

	c.files = sys_image_files(&sys_live);
	if (argc < 2 || argc > 3 || image_open(&core, &c.files, NULL, argv[1], &e) || core.elf.type != ELF_CORE) {
		fprintf(stderr, "usage: corechain CORE [EXEC] %s\n", e.text);
		return 2;
	}
	c.elf = core.elf;
	c.arch = arch_by_elf(core.elf.machine);
	if (!c.arch || !core.elf.is64) {
		fprintf(stderr, "corechain: a machine that is not known\n");
		return 1;
	}
	notes(&c, NT_FILE_MAPS, argv[2]);
	notes(&c, AUXV, NULL);
	notes(&c, PRSTATUS, NULL);
	for (size_t i = 0; i < c.n_files; i++)
		if (c.file[i].is_open)
			module_close(&c.file[i].module);
	image_close(&core);
	return 0;
}
