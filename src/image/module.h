/*
 * module.h - a program or library: the file with its code, the one with its symbols and debug information, and what
 * they tell: functions, constants among the code, types and lines. Each is read when it is first asked for.
 */
#ifndef IMAGE_MODULE_H
#define IMAGE_MODULE_H

#include "arch/arch.h"
#include "image/debuginfo.h"
#include "image/functions.h"
#include "image/marks.h"
#include "image/plt.h"
#include "obj/dwarf/cfi_index.h"
#include "obj/elf/build_id.h"
#include "obj/go/gofunc.h"

struct module_want {
	const char *path;            /* with symfs in front */
	const char *symfs;           /* prefix of all paths, or NULL */
	const char *debug;           /* the file with its debug information, or NULL: looked for */
	struct image_inside inside;  /* whose file it is, looked at before ours; pid 0: only ours */
	struct build_id id;          /* that it must have; size 0: any */
	const struct arch *arch;     /* that it must be for, or one that is not known; NULL: any */
};

/* Sections of call frame information: the second one is the file's, or its debug file's. */
enum module_frames { MODULE_EH_FRAME, MODULE_DEBUG_FRAME, MODULE_FRAMES };

/* Zeroed: closed. It must not move while it is open. */
struct module {
	struct image code;
	struct image debug;          /* closed: the file itself, not looked for yet, or there is none; module_debug */
	const char *symfs;
	uint32_t pid;
	bool has_looked;             /* for the debug file */
	bool has_functions, has_marks, has_dwarf, has_stubs;
	struct symtab functions;     /* once module_functions was called */
	struct marks marks;
	struct plt_code stubs;
	struct debuginfo info;
	struct cfi frames[MODULE_FRAMES];   /* once module_frames was called; not if no_frames says so */
	bool has_frames[MODULE_FRAMES], no_frames[MODULE_FRAMES];
	struct cfi_index index[MODULE_FRAMES];   /* once module_function was called, where a section has no table */
	bool has_index[MODULE_FRAMES];
	struct gofuncs go;           /* once module_go was called; not if no_go says so */
	bool has_go, no_go;
};

/* -ENOENT, -EBADMSG (no ELF file), -ESTALE: it is another one by now ... with the path in e. files must stay. */
int module_open(struct module *m, const struct image_files *files, const struct module_want *w, struct err *e);

/* The same of bytes in memory, which stay, and which have all there is; m is zeroed. */
int module_borrow(struct module *m, const uint8_t *bytes, size_t n, const struct module_want *w, struct err *e);

void module_close(struct module *m);

/* The separate file with its symbols and debug information; NULL: there is none. */
const struct elf *module_debug(struct module *m);

/* m->functions, read at the first call: 0 or -ENOMEM. */
int module_functions(struct module *m, enum functions_what what, struct err *e);

/* See functions_lack. */
bool module_lacks(struct module *m, const char *name);

/* The functions are forgotten, and read anew by the next one who asks. */
void module_forget_functions(struct module *m);

/* Most of what was read of its files is not needed again: their pages need not stay in memory. */
void module_passed(const struct module *m);

/* Nothing is asked for soon: what was read of debug information goes, and is read anew by the next one who asks. */
void module_settle(struct module *m);

/* Where constants lie among the code, as far as symbols tell. */
const struct marks *module_marks(struct module *m);

/* The debug information; NULL: there is none, the first who asks is told why. */
struct dwarf *module_dwarf(struct module *m, struct err *e);

/*
 * What the source has at an address of the file's, innermost first: see dwarf_spots_at. 0: nothing is known, or there
 * is no debug information.
 */
int module_spots(struct module *m, uint64_t pc, enum dwarf_spots_what what, struct dwarf_spot v[DWARF_INLINE_DEPTH]);

/* Call frame information; a function that is not in the one may be in the other. NULL: there is none. */
const struct cfi *module_frames(struct module *m, enum module_frames i);

/* The entry there of the function that has pc. */
bool module_function(struct module *m, enum module_frames i, uint64_t pc, struct cfi_fde *fde);

/* The function that has pc as .eh_frame tells, where no symbol has its start: a stripped file. false: none. */
bool module_start(struct module *m, uint64_t pc, struct cfi_fde *fde);

/* Go's own table of functions; NULL: there is none. */
const struct gofuncs *module_go(struct module *m);

/* Is it a variable of which every thread has its own? Symbols tell, where the file has them. */
bool module_is_tls(const struct module *m, struct sv name);

/* Bytes of code from addr to the end of its segment. */
static inline struct cursor module_code(const struct module *m, uint64_t addr)
{
	return elf_data_at(&m->code.elf, addr);
}

/* Was one of its files cut while it was read? Then the asker deals with it. */
bool module_was_cut(const struct module *m);

#endif
