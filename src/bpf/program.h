/*
 * program.h - programs and maps of the running kernel. They are descriptors alone, and gone when these are closed: by
 * us, or by the end of the process, whatever ends it.
 */
#ifndef BPF_PROGRAM_H
#define BPF_PROGRAM_H

#include "bpf/asm.h"
#include "sys/bpf.h"
#include "sys/sys.h"

/* A descriptor, or -errno: what the kernel said, and what to do. */
int program_load(const struct bpf *b, const struct asm_prog *a, enum bpf_prog_type type, struct err *e);
/* One of a tracepoint, which may call the kernel's functions. typedef_id: of btf_trace_NAME. */
int program_load_typed(const struct bpf *b, const struct asm_prog *a, uint32_t typedef_id, struct err *e);

/* Runs that it was kept from, by another program or by itself; 0 where the kernel does not count them (before 5.12). */
uint64_t program_missed(const struct bpf *b, int fd);

/* Numbers of tasks as programs have them are those of the machine: in a process namespace nobody else has them. */
bool program_has_our_tids(const struct sys *sys);

int program_map(const struct bpf *b, const struct bpf_map_make *m, struct err *e);

/* 0 or -errno; -ENOENT: there is no such key, no next one. key NULL: the first. */
int program_map_get(const struct bpf *b, int map, const void *key, void *value);
int program_map_put(const struct bpf *b, int map, const void *key, const void *value);
int program_map_drop(const struct bpf *b, int map, const void *key);
int program_map_next(const struct bpf *b, int map, const void *key, void *next);

#endif
