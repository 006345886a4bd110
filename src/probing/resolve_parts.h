/* resolve_parts.h - shared by the files that resolve points to spots (resolve*.c). */
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
	const char *name;        /* name or pattern of the function, borrowed from the point; "": none */
	bool is_glob;
	struct rex *rex;         /* NULL: none */
	struct nearest near;
	bool saw_chooser;        /* the name is only an ifunc, which chooses a function at load time */
};

/* Add a spot; NULL: it was added before, or no memory (then *r). */
struct spot *resolve_add(struct resolving *g, uint64_t addr, int *r);

const char *resolve_keep(struct resolving *g, struct sv text);   /* a copy in the subject's arena, "" without memory */

/* resolve_debug.c: by debug information. All add spots: 0, or -errno; -ENOENT: nothing found. */
int resolve_debug_func(struct resolving *g);
int resolve_debug_line(struct resolving *g);
bool resolve_debug_is_inlined(struct resolving *g);              /* is it inlined anywhere? */
void resolve_debug_at(struct resolving *g, struct spot *s);      /* find what is at the address; sets debug and pc */
void resolve_debug_skip(struct resolving *g, struct spot *s);    /* move behind the prologue, if wanted */

/* Find function and offset of an address: of the running kernel (false: unknown), of a program. */
bool resolve_kernel_at(struct resolving *g, struct spot *s, uint64_t addr);
void resolve_program_at(struct resolving *g, struct spot *s);

#endif
