/*
 * resolver.h - from an address in a process to module, symbol and offset.
 *
 * Fed by the records of a recording in order of time (COMM, FORK, EXIT, MMAP, MMAP2, KSYMBOL);
 * files are opened lazily, through callbacks, once each, and each distinct address is looked up
 * once. All strings live as long as the resolver. Functions that return int give 0 or -ENOMEM
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
 * Names of C++ and Rust in files (the kernel's are left alone, as perf does): as people write them without parameters,
 * with them, or as the linker knows them. NONE: nobody asks for any, only for modules.
 */
enum sym_names { SYM_NAMES_SHORT, SYM_NAMES_FULL, SYM_NAMES_MANGLED, SYM_NAMES_NONE };

/* Strings are borrowed until resolver_free. */
struct sym_want {
	struct image_files files;
	const struct arch *arch;     /* of the recorded machine */
	const char *symfs;           /* prefix for every user file, or NULL */
	const char *kept;            /* folder of copies by build id, sym/kept.h, or NULL */
	const char *vmlinux;         /* explicit kernel image, or NULL */
	const char *kallsyms;        /* explicit kallsyms file, or NULL */
	const struct kernel_namer *namer;   /* the running kernel is asked for one function at a time; NULL: for all */
	enum sym_names names;
	const char *release;         /* recorded kernel's uname -r, to find its vmlinux, or NULL */
	bool no_spaces;              /* nobody asks for places of processes: of those only names of threads are known */
	bool is_monotonic;           /* times are CLOCK_MONOTONIC's, as those of code made at run time */
	const char *only;            /* see resolver_only; NULL: all are asked for */
	struct cursor told;          /* what the recording tells of functions, sym/told.h; zeroed or bad: nothing */
};

struct resolver *resolver_new(const struct sym_want *want, struct err *e);
void resolver_free(struct resolver *r);

/*
 * Known build ids (from the recording's header), so that a changed file is not used for symbols.
 * Before the first lookup. The kernel's name is "[kernel.kallsyms]".
 */
int resolver_build_id(struct resolver *r, const char *dso, const uint8_t *id, size_t n);

/*
 * Of functions with other names than this one, which is borrowed, nobody asks which one it is: files that have none of
 * this name are not read, and their code has no names. Before the first lookup.
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
 * A FORK record that the recorder made up for a task already there (misc has
 * PERF_RECORD_MISC_FORK_EXEC, bit 13): the parent's maps of today are not the child's, those follow
 * as MMAP records.
 */
int resolver_fork_running(struct resolver *r, uint32_t pid, uint32_t tid, uint32_t ptid);

int resolver_exit(struct resolver *r, uint32_t pid, uint32_t tid);

/* Ranges that make no sense (empty, beyond the end, too many) are ignored. */
int resolver_mmap(struct resolver *r, const struct sym_map *m);
int resolver_ksymbol(struct resolver *r, uint64_t addr, uint32_t len, const char *name,
		     bool unregister);

/*
 * Current name of a thread, ":TID" when no COMM told it, "swapper" for 0. Interned: equal names are
 * equal pointers. "" only without memory.
 */
const char *resolver_comm_of(struct resolver *r, uint32_t pid, uint32_t tid);

/* A text that lives as long as the resolver; equal ones are equal pointers. NULL: no memory. */
const char *resolver_intern(struct resolver *r, const char *s, size_t n);

/* What an address is. All pointers are interned (compare by pointer) and never NULL but sym. */
struct sym_loc {
	const char *dso;        /* /usr/lib/libc.so.6, [kernel.kallsyms], [ext4], [vdso], ... */
	const char *dso_short;  /* as perf shows it: last path element; module's file as [ext4] */
	const char *sym;        /* NULL: no symbol; show dso+offset, or the address */
	uint64_t start;         /* symbol's address as in the ELF file; kernel: run-time address */
	uint64_t addr;          /* the address in the same numbers; file offset without file */
	uint64_t offset;        /* in the file; the address itself where there is none; of made code: among all of it */
	uint64_t len;           /* symbol's size, 0 unknown */
	uint64_t base;          /* of a module of the kernel: where it is loaded; else 0 */
	struct module *module;  /* the file, with what else it tells; NULL: none */
	const struct jitcode *code;   /* it was made at run time, addr is a place there; else NULL */
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
	const char *name;       /* of what is inlined there; NULL: it is the function out of line */
	const char *file;       /* path as the compiler saw it; NULL: not known, or not asked for */
	uint32_t line;          /* 0: not known */
};

/*
 * What the source has at an address, by debug information: what is inlined there, innermost first, and the function
 * out of line last. is_call: l is a return address, and the call before it is meant. How many; 0: nothing is known;
 * -ENOMEM. Strings are interned. Files cost as much as all the rest.
 */
