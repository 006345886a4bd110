/* resolve_parts.h - between the files that turn points into spots (resolve*.c) only. */
#ifndef PROBING_RESOLVE_PARTS_H
#define PROBING_RESOLVE_PARTS_H

#include "base/rex.h"
#include "probing/subject.h"

enum { SPOTS_MAX = 1 << 18 };

struct resolving {
	struct subject *s;
	const struct point *p;
	enum resolve_for what;
	struct spots *to;
	struct err *e;
	const char *name;        /* of the function, or a pattern; borrowed from the point, "" none */
	bool is_glob;
	struct rex *rex;         /* NULL: none */
	struct nearest near;
	bool saw_chooser;        /* the name is there, and only chooses a function at load time */
};

/* A new spot that is not there yet; NULL: there already, or no memory (then *r). */
struct spot *resolve_add(struct resolving *g, uint64_t addr, int *r);

const char *resolve_keep(struct resolving *g, struct sv text);   /* a copy in the subject's arena, "" without memory */

/* resolve_debug.c: by debug information. All add spots: 0, or -errno; -ENOENT: it has none of that. */
int resolve_debug_func(struct resolving *g);
int resolve_debug_line(struct resolving *g);
bool resolve_debug_is_inlined(struct resolving *g);              /* is it there, somewhere in others? */
void resolve_debug_at(struct resolving *g, struct spot *s);      /* what has this address? Fills debug and pc. */
void resolve_debug_skip(struct resolving *g, struct spot *s);    /* behind the prologue, if that is meant */

/* Function and offset of an address: of the running kernel (false: nothing known), of a program. */
bool resolve_kernel_at(struct resolving *g, struct spot *s, uint64_t addr);
void resolve_program_at(struct resolving *g, struct spot *s);

#endif
