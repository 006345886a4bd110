/*
 * program.h - load BPF programs and use BPF maps. Both exist as file descriptors only, so that nothing is left in the
 * kernel after the process, however it ends.
 */
#ifndef BPF_PROGRAM_H
#define BPF_PROGRAM_H

#include "bpf/asm.h"
#include "sys/bpf.h"
#include "sys/sys.h"

/* A descriptor, or -errno; e has the verifier's last message and a hint. */
int program_load(const struct bpf *b, const struct asm_prog *a, enum bpf_prog_type type, struct err *e);
/* One of a tracepoint, which may call the kernel's functions. typedef_id: of btf_trace_NAME. */
int program_load_typed(const struct bpf *b, const struct asm_prog *a, uint32_t typedef_id, struct err *e);

/* Runs that the kernel skipped because a program was already running on that CPU; 0 before Linux 5.12. */
uint64_t program_missed(const struct bpf *b, int fd);

/* Are we in the initial pid namespace? Programs get tids of that one, which mean nothing in any other. */
bool program_has_our_tids(const struct sys *sys);

int program_map(const struct bpf *b, const struct bpf_map_make *m, struct err *e);

/* 0 or -errno; -ENOENT: no such key, or no next one. _next with key NULL: the first key. */
int program_map_get(const struct bpf *b, int map, const void *key, void *value);
int program_map_put(const struct bpf *b, int map, const void *key, const void *value);
int program_map_drop(const struct bpf *b, int map, const void *key);
int program_map_next(const struct bpf *b, int map, const void *key, void *next);

#endif
