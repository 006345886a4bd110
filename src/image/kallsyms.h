/*
 * kallsyms.h - a table of the kernel's functions and variables by address, made from the text of /proc/kallsyms, for
 * many lookups.
 */
#ifndef IMAGE_KALLSYMS_H
#define IMAGE_KALLSYMS_H

#include "base/base.h"
#include "base/err.h"
#include "base/map.h"
#include "image/kallsyms_text.h"

/* Symbols at the bounds of .sched.text and .spinlock.text, the code that waits in the scheduler and for locks. */
enum kallsyms_mark {
	KALLSYMS_SCHED_TEXT, KALLSYMS_SCHED_TEXT_END, KALLSYMS_LOCK_TEXT, KALLSYMS_LOCK_TEXT_END,
	KALLSYMS_IRQENTRY_TEXT, KALLSYMS_IRQENTRY_TEXT_END, KALLSYMS_MARKS,
};

struct kallsyms {
	struct symtab table;      /* functions; run-time addresses */
	struct symtab data;
	struct names modules;
	VEC(char) names;          /* each with NUL; names in modules are preceded by two bytes: module id + 1 */
	uint64_t text, stext;     /* addresses of _text and _stext; 0: missing */
	uint64_t mark[KALLSYMS_MARKS];   /* 0: missing */
	bool hidden;              /* all addresses were zero: the table is empty */
	bool any, shown;          /* there was a symbol; one whose address was not zero */
	VEC(char) line;           /* while the text is read: the start of the line that the next piece continues */
	size_t fed;               /* bytes of text so far */
};

/* The table of a whole text. Lines that are no symbols are skipped. 0, or -ENOMEM or -EFBIG with nothing to deinit. */
int kallsyms_init(struct kallsyms *k, struct sv text, struct err *e);

/*
 * The same from pieces of the text, of which only the names are kept: first a zeroed *k, then each piece in turn, then
 * the end; what fails is deinit'ed by the caller. k is a struct kallsyms. 0, -ENOMEM, or -EFBIG beyond
 * KALLSYMS_TEXT_MAX bytes.
 */
int kallsyms_feed(void *k, const char *piece, size_t n);
int kallsyms_end(struct kallsyms *k);

void kallsyms_deinit(struct kallsyms *k);

/* NULL: no function there. */
const struct sym *kallsyms_find(const struct kallsyms *k, uint64_t addr);

/* The same, or a variable: for addresses of unknown kind. */
const struct sym *kallsyms_find_any(const struct kallsyms *k, uint64_t addr);

/* The symbol of that name, by a linear search. NULL: none. */
const struct sym *kallsyms_named(const struct kallsyms *k, const char *name);

const char *kallsyms_name(const struct kallsyms *k, const struct sym *s);

/* "ext4", or NULL for the kernel itself. */
const char *kallsyms_module(const struct kallsyms *k, const struct sym *s);

#endif
