/*
 * program.h - BPF programs and maps. They only exist as descriptors, and vanish when these are closed: by us, or by the
 * end of the process, whatever ends it.
 */
#ifndef BPF_PROGRAM_H
#define BPF_PROGRAM_H

#include "bpf/asm.h"
#include "sys/bpf.h"
#include "sys/sys.h"

/* Load a program: a descriptor, or -errno with the verifier's message and advice. */
int program_load(const struct bpf *b, const struct asm_prog *a, enum bpf_prog_type type, struct err *e);

/* Runs suppressed by recursion protection; 0 on kernels that do not count them (before 5.12). */
uint64_t program_missed(const struct bpf *b, int fd);

/* Are our tids those that programs see? Programs see tids of the initial pid namespace. */
bool program_has_our_tids(const struct sys *sys);

int program_map(const struct bpf *b, const struct bpf_map_make *m, struct err *e);

/* 0 or -errno; -ENOENT: no such key, or no next one. key NULL: the first. */
int program_map_get(const struct bpf *b, int map, const void *key, void *value);
int program_map_put(const struct bpf *b, int map, const void *key, const void *value);
int program_map_drop(const struct bpf *b, int map, const void *key);
int program_map_next(const struct bpf *b, int map, const void *key, void *next);

#endif
