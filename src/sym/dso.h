/*
 * dso.h - one mapped file of the recorded machine: its name, its ELF segments, its functions (image/module.h). A file
 * whose build-id or machine differs from the recorded one is not used.
 */
#ifndef SYM_DSO_H
#define SYM_DSO_H

#include "base/base.h"
#include "image/symtab.h"
#include "obj/elf/build_id.h"

struct jitcode;
struct module;
struct sym_want;
struct file2_file;

enum dso_kind {
	DSO_UNKNOWN,     /* no file: [unknown], [heap], /memfd:x, /dev/zero, ... */
	DSO_JIT,         /* JIT code of a process; its name, /tmp/perf-PID.map, is the file with its functions */
	DSO_FILE,
	DSO_VDSO,
	DSO_KERNEL,      /* [kernel.kallsyms] */
	DSO_MODULE,      /* [ext4] or a path */
	DSO_BPF,         /* from a KSYMBOL record: its name is its only symbol */
};

enum dso_state { DSO_FRESH, DSO_LOADED, DSO_MISSING, DSO_STALE };

enum { DSO_SEGMENTS = 8 };

struct dso_segment {
	uint64_t offset, end;    /* in the file; end exclusive */
	uint64_t vaddr;
};

struct dso {
	const char *name, *short_name;   /* interned by the owner */
	enum dso_kind kind;
	enum dso_state state;
	struct build_id id;              /* as recorded; size 0: unknown */
	uint32_t pid;                    /* the process that mapped it last; 0: unknown */
	uint64_t ino;                    /* recorded inode number; 0: unknown */
	bool is_local;                   /* the process may still run on this machine: its own view of files is tried */
	bool is_passed;                  /* it has no function of the name resolver_only(): symbols were not read */
	bool is_other_dump;              /* the dump is damaged, or of another process or machine */
	bool is_cut, is_foreign;         /* JIT: names beyond the limits were dropped; the map has an untrusted owner */
	struct dso_segment segment[DSO_SEGMENTS];   /* executable ones first */
	unsigned n_segments;
	struct module *module;           /* NULL: no file was opened */
	struct symtab jit;               /* JIT: its functions */
	const char *dump;                /* JIT: path of its jit-PID.dump; NULL: none */
	uint64_t dump_ino;               /* recorded inode number; 0: unknown */
	struct jitcode *code;            /* JIT: contents of its dump; NULL: none */
	struct file2_file *file2;        /* its functions in the recording (FILE2), owned by the resolver; NULL: none */
};

/* Does `type` (enum file2_type), the type in FILE2, match this kind? */
bool dso_is_told(enum dso_kind kind, uint64_t type);

/*
 * The kind by the name in an MMAP record: "/bin/ls", "[vdso]", "[kernel.kallsyms]_text", "[ext4]",
 * "//anon", ...
 */
enum dso_kind dso_kind_user(const char *name);
enum dso_kind dso_kind_kernel(const char *name);

/*
 * Write the name as perf shows it: the last path element; a kernel module's file as [name]. Returns its
 * length.
 */
size_t dso_short(enum dso_kind kind, const char *name, char *buf, size_t size);

/* Read the file and its symbols, once, and set d->state. 0 or -ENOMEM. */
int dso_load(struct dso *d, const struct sym_want *want);

/* The ELF address of a file offset; the offset itself without segments. */
uint64_t dso_addr(const struct dso *d, uint64_t offset);

/* The functions of the file, of JIT code, or from the recording; empty before dso_load(). */
const struct symtab *dso_functions(const struct dso *d);

/* Was one of its files truncated while it was mapped? Then some or all of its symbols lack their names. */
bool dso_was_cut(const struct dso *d);

/* Set the path of the jit-PID.dump, which is borrowed; the dso is loaded again. */
void dso_dumps(struct dso *d, const char *dump, uint64_t ino);

void dso_deinit(struct dso *d);

#endif
