/*
 * bpf.h - bpf(2): commands, and what the kernel tells of a loaded program (linux/bpf.h; Linux 5.1 tells all of this).
 */
#ifndef ABI_BPF_H
#define ABI_BPF_H

#include <stddef.h>
#include <stdint.h>

enum bpf_cmd {
	BPF_PROG_NEXT_ID = 11,    /* attr: u32 id; the next one is written behind it. ENOENT: there is none */
	BPF_PROG_FD_BY_ID = 13,   /* attr: u32 id */
	BPF_INFO_BY_FD = 15,      /* attr: struct bpf_ask */
	BPF_BTF_FD_BY_ID = 19,
};

struct bpf_ask {
	uint32_t fd, size;        /* of what info points to */
	uint64_t info;
};

enum { BPF_TAG = 8, BPF_NAME = 16 };

/*
 * struct bpf_prog_info to what tells of its functions. Counts of arrays that are asked for, where they are to be
 * written; the kernel answers with how many there are. Addresses that are hidden are not written.
 */
struct bpf_prog {
	uint32_t type, id;
	uint8_t tag[BPF_TAG];
	uint32_t jited_len, xlated_len;
	uint64_t jited, xlated, load_time;
	uint32_t uid, n_maps;
	uint64_t maps;
	char name[BPF_NAME];
	uint32_t ifindex, gpl;
	uint64_t netns_dev, netns_ino;
	uint32_t n_ksyms, n_lens;
	uint64_t ksyms, lens;     /* u64, u32 for each function */
	uint32_t btf_id, func_size;
	uint64_t funcs;           /* struct bpf_func, each of func_size bytes */
	uint32_t n_funcs, n_lines;
	uint64_t lines, jited_lines;
	uint32_t n_jited_lines, line_size, jited_line_size, n_tags;
	uint64_t tags;            /* BPF_TAG bytes each */
};

_Static_assert(offsetof(struct bpf_prog, n_ksyms) == 104 && offsetof(struct bpf_prog, tags) == 184, "kernel ABI");

struct bpf_func {
	uint32_t insn, type;      /* type: of the program's BTF */
};

/* struct bpf_btf_info's beginning. */
struct bpf_btf {
	uint64_t bytes;
	uint32_t size, id;
};

#endif
