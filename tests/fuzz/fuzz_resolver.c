/*
 * Processes, their maps and names: a first part of steps, a second of kallsyms, and an ELF file that every mapping of a
 * program shows. Each address has a place, one and the same whenever it is asked for.
 */
#include "parts.h"

#include "image/kallsyms.h"
#include "sym/resolver.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { STEPS_MAX = 2000 };

struct input {
	struct bytes file, kallsyms;
	unsigned mapped;
};

static const char *const dsos[] = {
	"/bin/prog", "/lib/lib.so (deleted)", "//anon", "[vdso]", "[heap]", "[kernel.kallsyms]_text", "[mod]",
	"/tmp/perf-2.map", "/bin/a b\nc", "",
};

static int map(void *arg, const char *path, const uint8_t **p, size_t *n)
{
	struct input *in = arg;
	uint8_t *copy;

	if (path[0] != '/' || !in->file.n)
		return -ENOENT;
	copy = malloc(in->file.n);
	if (!copy)
		abort();
	memcpy(copy, in->file.p, in->file.n);
	*p = copy;
	*n = in->file.n;
	in->mapped++;
	return 0;
}

static void unmap(void *arg, const uint8_t *p, size_t n)
{
	struct input *in = arg;

	if (n != in->file.n)
		abort();
	in->mapped--;
	free((void *)(uintptr_t)p);
}

static int kallsyms(void *arg, struct kallsyms *k)
{
	const struct input *in = arg;

	return kallsyms_init(k, (struct sv){ (const char *)in->kallsyms.p, in->kallsyms.n }, NULL);
}

static int kernel_id(void *arg, uint8_t id[20])
{
	(void)arg;
	memset(id, 1, 20);
	return 0;
}

static int vdso(void *arg, const uint8_t **p, size_t *n)
{
	struct input *in = arg;

	*p = in->file.p;
	*n = in->file.n;
	return in->file.n ? 0 : -ENOENT;
}

static void look_up(struct resolver *r, uint32_t pid, uint8_t mode, uint64_t ip)
{
	const struct sym_loc *a = resolver_find(r, pid, mode, ip), *b = resolver_find(r, pid, mode, ip);

	if (!a || a != b || !a->dso || !a->dso_short || (a->sym && !strlen(a->sym)))
		abort();
	if (strlen(resolver_comm_of(r, pid, pid)) == SIZE_MAX)
		abort();
}

static void map_one(struct resolver *r, struct cursor *c, uint32_t pid)
{
	uint8_t how = cur_u8(c), dso = cur_u8(c) % ARRAY_SIZE(dsos);
	struct sym_map m = { .pid = how & 1 ? UINT32_MAX : pid, .kernel = how & 1, .name = dsos[dso] };

	m.start = cur_u16(c) * (how & 2 ? UINT64_C(1) << 48 : 0x400u);
	m.len = cur_u16(c) * (how & 4 ? UINT64_C(1) << 48 : 0x400u);
	m.pgoff = how & 8 ? m.start : cur_u8(c) * 0x100u;
	m.build_id_size = how >> 4 & 7 ? 0 : 20;
	resolver_mmap(r, &m);
}

static void step(struct resolver *r, struct cursor *c)
{
	uint8_t op = cur_u8(c);
	uint32_t pid = cur_u8(c) % 5, other = cur_u8(c) % 5;

	switch (op % 9) {
	case 0:
		resolver_comm(r, pid, other, dsos[op % ARRAY_SIZE(dsos)], op & 128);
		break;
	case 1:
		resolver_fork(r, pid, other, pid, other);
		break;
	case 2:
		resolver_fork_running(r, pid, other, 1);
		break;
	case 3:
		resolver_exit(r, pid, other);
		break;
	case 4:
		map_one(r, c, pid);
		break;
	case 5:
		resolver_ksymbol(r, cur_u16(c) << 8u | UINT64_C(0xffff) << 48, cur_u16(c), "bpf_prog_1", other & 1);
		break;
	case 6:
		resolver_settle(r);
		break;
	default:
		look_up(r, pid, other, cur_u32(c));
		look_up(r, pid, 0, UINT64_C(0xffff) << 48 | cur_u32(c));
	}
}

static void say(void *arg, const char *line)
{
	(void)arg;
	if (!strlen(line))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n), steps;
	struct bytes program = part_take(&c);
	struct input in = { .kallsyms = part_take(&c), .file = part_rest(&c) };
	struct sym_want want = {
		.files = { .arg = &in, .map = map, .unmap = unmap, .kallsyms = kallsyms, .kernel_build_id = kernel_id,
			   .vdso = vdso },
		.arch = &arch_aarch64, .names = n % 3,
		.symfs = n & 8 ? "/symfs" : NULL, .release = n & 16 ? "6.12.1" : NULL,
	};
	struct resolver *r = resolver_new(&want, NULL);

	if (!r)
		abort();
	steps = cur_from(program.p, program.n);
	for (unsigned i = 0; cur_left(&steps) && i < STEPS_MAX; i++)
		step(r, &steps);
	resolver_warnings(r, say, NULL);
	resolver_free(r);
	if (in.mapped)
		abort();
	return 0;
}
