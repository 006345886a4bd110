/*
 * kernel.h - the recorded kernel's functions by run-time address: from the running kernel when it
 * is the same one, else from a vmlinux; and why not.
 */
#ifndef SYM_KERNEL_H
#define SYM_KERNEL_H

#include "image/kallsyms.h"
#include "image/module.h"
#include "sym/asked.h"

struct sym_want;

/* ASKED: it is the running kernel, which is asked for one function at a time (sym/asked.h). */
enum kernel_state { KERNEL_FRESH, KERNEL_NONE, KERNEL_KALLSYMS, KERNEL_VMLINUX, KERNEL_ASKED };

/* What the user should know. */
enum kernel_problem {
	KERNEL_HIDDEN = 1,        /* running kernel hides its addresses */
	KERNEL_DIFFERS = 2,       /* recorded on another kernel than the running one */
	KERNEL_UNPROVEN = 4,      /* the recording has no build-id of its kernel */
	KERNEL_BAD_VMLINUX = 8,   /* sym_want.vmlinux is of another build, or no ELF file */
	KERNEL_NO_VMLINUX = 32,   /* sym_want.vmlinux does not exist */
	KERNEL_BAD_KALLSYMS = 16, /* sym_want.kallsyms cannot be read */
};

struct kernel {
	const struct sym_want *want;
	struct build_id id;       /* recorded; size 0: unknown */
	char ref[32];             /* reference symbol of the recording, "_text", and its address; 0: unknown */
	uint64_t ref_addr;
	enum kernel_state state;
	unsigned problems;        /* kernel_problem */
	uint64_t shift;           /* recorded address - address in the table */
	struct kallsyms kallsyms;
	struct module vmlinux;
	struct asked asked;
};

/* want must outlive k. */
void kernel_init(struct kernel *k, const struct sym_want *want);
void kernel_deinit(struct kernel *k);

/*
 * Set the reference symbol, from the name "[kernel.kallsyms]_text" and the pgoff of the kernel's MMAP
 * record. Before the first lookup.
 */
void kernel_ref(struct kernel *k, const char *map_name, uint64_t addr);

/* false: no function there, or no memory. Opens files at the first call. */
bool kernel_find(struct kernel *k, uint64_t addr, struct kernel_symbol *s);

/* A range around addr, or part of it, in which kernel_find() finds the same function; false: not known. */
bool kernel_extent(const struct kernel *k, uint64_t addr, uint64_t *from, uint64_t *to);

/* As kernel_find(), but also finds variables, if /proc/kallsyms of the running kernel has them. */
bool kernel_find_any(struct kernel *k, uint64_t addr, struct kernel_symbol *s);

/*
 * Is it code that waits for a lock or in the scheduler (in the sections .sched.text and .spinlock.text)? 1 or 0; -1:
 * not known.
 */
int kernel_waits_at(struct kernel *k, uint64_t addr);

/* The recorded address of a function or variable; 0: unknown name. */
uint64_t kernel_address(struct kernel *k, const char *name);

/* Does want->vmlinux not exist, which went unnoticed because no kernel function was looked up? */
bool kernel_lacks_unused(const struct kernel *k);

/* Is the running kernel the recorded one, as far as known, so that its vDSO can be used? */
bool kernel_is_running(const struct kernel *k);

#endif
