/*
 * resolver.h - look up an address in a process: file, symbol and offset.
 *
 * Fed by the records of a recording in order of time (COMM, FORK, EXIT, MMAP, MMAP2, KSYMBOL);
 * files are opened lazily, through callbacks, once each, and each distinct address is looked up
 * once. All strings live as long as the resolver. Functions that return int return 0 or -ENOMEM
 * unless they say more. Not for several threads at once.
 */
#ifndef SYM_RESOLVER_H
#define SYM_RESOLVER_H

#include "arch/arch.h"
#include "base/base.h"
#include "base/cursor.h"
#include "base/err.h"
#include "image/files.h"

struct jitcode;
struct kernel_namer;
struct resolver;

/*
 * How C++ and Rust names are shown: demangled without parameters, demangled with them, or mangled. The kernel's names
 * are never demangled, as in perf. NONE: no symbols are needed, only modules.
 */
enum sym_names { SYM_NAMES_SHORT, SYM_NAMES_FULL, SYM_NAMES_MANGLED, SYM_NAMES_NONE };

/* Strings are borrowed until resolver_free. */
struct sym_want {
	struct image_files files;
	const struct arch *arch;     /* of the recorded machine */
	const char *symfs;           /* prefix for every user file, or NULL */
	const char *cache;           /* directory of the build-id cache, sym/buildid_cache.h, or NULL */
	const char *vmlinux;         /* explicit kernel image, or NULL */
	const char *kallsyms;        /* explicit kallsyms file, or NULL */
	const struct kernel_namer *namer;   /* asks the running kernel for single functions; NULL: read kallsyms */
	enum sym_names names;
	const char *release;         /* uname -r of the recorded kernel, to find its vmlinux, or NULL */
	bool no_spaces;              /* no user addresses will be looked up: keep only names of threads */
	bool is_monotonic;           /* records have times of CLOCK_MONOTONIC, as JIT dumps have */
	const char *only;            /* see resolver_only(); NULL: all functions */
	struct cursor file2;          /* the recording's section FILE2, sym/file2.h; zeroed or bad: none */
};

struct resolver *resolver_new(const struct sym_want *want, struct err *e);
void resolver_free(struct resolver *r);

/*
 * Add a build-id from the recording's header, so that a changed file is not used for symbols.
 * Before the first lookup. The kernel's name is "[kernel.kallsyms]".
 */
int resolver_build_id(struct resolver *r, const char *dso, const uint8_t *id, size_t n);

/*
 * Only functions of this name, which is borrowed, matter to the caller: symbols of files without such a function are
 * not read, and addresses in them have no symbol. Before the first lookup.
 */
void resolver_only(struct resolver *r, const char *name);

struct sym_map {
	uint32_t pid;              /* UINT32_MAX for the kernel */
	bool kernel;
	uint64_t start, len, pgoff;
	uint64_t ino;              /* of the file; 0: unknown */
	const char *name;
	uint8_t build_id[20], build_id_size;   /* size 0: unknown */
};

int resolver_comm(struct resolver *r, uint32_t pid, uint32_t tid, const char *comm, bool exec);
int resolver_fork(struct resolver *r, uint32_t pid, uint32_t ppid, uint32_t tid, uint32_t ptid);

/*
 * A FORK record that the recorder synthesised for a running task (misc has
 * PERF_RECORD_MISC_FORK_EXEC, bit 13): the child does not have the parent's present maps; its own
 * follow as MMAP records.
 */
int resolver_fork_running(struct resolver *r, uint32_t pid, uint32_t tid, uint32_t ptid);

int resolver_exit(struct resolver *r, uint32_t pid, uint32_t tid);

/* Invalid ranges (empty, beyond the end of the address space, too many) are ignored. */
int resolver_mmap(struct resolver *r, const struct sym_map *m);
int resolver_ksymbol(struct resolver *r, uint64_t addr, uint32_t len, const char *name,
		     bool unregister);

/*
 * Current name of a thread, ":TID" when no COMM record had one, "swapper" for 0. Interned: equal names
 * are equal pointers. "" only without memory.
 */
const char *resolver_comm_of(struct resolver *r, uint32_t pid, uint32_t tid);

/* Intern a text: it lives as long as the resolver, and equal ones are equal pointers. NULL: no memory. */
const char *resolver_intern(struct resolver *r, const char *s, size_t n);

/* The location of an address. Strings are interned (compare by pointer); only sym may be NULL. */
struct sym_loc {
	const char *dso;        /* /usr/lib/libc.so.6, [kernel.kallsyms], [ext4], [vdso], ... */
	const char *dso_short;  /* as perf shows it: last path element; module's file as [ext4] */
	const char *sym;        /* NULL: no symbol; show dso+offset, or the address */
	uint64_t start;         /* symbol's address as in the ELF file; kernel: run-time address */
	uint64_t addr;          /* the address in the same terms as start; file offset if there is no file */
	uint64_t offset;        /* in the file; of JIT code the place in jitcode; the address itself without a file */
	uint64_t len;           /* symbol's size, 0 unknown */
	uint64_t base;          /* load address of a kernel module; else 0 */
	struct module *module;  /* the file, for its lines, types ...; NULL: none */
	const struct jitcode *code;   /* JIT code, and addr is a place in it; else NULL */
	bool kernel;
};

/*
 * Look up an address of a process; cpumode as in the record (PERF_MISC_KERNEL, PERF_MISC_USER ...;
 * 0: by the address' top bit). The result is borrowed, and one and the same pointer for the same
 * (dso, address): callers may use it as a key. Never NULL but without memory.
 */
