/*
 * program.h - a program or library that is to be probed: its file as the kernel will name it, its code, and its debug
 * information, which may be in other files.
 */
#ifndef PROBING_PROGRAM_H
#define PROBING_PROGRAM_H

#include "base/vec.h"
#include "obj/dwarf.h"
#include "probing/image.h"

struct program_want {
	const char *file;        /* a path, or a name to look for in $PATH and where libraries are */
	const char *debug;       /* a file with its debug information, or NULL: looked for */
	int target_pid;          /* in whose mount namespace the path is; 0: ours */
};

struct program {
	struct image code;
	struct image debug;      /* closed when the debug information is in the file itself, or there is none */
	struct image alt;
	struct dwarf *dwarf;     /* NULL: none */
	struct err no_dwarf;     /* why */
	char missing[256];       /* a file that parts of the debug information are in, and that is not there; "" none */
	VEC(struct image *) splits;
	const struct arch *arch;
	const struct sys *sys;
};

/* -ENOENT, with where it was looked for; -ENOEXEC: of an unknown machine. */
int program_open(struct program *p, const struct sys *sys, const struct program_want *w, struct err *e);
void program_close(struct program *p);

/* The file with its debug information, looked for when it was not named; NULL: there is none but itself. */
const struct elf *program_debug(struct program *p);

/* The debug information, opened at the first call; NULL: there is none, p->no_dwarf says why. */
struct dwarf *program_dwarf(struct program *p);

/* Is it a variable of which every thread has its own? Symbols tell, where the file has them. */
bool program_is_tls(const struct program *p, struct sv name);

/* Bytes of code from addr to the end of its segment. */
struct cursor program_code(const struct program *p, uint64_t addr);

#endif
