/*
 * subject.h - the kernel or a program that is probed. Resolves a user's point to spots, one for each address that it
 * stands for.
 */
#ifndef PROBING_SUBJECT_H
#define PROBING_SUBJECT_H

#include "probe/point.h"
#include "image/module.h"
#include "probing/kernel_image.h"

struct subject_want {
	const char *exec;        /* a path, or a name to search in $PATH and among libraries; NULL: the kernel */
	const char *debug;       /* file with the program's debug information; NULL: searched for */
	const char *symfs;       /* folder of another machine's files, exec is a path in it; NULL: this machine */
	const char *source;      /* present folder of the source; NULL: where it was compiled */
	struct kernel_want kernel;
	int target_pid;          /* the path is valid in its mount namespace; 0: ours */
	bool no_inlines;
};

struct subject {
	const struct subject_want *want;
	const struct sys *sys;
	const struct arch *arch;
	bool is_kernel;
	struct image_files files;
	struct module program;
	struct err no_dwarf;     /* why the program has no debug information; set when it was needed */
	struct kernel_image kernel;
	struct arena arena;      /* names of spots */
};

/* One address. Texts live as long as the subject. */
struct spot {
	uint64_t addr;           /* of the program's file; of the running kernel, 0: hidden by the kernel */
	const char *func;        /* the function there, as in the symbol table or debug information; "": unknown */
	const char *module;      /* of the kernel, "": none */
	uint64_t offset;         /* from the function's start */
	uint64_t size;           /* of the function, 0: unknown */
	bool has_debug;          /* debug and pc are valid */
	struct dwarf_func debug; /* the function as the debug information has it, maybe inlined */
	uint64_t pc;             /* the address in the debug information */
	const char *inlined;     /* name of the function inlined there, "": none; and its symbol */
	const char *inlined_symbol;
	bool is_unique;          /* kernel: no other function has the symbol's name */
	uint64_t semaphore;      /* of a USDT marker: offset in the file, 0 none */
	const char *usdt_args;   /* of a USDT marker, else NULL */
	const char *provider;    /* of a USDT marker */
};

struct spots {
	VEC(struct spot) v;
	bool skipped_prologue;   /* the spots are behind the prologue, when the arguments are in memory */
};

/* -ENOENT with the places searched; -ENOEXEC: unknown machine; errors of kernel_image_open. */
int subject_open(struct subject *s, const struct sys *sys, const struct subject_want *w, struct err *e);
void subject_close(struct subject *s);

/* The debug information; NULL: none, *why (may be NULL) is the reason. */
struct dwarf *subject_dwarf(struct subject *s, const struct err **why);

/* Write "FILE with a part of the debug information is missing" to buf; false: no file that was needed is missing. */
bool subject_missing(const struct subject *s, char *buf, size_t size);

/* The function of a program at addr, by the best of its names; NULL: unknown. */
const struct sym *subject_function_at(struct subject *s, uint64_t addr);

/* Constants among a program's code; none are known for the kernel. */
const struct marks *subject_marks(struct subject *s);

enum resolve_for {
	RESOLVE_PLACE,       /* a bare probe: where the function begins */
	RESOLVE_VARIABLES,   /* variables will be fetched: behind the prologue of unoptimised functions */
};

/* Append the spots of a point. -ENOENT with near names; call spots_deinit after an error, too. */
int resolve(struct subject *s, const struct point *p, enum resolve_for what, struct spots *to, struct err *e);
void spots_deinit(struct spots *to);

#endif