const struct sym_loc *resolver_find(struct resolver *r, uint32_t pid, uint8_t cpumode, uint64_t ip);

/* A place in the source. */
struct sym_spot {
	const char *name;       /* of the inlined function; NULL: the function that is not inlined */
	const char *file;       /* path as the compiler saw it; NULL: unknown, or not requested */
	uint32_t line;          /* 0: unknown */
};

/*
 * The places in the source at an address, by debug information: inlined functions, innermost first, and last the
 * function that contains them. is_call: l is a return address, so look up the call before it. Returns their number; 0:
 * unknown; -ENOMEM. Strings are interned. SYM_SPOTS_FILES doubles the cost.
 */
enum { SYM_SPOTS_MAX = 32 };
enum sym_spots { SYM_SPOTS_NAMES, SYM_SPOTS_FILES };
int resolver_spots(struct resolver *r, const struct sym_loc *l, bool is_call, enum sym_spots what,
		   struct sym_spot v[SYM_SPOTS_MAX]);

/* The vmlinux that the kernel's symbols came from, and recorded minus file addresses (KASLR); NULL: no vmlinux. */
struct module *resolver_kernel_file(struct resolver *r, uint64_t *shift);

/*
 * Forget all locations (results of resolver_find() become invalid), but keep names and maps. settle: lookups are over
 * for now, the memory is freed; clear: more will come, the memory is kept for them.
 */
void resolver_settle(struct resolver *r);
void resolver_clear(struct resolver *r);

/* Release the pages of files that past lookups have touched: the next ones mostly need others. */
void resolver_passed(struct resolver *r);

/*
 * resolver_bytes: memory used for user files and JIT code. resolver_trim: unload those whose names (sym_loc.dso, by
 * pointer) are not in `needed`; they are read again at the next lookup. Returns how many were unloaded; results of
 * resolver_find() and the unloaded modules become invalid.
 */
struct map;
size_t resolver_bytes(const struct resolver *r);
size_t resolver_trim(struct resolver *r, const struct map *needed);

/*
 * A number for the present maps of a process, or of the kernel: while it is the same, an address means the same. A
 * child has its parent's number until one of them maps something. 0: numbers are used up.
 */
enum { RESOLVER_GENERATIONS = INT32_MAX };

/* How many records were applied: while it is the same, no address space and no thread name has changed. */
uint64_t resolver_changes(const struct resolver *r);

uint32_t resolver_generation(struct resolver *r, uint32_t pid, bool kernel);

/*
 * The present maps of a process, or of the kernel. With resolver_space_keep() they stay as they are, whatever records
 * follow: addresses may be looked up in them at any time.
 */
struct maps;

struct resolver_space {
	uint32_t generation;
	struct maps *maps;      /* NULL: unknown */
	uint64_t since, until;  /* with JIT code: it is valid at since <= time < until, ns */
};

struct resolver_spaces {
	struct resolver_space user, kernel;
};

/*
 * Borrowed until the next record, unless it is kept. Maps are those after the last record; JIT code is that of `time`,
 * ns; 0: unknown.
 */
struct resolver_spaces resolver_spaces(struct resolver *r, uint32_t pid, uint64_t time);
struct resolver_space resolver_space_keep(struct resolver_space s);
void resolver_space_drop(struct resolver_space *s);

const struct sym_loc *resolver_find_in(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode,
				       uint64_t ip);

/*
 * The key by which an address is looked up: the file mapped there, and the address in it. Processes with the same file
 * have equal places. resolver_place() is false when nothing is mapped there.
 */
struct resolver_place {
	uint64_t addr;
	uint32_t dso;           /* not 0, and below RESOLVER_DSOS */
};

enum { RESOLVER_DSOS = INT32_MAX };

/*
 * A range of addresses around ip with the same symbol: from <= address < to, and the difference of these to
 * their sym_loc.addr. False: each address has to be looked up.
 */
struct resolver_extent {
	uint64_t from, to, bias;
};

bool resolver_extent(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip,
		     struct resolver_extent *x);

bool resolver_place(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip,
		    struct resolver_place *at);

/*
 * The name of the file that is mapped there, without opening it; NULL: none, or JIT code. For the kernel it is
 * "[kernel.kallsyms]".
 */
const char *resolver_file(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip,
			  bool *is_kernel);

/* The module of user code at an address, and its load bias; NULL: none, or no readable file. */
struct module *resolver_module(struct resolver *r, const struct resolver_space *user, uint64_t ip, uint64_t *bias);

/* Is anything mapped there? */
bool resolver_is_mapped(const struct resolver_space *user, uint64_t ip);

struct kernel_symbol;

/* The kernel's function or variable at an address; false: unknown. */
bool resolver_kernel_thing(struct resolver *r, uint64_t addr, struct kernel_symbol *s);

/* See kernel_waits_at() and kernel_address(). */
int resolver_kernel_waits_at(struct resolver *r, uint64_t addr);
uint64_t resolver_kernel_address(struct resolver *r, const char *name);

struct sym_stats {
	uint64_t lookups;                         /* calls of resolver_find() */
	uint64_t distinct;                        /* distinct addresses */
	uint64_t unmapped, no_symbol;             /* of these: in no mapping; without symbol */
	uint64_t files, stale_files;              /* files read; refused: other build-id or machine */
};
const struct sym_stats *resolver_stats(const struct resolver *r);

/*
 * Problems worth telling, one call per line: "kernel addresses are hidden (kptr_restrict)", "/bin/x
 * changed since the recording". Complete after the last lookup.
 */
void resolver_warnings(const struct resolver *r, void (*say)(void *arg, const char *line),
		       void *arg);

#endif
