/*
 * Bytes that claim to be a jit-PID.dump. Whatever they are: each place has a name, and between two times at which a
 * place was used again an address has one place. And each piece of code as a file is one that can be read.
 */
#include "obj/elf/elf.h"
#include "obj/jit/jitelf.h"
#include "sym/jitcode.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

struct input {
	const uint8_t *p;
	size_t n;
};

static int map(void *arg, const char *path UNUSED, const uint8_t **p, size_t *n)
{
	const struct input *in = arg;

	*p = in->p;
	*n = in->n;
	return 0;
}

static void ask(const struct jitcode *j, const struct symtab *t, uint64_t addr, uint64_t time)
{
	uint64_t since, until, place = jitcode_place(j, addr, time);
	struct jitdump_line line;

	jitcode_epoch(j, time, &since, &until);
	if (since > time || (until <= time && until != UINT64_MAX))
		abort();
	if (place != jitcode_place(j, addr, until - 1))
		abort();
	if (!place)
		return;
	if (place < JITCODE_PLACES || !symtab_find(t, place))
		abort();
	if (jitcode_line(j, place, &line) && strlen(line.file) > j->n)
		abort();
}

static void check_file(const struct jitelf *j, struct mem_out *m)
{
	struct build_id want = jitelf_id(j), got;
	struct elf_section text;
	struct elf f;

	m->n = 0;
	jitelf_write(j, &m->out);
	if (elf_init(&f, (const uint8_t *)mem_out_str(m), m->n, NULL) || !build_id_of(&f, &got))
		abort();
	if (!build_id_same(&want, &got) || !elf_section_find(&f, ".text", &text) || text.size != j->load->size)
		abort();
}

static void make_files(struct jitdump d)
{
	struct jitdump_rec r;
	struct jitelf j = { .load = &r, .machine = d.machine };
	struct mem_out m;

	mem_out_init(&m);
	while (jitdump_next(&d, &r, NULL) == 1) {
		if (r.type == JITDUMP_UNWINDING) {
			j.unwinding = r.unwinding;
			j.header_size = r.header_size;
		}
		if (r.type == JITDUMP_LOAD)
			check_file(&j, &m);
	}
	mem_out_deinit(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct input in = { p, n };
	struct image_files files = { .arg = &in, .map = map };
	char path[40];
	struct jitcode_want w = { .files = &files, .path = path, .is_monotonic = true };
	struct jitdump d;
	struct jitcode j;
	struct symtab t = { 0 };

	if (jitdump_init(&d, p, n, NULL))
		return 0;
	make_files(d);
	snprintf(path, sizeof(path), "/jit-%u.dump", d.pid);
	if (!jitcode_open(&j, &t, &w)) {
		if (symtab_finish(&t, NULL))
			abort();
		for (size_t i = 0; i < j.edge.n; i++)
			for (size_t k = 0; k < j.loads.n && k < 64; k++)
				ask(&j, &t, j.edge.v[i], j.loads.v[k].time);
		jitcode_close(&j);
	}
	symtab_deinit(&t);
	return 0;
}
