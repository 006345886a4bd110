/* code.h - the bytes of a function that samples are in, and what the addresses in them are called. */
#ifndef REPORT_CODE_H
#define REPORT_CODE_H

#include "analyse/hits.h"
#include "analyse/listing.h"
#include "source/session.h"

struct func_code {
	struct session *session;
	struct sym_loc at;          /* of the function: addr is its start; as resolver_spots wants it */
	uint64_t start, shift;      /* in the samples' numbers; of a kernel's file: how far it was moved from there */
	struct cursor bytes;
	uint8_t *own;               /* of the running kernel, else NULL */
	struct module *module;      /* that has them; NULL: no file */
	char section[32];           /* of that file; "": not known */
	const char *file;           /* of the source, of the line before: which number of which unit's it is */
	const struct dwarf_unit *file_unit;
	uint32_t file_number;
};

/* -ENODATA and more, with what to do: the code cannot be had. The session must stay. */
int code_of(struct func_code *c, struct session *s, const struct hits_func *f, struct err *e);
void code_deinit(struct func_code *c);

/* listing_want.name, of a struct func_code; addresses are those of its start's numbers. */
bool code_name(void *code, uint64_t addr, char name[LISTING_NAME]);

/* Where constants lie among the code of a program; NULL: nobody tells. */
const struct marks *code_marks(struct func_code *c);

/* The line of the source at an address; false: not known. */
bool code_line(struct func_code *c, uint64_t addr, struct sym_spot *spot);

#endif
