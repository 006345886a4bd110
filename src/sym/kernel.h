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

/* ASKED: it is the running one, which names one place after another. */
enum kernel_state { KERNEL_FRESH, KERNEL_NONE, KERNEL_KALLSYMS, KERNEL_VMLINUX, KERNEL_ASKED };

/* What the user should know. */
enum kernel_problem {
	KERNEL_HIDDEN = 1,        /* running kernel hides its addresses */
	KERNEL_DIFFERS = 2,       /* recorded on another kernel than the running one */
	KERNEL_UNPROVEN = 4,      /* the recording does not tell its kernel */
	KERNEL_BAD_VMLINUX = 8,   /* sym_want.vmlinux is of another build, or no ELF file */
	KERNEL_NO_VMLINUX = 32,   /* ... or not there */
	KERNEL_BAD_KALLSYMS = 16, /* sym_want.kallsyms cannot be read */
};

struct kernel {
	const struct sym_want *want;
	struct build_id id;       /* recorded; size 0: unknown */
	char ref[32];             /* recorded symbol, "_text", and its address; 0: unknown */
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
 * "[kernel.kallsyms]_text" and the address (pgoff) of the kernel's MMAP record. Before the first
 * lookup.
 */
void kernel_ref(struct kernel *k, const char *map_name, uint64_t addr);

/* false: no function there. Opens what is needed the first time; on -ENOMEM nothing is found. */
bool kernel_find(struct kernel *k, uint64_t addr, struct kernel_symbol *s);

/* From where and up to where around addr it finds the same function, or less; false: that is not known. */
bool kernel_extent(const struct kernel *k, uint64_t addr, uint64_t *from, uint64_t *to);

/* As kernel_find, or a variable of the kernel's, where the running kernel's own list tells it. */
bool kernel_find_any(struct kernel *k, uint64_t addr, struct kernel_symbol *s);

/*
 * Is it code that waits: for a lock, or for the scheduler (the sections .sched.text and .spinlock.text)? 1 or 0; -1:
 * that is not known.
 */
int kernel_waits_at(struct kernel *k, uint64_t addr);

/* The recorded address of a function or variable; 0: there is none of that name, or it is not known. */
uint64_t kernel_address(struct kernel *k, const char *name);

/* Nobody asked for a function of the kernel, and want->vmlinux, which would have been read then, is not there. */
bool kernel_lacks_unused(const struct kernel *k);

/* The running kernel is the recorded one, as far as known: its vDSO is the recorded one. */
bool kernel_is_running(const struct kernel *k);

#endif
