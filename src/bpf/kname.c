/* kname.c - see kname.h. */
#include "bpf/kname.h"

#include "bpf/program.h"

#include <unistd.h>

/* Symbols have at most 512 bytes since 6.1, before that 128; names of modules 56. */
enum { TEXT = 632 };

struct place {
	uint64_t addr;
	char text[TEXT];
};

static int make_format(struct kname *k, struct err *e)
{
	static const struct bpf_map_make make = { BPF_MAP_ARRAY, 4, 8, 1, BPF_MAP_CONSTANT };
	static const char format[8] = "%pS";
	uint32_t first = 0, map[2] = { 0 };
	int r = k->format = program_map(k->bpf, &make, e);

	if (r < 0)
		return r;
	map[0] = (uint32_t)k->format;
	r = program_map_put(k->bpf, k->format, &first, format);
	r = r ? r : k->bpf->call(k->bpf, BPF_MAP_FREEZE, map, sizeof(map[0]));
	return r ? err_set(e, -r, "a BPF map cannot be made constant: %s", err_name(-r)) : 0;
}

static void write_program(const struct kname *k, struct asm_prog *a)
{
	asm_init(a);
	asm_map_value(a, R4, k->place);
	asm_reg(a, ASM_MOV, R1, R4);
	asm_imm(a, ASM_ADD, R1, (int32_t)offsetof(struct place, text));
	asm_imm(a, ASM_MOV, R2, TEXT);
	asm_map_value(a, R3, k->format);
	asm_imm(a, ASM_MOV, R5, sizeof(uint64_t));
	asm_call(a, BPF_SNPRINTF);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}

static int make_program(struct kname *k, struct err *e)
{
	static const struct bpf_map_make make = { BPF_MAP_ARRAY, 4, sizeof(struct place), 1, 0 };
	struct asm_prog *a;

	k->place = program_map(k->bpf, &make, e);
	if (k->place < 0)
		return k->place;
	a = calloc(1, sizeof(*a));
	if (!a)
		return err_nomem(e);
	write_program(k, a);
	k->prog = program_load(k->bpf, a, BPF_PROG_SYSCALL, e);
	free(a);
	return MIN(k->prog, 0);
}

int kname_open(struct kname *k, const struct bpf *bpf, struct err *e)
{
	int r;

	*k = (struct kname){ .bpf = bpf, .format = -1, .place = -1, .prog = -1 };
	r = make_format(k, e);
	r = r ? r : make_program(k, e);
	if (r)
		kname_close(k);
	return r;
}

void kname_close(struct kname *k)
{
	const int fds[] = { k->prog, k->place, k->format };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	k->prog = k->place = k->format = -1;
}

int kname_ask(void *kname, uint64_t addr, char *text, size_t n)
{
	struct kname *k = kname;
	struct bpf_run run = { .prog = (uint32_t)k->prog };
	struct place p = { .addr = addr };
	uint32_t first = 0;
	int r = program_map_put(k->bpf, k->place, &first, &p);

	r = r ? r : k->bpf->call(k->bpf, BPF_PROG_RUN, &run, sizeof(run));
	r = r ? r : program_map_get(k->bpf, k->place, &first, &p);
	p.text[TEXT - 1] = '\0';
	if (!r)
		str_copy(text, n, sv_from(p.text));
	return r;
}