enum { SYM_SPOTS_MAX = 32 };
enum sym_spots { SYM_SPOTS_NAMES, SYM_SPOTS_FILES };
int resolver_spots(struct resolver *r, const struct sym_loc *l, bool is_call, enum sym_spots what,
		   struct sym_spot v[SYM_SPOTS_MAX]);

/* The recorded kernel's own file, if its symbols came from one, and how far it was moved from there; NULL: none. */
struct module *resolver_kernel_file(struct resolver *r, uint64_t *shift);

/*
 * Forget the single addresses (results of resolver_find end here), keep names and maps. Settle: the lookups are over
 * for now; clear: others come, the memory stays for them.
 */
void resolver_settle(struct resolver *r);
void resolver_clear(struct resolver *r);

/* Most pages of files that the last lookups touched are not those of the next ones: they go. */
void resolver_passed(struct resolver *r);

/*
 * What is kept of files of programs, and of code made at run time, in bytes; and give back what is kept of those whose
 * names (sym_loc.dso, by pointer) are not among the needed ones: it is read anew when somebody asks. How many; results
 * of resolver_find end here, and modules of the others, too.
 */
struct map;
size_t resolver_bytes(const struct resolver *r);
size_t resolver_trim(struct resolver *r, const struct map *needed);

/*
 * A number for what is mapped in a process, or in the kernel, now: as long as it is the same, so is what an address
 * is. A child has its parent's until one of them maps something. 0: there were too many.
 */
enum { RESOLVER_GENERATIONS = INT32_MAX };

/* How many records were followed: as long as it is the same, so are all spaces and all names of threads. */
uint64_t resolver_changes(const struct resolver *r);

uint32_t resolver_generation(struct resolver *r, uint32_t pid, bool kernel);

/*
 * What is mapped in a process, or in the kernel, as it is now. One that is kept stays so whatever the records tell
 * later: an address may be looked up in it at any time.
 */
struct maps;

struct resolver_space {
	uint32_t generation;
	struct maps *maps;      /* NULL: nothing is known */
	uint64_t since, until;  /* of a process that makes code: so it is at since <= time < until, ns */
};

struct resolver_spaces {
	struct resolver_space user, kernel;
};

/*
 * Borrowed until the next record, and longer when it is kept. What is mapped is that of the last record; code that a
 * process makes there is that of the time, ns; 0: not known.
 */
struct resolver_spaces resolver_spaces(struct resolver *r, uint32_t pid, uint64_t time);
struct resolver_space resolver_space_keep(struct resolver_space s);
void resolver_space_drop(struct resolver_space *s);

const struct sym_loc *resolver_find_in(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode,
				       uint64_t ip);

/*
 * What an address is looked up by: that of what is mapped there, and its own in it. Processes that have the same file
 * have equal places. False: nothing is mapped there.
 */
struct resolver_place {
	uint64_t addr;
	uint32_t dso;           /* not 0, and below RESOLVER_DSOS */
};

enum { RESOLVER_DSOS = INT32_MAX };

/*
 * The addresses around one with a symbol that have the same one, or some of them: from <= address < to, and by how much
 * they are more than their sym_loc.addr. False: each has to be looked up.
 */
struct resolver_extent {
	uint64_t from, to, bias;
};

bool resolver_extent(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip,
		     struct resolver_extent *x);

bool resolver_place(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip,
		    struct resolver_place *at);

/*
 * The name of the file that is mapped there, which is not opened; NULL: none, or code made at run time. The kernel's
 * own is "[kernel.kallsyms]".
 */
const char *resolver_file(struct resolver *r, const struct resolver_spaces *in, uint8_t cpumode, uint64_t ip,
			  bool *is_kernel);

/* The module of user code at an address, and where it is mapped; NULL: none, or no file that can be read. */
struct module *resolver_module(struct resolver *r, const struct resolver_space *user, uint64_t ip, uint64_t *bias);

/* Is anything mapped there? */
bool resolver_is_mapped(const struct resolver_space *user, uint64_t ip);

struct kernel_symbol;

/* What is at an address of the kernel's, function or variable; false: nothing is known of it. */
bool resolver_kernel_thing(struct resolver *r, uint64_t addr, struct kernel_symbol *s);

/* See kernel_waits_at and kernel_address. */
int resolver_kernel_waits_at(struct resolver *r, uint64_t addr);
uint64_t resolver_kernel_address(struct resolver *r, const char *name);

struct sym_stats {
	uint64_t lookups;                         /* calls of resolver_find */
	uint64_t distinct;                        /* addresses */
	uint64_t unmapped, no_symbol;             /* of these: in no mapping; without symbol */
	uint64_t files, stale_files;              /* read; refused: other build id or machine */
};
const struct sym_stats *resolver_stats(const struct resolver *r);

/*
 * Problems worth telling, one call per line: "kernel addresses are hidden (kptr_restrict)", "/bin/x
 * changed since the recording". Complete after the last lookup.
 */
void resolver_warnings(const struct resolver *r, void (*say)(void *arg, const char *line),
		       void *arg);

#endif
