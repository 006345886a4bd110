/*
 * functions.h - every function of a program or library, from whatever tells it: its symbols, those of its debug file,
 * a Go program's own table, its procedure linkage stubs, and the starts in .eh_frame, which a stripped file still has
 * and which get names of their address ("fn_0x11f0").
 */
#ifndef IMAGE_FUNCTIONS_H
#define IMAGE_FUNCTIONS_H

#include "image/symtab.h"

enum functions_what {
	FUNCTIONS_BEST,      /* one name for each address */
	FUNCTIONS_NAMED,     /* all names; starts in .eh_frame only when nothing has a name */
	FUNCTIONS_ALL,       /* all names, and starts in .eh_frame where there is none */
};

/* All files must stay as long as the table. */
struct functions_want {
	const struct elf *file;          /* with the code */
	/*
	 * Asked when the file has no symbols but those of the dynamic linker: add those of its debug file
	 * (SYMTAB_DEBUG). How many, or -ENOMEM. May be NULL.
	 */
	int (*debug)(void *arg, struct symtab *t);
	void *arg;
	enum functions_what what;
};

/* Into a zeroed table. 0 or -ENOMEM; then it is to be symtab_deinit'ed, too. */
int functions_read(struct symtab *t, const struct functions_want *w, struct err *e);

/*
 * Is none of the functions that functions_read would give called so, nor shown so once its name is demangled? Nothing
 * is read for that but names as they lie in the files, and whoever cannot be sure says no. debug: asked as that of
 * functions_want, for the file itself.
 */
bool functions_lack(const struct elf *file, const char *name, const struct elf *(*debug)(void *arg), void *arg);

/* ".symtab"; "chooser (IFUNC)". */
const char *functions_source(const struct sym *s);

/* Do people mean it when they name functions by a pattern? Not stubs, nor starts without a name. */
static inline bool functions_is_named(const struct sym *s)
{
	return s->source != SYMTAB_FRAME && s->source != SYMTAB_OWN;
}

/* Does the table have functions that a Go program's own table tells? */
static inline bool functions_has_go(const struct symtab *t)
{
	return t->strings[SYMTAB_GO].n;
}

#endif
