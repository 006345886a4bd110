/* code.h - the machine code of a sampled function, and names for the addresses in it. */
#ifndef REPORT_CODE_H
#define REPORT_CODE_H

#include "analyse/hits.h"
#include "analyse/listing.h"
#include "source/session.h"

struct func_code {
	struct session *session;
	struct sym_loc at;          /* location of the function for resolver_spots(): addr is its start */
	uint64_t start, shift;      /* address as in samples; for vmlinux: relocation (KASLR) */
	struct cursor bytes;
	uint8_t *own;               /* copy of the running kernel's code, else NULL */
	struct module *module;      /* the file with the code; NULL: none */
	char section[32];           /* section of that file; "": unknown */
	const char *file;           /* cache: the source file that has this number in this unit */
	const struct dwarf_unit *file_unit;
	uint32_t file_number;
};

/* -ENODATA and others, with a hint in e: no code available. The session stays borrowed. */
int code_of(struct func_code *c, struct session *s, const struct hits_func *f, struct err *e);
void code_deinit(struct func_code *c);

/* For listing_want.name; code: a struct func_code, addr: in the same terms as its start. */
bool code_name(void *code, uint64_t addr, char name[LISTING_NAME]);

/* The data among the code of a program (mapping symbols); NULL: unknown. */
const struct marks *code_marks(struct func_code *c);

/* The source line of an address; false: unknown. */
bool code_line(struct func_code *c, uint64_t addr, struct sym_spot *spot);

#endif
