/*
 * module.h - a program or library: the file with its code, its debug file, and their contents: functions, data among
 * the code, types, lines, unwinding rules. Each is read when it is first needed.
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
	const char *path;            /* including symfs */
	const char *symfs;           /* prefix of all paths, or NULL */
	const char *debug;           /* path of the debug file; NULL: search for it */
	struct image_inside inside;  /* open it first as this process sees it; pid 0: only as we do */
	struct build_id id;          /* build-id that it must have; size 0: any */
	const struct arch *arch;     /* it must be for this architecture, or for an unknown one; NULL: any */
};

/* Sections of call frame information; .debug_frame may be in the file or in its debug file. */
enum module_frames { MODULE_EH_FRAME, MODULE_DEBUG_FRAME, MODULE_FRAMES };

/* Zeroed: closed. It must not move while it is open. */
struct module {
	struct image code;
	struct image debug;          /* closed: not searched for yet, or there is none; see module_debug() */
	const char *symfs;
	uint32_t pid;
	bool has_looked;             /* the debug file was searched for */
	bool has_functions, has_marks, has_dwarf, has_stubs;
	struct symtab functions;     /* valid after module_functions() */
	struct marks marks;
	struct plt_code stubs;
	struct debuginfo info;
	struct cfi frames[MODULE_FRAMES];   /* valid after module_frames(), unless no_frames */
	bool has_frames[MODULE_FRAMES], no_frames[MODULE_FRAMES];
	struct cfi_index index[MODULE_FRAMES];   /* valid after module_function(), for a section without a table */
	bool has_index[MODULE_FRAMES];
	struct gofuncs go;           /* valid after module_go(), unless no_go */
	bool has_go, no_go;
};

/* -ENOENT, -EBADMSG (no ELF file), -ESTALE (another build-id) ... with the path in e. files must stay valid. */
int module_open(struct module *m, const struct image_files *files, const struct module_want *w, struct err *e);

/* The same for bytes in memory, which are borrowed; no debug file is searched for. *m must be zeroed. */
int module_borrow(struct module *m, const uint8_t *bytes, size_t n, const struct module_want *w, struct err *e);

void module_close(struct module *m);

/* The separate debug file; NULL: none. */
const struct elf *module_debug(struct module *m);

/* m->functions, read at the first call: 0 or -ENOMEM. */
int module_functions(struct module *m, enum functions_what what, struct err *e);

/* See functions_lack(). */
bool module_lacks(struct module *m, const char *name);

/* Free the functions; the next module_functions() reads them again. */
void module_forget_functions(struct module *m);

/* The pages of its files that were read are mostly not needed again: release them. */
void module_passed(const struct module *m);

/* No lookups for some time: free what was read of debug information; it is read again when needed. */
void module_settle(struct module *m);

/* The data among the code, by mapping symbols. */
const struct marks *module_marks(struct module *m);

/* The debug information; NULL: none, and the first call sets e to the reason. */
struct dwarf *module_dwarf(struct module *m, struct err *e);

/*
 * The places in the source at an address of the file, innermost first: see dwarf_spots_at(). 0: unknown, or no debug
 * information.
 */
int module_spots(struct module *m, uint64_t pc, enum dwarf_spots_what what, struct dwarf_spot v[DWARF_INLINE_DEPTH]);

/* A section of call frame information; each function may be in either of them. NULL: none. */
const struct cfi *module_frames(struct module *m, enum module_frames i);

/* The FDE in that section for pc. */
bool module_function(struct module *m, enum module_frames i, uint64_t pc, struct cfi_fde *fde);

/* The function at pc by .eh_frame, if no symbol has its start (a stripped file). false: none. */
bool module_start(struct module *m, uint64_t pc, struct cfi_fde *fde);

/* Go's own table of functions (pclntab); NULL: none. */
const struct gofuncs *module_go(struct module *m);

/* Is it a thread-local variable (by its symbol)? */
bool module_is_tls(const struct module *m, struct sv name);

/* Bytes of code from addr to the end of its segment. */
static inline struct cursor module_code(const struct module *m, uint64_t addr)
{
	return elf_data_at(&m->code.elf, addr);
}

/* Was one of its files truncated while it was mapped? The caller must handle that. */
bool module_was_cut(const struct module *m);

#endif
