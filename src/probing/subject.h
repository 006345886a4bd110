/*
 * subject.h - what is probed, the kernel or a program, and the finding of places in it: a point of the user's becomes
 * spots, one for each address that it means.
 */
#ifndef PROBING_SUBJECT_H
#define PROBING_SUBJECT_H

#include "probe/point.h"
#include "image/module.h"
#include "probing/kernel_image.h"

struct subject_want {
	const char *exec;        /* a path, or a name to look for in $PATH and among libraries; NULL: the kernel */
	const char *debug;       /* file with the program's debug information, or NULL: looked for */
	const char *symfs;       /* the folder of another machine's files, of which exec is a path; NULL: here */
	const char *source;      /* where the source is now, or NULL: where it was compiled */
	struct kernel_want kernel;
	int target_pid;          /* in whose mount namespace the path is; 0: ours */
	bool no_inlines;
};

struct subject {
	const struct subject_want *want;
	const struct sys *sys;
	const struct arch *arch;
	bool is_kernel;
	struct image_files files;
	struct module program;
	struct err no_dwarf;     /* why a program has no debug information, once it was asked for */
	struct kernel_image kernel;
	struct arena arena;      /* names of spots */
};

/* One address. Texts live as long as the subject. */
struct spot {
	uint64_t addr;           /* of the program's file; of the running kernel, 0: it hides its addresses */
	const char *func;        /* function that has it, as in the symbol table or the debug information; "" unknown */
	const char *module;      /* of the kernel, "" none */
	uint64_t offset;         /* from the function's start */
	uint64_t size;           /* of the function, 0: not told */
	bool has_debug;          /* debug and pc are valid */
	struct dwarf_func debug; /* the function as the debug information has it, maybe inlined */
	uint64_t pc;             /* the address in the debug information */
	const char *inlined;     /* what is inlined there: its name, "" nothing; and the symbol of that name */
	const char *inlined_symbol;
	bool is_unique;          /* kernel: the symbol's name is there once */
	uint64_t semaphore;      /* of a USDT marker: offset in the file, 0 none */
	const char *usdt_args;   /* of a USDT marker, else NULL */
	const char *provider;    /* of a USDT marker */
};

struct spots {
	VEC(struct spot) v;
	bool skipped_prologue;   /* they are behind it, where the arguments are in memory */
};

/* -ENOENT, with where a program was looked for; -ENOEXEC: of an unknown machine; those of kernel_image_open. */
int subject_open(struct subject *s, const struct sys *sys, const struct subject_want *w, struct err *e);
void subject_close(struct subject *s);

/* The debug information, or NULL and why not (may be NULL). */
struct dwarf *subject_dwarf(struct subject *s, const struct err **why);

/* "FILE with a part of the debug information is missing", into buf: false: none that was asked for. */
bool subject_missing(const struct subject *s, char *buf, size_t size);

/* The function of a program whose code has addr, by the best of its names; NULL: none is known. */
const struct sym *subject_function_at(struct subject *s, uint64_t addr);

/* Where constants lie among a program's code; of the kernel none are known. */
const struct marks *subject_marks(struct subject *s);

enum resolve_for {
	RESOLVE_PLACE,       /* a bare probe: where the function begins */
	RESOLVE_VARIABLES,   /* variables will be fetched: behind the prologue of unoptimised functions */
};

/* Add the spots of a point. -ENOENT with near names; spots_deinit also after an error. */
int resolve(struct subject *s, const struct point *p, enum resolve_for what, struct spots *to, struct err *e);
void spots_deinit(struct spots *to);

#endif
