/*
 * flame.h - call trees as folded text and as one self-contained interactive SVG.
 *
 * A flame is built by adding stacks (outermost frame first); memory grows with distinct nodes, not
 * with stacks. A node is a (parent, name, kind): the same name as kernel and as user code is two
 * frames.
 */
#ifndef SHOW_FLAME_H
#define SHOW_FLAME_H

#include "analyse/hist.h"
#include "base/err.h"
#include "base/fmt.h"

struct flame;

enum flame_kind { FLAME_PLAIN, FLAME_USER, FLAME_LIBRARY, FLAME_KERNEL };   /* decides the colour */

struct flame_frame {
	const char *name;        /* copied once per distinct text; empty: "[unknown]" */
	enum flame_kind kind;
};

static inline enum flame_kind flame_kind_of(const struct hist_frame *f)
{
	if (f->kernel)
		return FLAME_KERNEL;
	return strstr(f->dso_short, ".so") || f->dso[0] == '[' ? FLAME_LIBRARY : FLAME_USER;
}

struct flame *flame_new(void);   /* NULL: no memory */
void flame_free(struct flame *f);

/*
 * Add a stack, outermost first, with its weight. 0 or -ENOMEM. A total beyond 64 bits stays at its
 * maximum.
 */
int flame_add(struct flame *f, const struct flame_frame *frames, size_t n, uint64_t weight);

/* The same of an older profile, with which this one is compared. */
int flame_add_old(struct flame *f, const struct flame_frame *frames, size_t n, uint64_t weight);

/*
 * Add one line of folded text, "a;b;c 12". A name's suffix "_[k]" makes it a kernel frame.
 * -EBADMSG: no weight.
 */
int flame_add_folded(struct flame *f, struct sv line, struct err *e);

uint64_t flame_total(const struct flame *f);

/* Root at the bottom, or on top (--inverted, icicle). */
enum flame_order { FLAME_GROW_UP, FLAME_GROW_DOWN };

struct flame_want {
	const char *title;       /* NULL: "Flame Graph" */
	const char *subtitle;    /* or NULL */
	const char *unit;        /* "samples", "cycles", ...; NULL: "samples" */
	enum flame_order order;
	unsigned width;          /* px, 0: 1200; held within 400..20000 */
	double min_width;        /* px; narrower frames are left out, 0: 0.1 */
};

/*
 * "a;b;c 12" lines, parents before children, names in byte order: the same stacks give the same
 * text in whatever order they were added. ';' in a name becomes ':', control characters '?'. Compared with an older
 * profile a line has two weights, the older one's first, as difffolded.pl writes them.
 */
void flame_folded(const struct flame *f, struct out *o);

/*
 * Compared with an older profile, whose total counts as much as this one's, frames are red where more samples end in
 * them than in the older one, blue where fewer do, and as wide as in this one.
 */
void flame_svg(const struct flame *f, const struct flame_want *w, struct out *o);

#endif
