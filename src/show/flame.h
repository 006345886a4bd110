/*
 * flame.h - flame graphs as folded text, and as a self-contained interactive SVG.
 *
 * A flame is built by adding stacks (outermost frame first); memory grows with distinct nodes, not with stacks. A node
 * is a (parent, name, kind): the same name in kernel and user code makes two frames.
 */
#ifndef SHOW_FLAME_H
#define SHOW_FLAME_H

#include "analyse/hist.h"
#include "base/err.h"
#include "base/fmt.h"

struct flame;

enum flame_kind { FLAME_PLAIN, FLAME_USER, FLAME_LIBRARY, FLAME_KERNEL };   /* determines the colour */

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

/* Add a stack, outermost frame first, with its weight. 0 or -ENOMEM. Totals saturate at 64 bits. */
int flame_add(struct flame *f, const struct flame_frame *frames, size_t n, uint64_t weight);

/* Add a stack of an older profile, with which this one is compared. */
int flame_add_old(struct flame *f, const struct flame_frame *frames, size_t n, uint64_t weight);

/* Add a line of folded text, "a;b;c 12". A name's suffix "_[k]" makes it a kernel frame. -EBADMSG: no weight. */
int flame_add_folded(struct flame *f, struct sv line, struct err *e);

uint64_t flame_total(const struct flame *f);

/* Root at the bottom, or at the top (--inverted, icicle). */
enum flame_order { FLAME_GROW_UP, FLAME_GROW_DOWN };

struct flame_want {
	const char *title;       /* NULL: "Flame Graph" */
	const char *subtitle;    /* or NULL */
	const char *unit;        /* "samples", "cycles", ...; NULL: "samples" */
	enum flame_order order;
	unsigned width;          /* px, 0: 1200; clamped to 400..20000 */
	double min_width;        /* px; narrower frames are omitted, 0: 0.1 */
};

/*
 * Lines "a;b;c 12", parents before children, names in byte order: the same stacks always give the same text, in
 * whatever order they were added. ';' in a name becomes ':', control characters '?'. Compared with an older profile a
 * line has two weights, the older one first, as difffolded.pl writes them.
 */
void flame_folded(const struct flame *f, struct out *o);

/*
 * Compared with an older profile, scaled to the same total, frames are red if more samples end in them than in the
 * older one, blue if fewer; widths are those of this profile.
 */
void flame_svg(const struct flame *f, const struct flame_want *w, struct out *o);

#endif
