/*
 * dso.h - one mapped file of the recorded machine: its name, where its bytes are in virtual memory, its functions
 * (image/module.h). A file whose build id or machine differs from the recorded one is not used.
 */
#ifndef SYM_DSO_H
#define SYM_DSO_H

#include "base/base.h"
#include "image/symtab.h"
#include "obj/elf/build_id.h"

struct jitcode;
struct module;
struct sym_want;
struct told_file;

enum dso_kind {
	DSO_UNKNOWN,     /* no file: [unknown], [heap], /memfd:x, /dev/zero, ... */
	DSO_JIT,         /* code made at run time: /tmp/perf-PID.map, its name, may have its functions */
	DSO_FILE,
	DSO_VDSO,
	DSO_KERNEL,      /* [kernel.kallsyms] */
	DSO_MODULE,      /* [ext4] or a path */
	DSO_BPF,         /* told by a KSYMBOL record: the name is its only symbol */
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
	uint32_t pid;                    /* who has mapped it last; 0: unknown */
	uint64_t ino;                    /* as recorded; 0: unknown */
	bool is_local;                   /* the process may be one of this machine, which is asked for its files */
	bool is_passed;                  /* none of its functions is asked for: they were not read */
	bool is_other_dump;              /* the dump is none by now, or another process's or machine's */
	bool is_cut, is_foreign;         /* of JIT: more names than are taken; the file is not the process's user's */
	struct dso_segment segment[DSO_SEGMENTS];   /* executable ones first */
	unsigned n_segments;
	struct module *module;           /* NULL: none was opened */
	struct symtab jit;               /* functions of JIT */
	const char *dump;                /* of JIT: the path of its jit-PID.dump; NULL: it has none */
	uint64_t dump_ino;               /* as recorded; 0: unknown */
	struct jitcode *code;            /* of JIT: what its dump tells; NULL: nothing */
	struct told_file *told;          /* what the recording itself tells of it, the resolver's; NULL: nothing */
};

/* Is it of the kind that a recording tells so of? An enum told_type. */
bool dso_is_told(enum dso_kind kind, uint64_t type);

/*
 * What a mapping's name says: "/bin/ls" a file, "[vdso]", "[kernel.kallsyms]_text", "[ext4]",
 * "//anon".
 */
enum dso_kind dso_kind_user(const char *name);
enum dso_kind dso_kind_kernel(const char *name);

/*
 * How perf shows a name: the last path element; a kernel module's file as [name]. Into buf; returns
 * its length.
 */
size_t dso_short(enum dso_kind kind, const char *name, char *buf, size_t size);

/* Read the file and its symbols, once; d->state tells what came of it. 0 or -ENOMEM. */
int dso_load(struct dso *d, const struct sym_want *want);

/* The ELF address of a file offset; the offset itself without segments. */
uint64_t dso_addr(const struct dso *d, uint64_t offset);

/* What there is: of a file, of JIT, or what the recording tells. Until dso_load nothing. */
const struct symtab *dso_functions(const struct dso *d);

/* Was one of its files cut while it was read? Then some of its symbols have no name, or all. */
bool dso_was_cut(const struct dso *d);

/* Its code is written to a file with times, too; the path must stay. Then it is read anew. */
void dso_dumps(struct dso *d, const char *dump, uint64_t ino);

void dso_deinit(struct dso *d);

#endif
