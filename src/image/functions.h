/*
 * functions.h - all functions of a program or library, from all sources: its symbols, those of its debug file, a Go
 * program's own table (pclntab), PLT stubs, and the function starts in .eh_frame, which even a stripped file has; these
 * are named after their address ("fn_0x11f0").
 */
#ifndef IMAGE_FUNCTIONS_H
#define IMAGE_FUNCTIONS_H

#include "image/symtab.h"

enum functions_what {
	FUNCTIONS_BEST,      /* one name for each address */
	FUNCTIONS_NAMED,     /* all names; starts in .eh_frame only if no function has a name */
	FUNCTIONS_ALL,       /* all names, and the starts in .eh_frame that have no name */
};

/* All files must stay as long as the table. */
struct functions_want {
	const struct elf *file;          /* with the code */
	/*
	 * Called when the file has dynamic symbols only: add those of its debug file (SYMTAB_DEBUG). Returns their
	 * number, or -ENOMEM. May be NULL.
	 */
	int (*debug)(void *arg, struct symtab *t);
	void *arg;
	enum functions_what what;
};

/* Fill a zeroed table, which must be symtab_deinit'ed also after an error. 0 or -ENOMEM. */
int functions_read(struct symtab *t, const struct functions_want *w, struct err *e);

/*
 * Is it certain that no function of functions_read() has this name, plain or demangled? Only the string tables are
 * searched; false if in doubt. debug: returns the debug file, called in the same case as functions_want.debug.
 */
bool functions_lack(const struct elf *file, const char *name, const struct elf *(*debug)(void *arg), void *arg);

/* The source of a symbol as text: ".symtab"; "chooser (IFUNC)". */
const char *functions_source(const struct sym *s);

/* Does a glob for functions match it? Not stubs, nor starts named after their address. */
static inline bool functions_is_named(const struct sym *s)
{
	return s->source != SYMTAB_FRAME && s->source != SYMTAB_OWN;
}

/* Does the table have functions from a Go program's own table? */
static inline bool functions_has_go(const struct symtab *t)
{
	return t->strings[SYMTAB_GO].n;
}

#endif
