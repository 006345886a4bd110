/* file2_build.h - what a recording tells of functions, made by hand: sym/file2.h. */
#ifndef FILE2_BUILD_H
#define FILE2_BUILD_H

#include "show/pb.h"
#include "sym/file2.h"
#include "t.h"

struct told_symbol {
	uint64_t addr, len;
	const char *name;
};

struct told_made {
	struct pb section;
};

/* One message more. place: of min_vaddr, in the file or in the module's memory; v ends with an empty name. */
static inline void told_put(struct told_made *t, const char *path, enum file2_type type, uint64_t min_vaddr,
			    uint64_t place, const struct told_symbol *v)
{
	struct pb p = { 0 };
	uint32_t n;

	pb_bytes(&p, FILE2_PATH, sv_from(path));
	pb_u64(&p, FILE2_TYPE, type);
	pb_u64(&p, FILE2_MIN_VADDR, min_vaddr);
	for (; v->name; v++) {
		pb_begin(&p, FILE2_SYMBOL);
		pb_u64(&p, FILE2_VADDR, v->addr);
		pb_u64(&p, FILE2_LEN, v->len);
		pb_bytes(&p, FILE2_NAME, sv_from(v->name));
		pb_end(&p);
	}
	if (type == FILE2_ELF || type == FILE2_MODULE) {
		pb_begin(&p, type == FILE2_ELF ? FILE2_OF_ELF : FILE2_OF_MODULE);
		pb_u64(&p, FILE2_PLACE, place);
		pb_end(&p);
	}
	n = (uint32_t)p.bytes.n;
	CHECK_EQ(vec_reserve(&t->section.bytes, sizeof(n) + n), 0);
	memcpy(t->section.bytes.v + t->section.bytes.n, &n, sizeof(n));
	memcpy(t->section.bytes.v + t->section.bytes.n + sizeof(n), p.bytes.v, n);
	t->section.bytes.n += sizeof(n) + n;
	pb_deinit(&p);
}

#define TOLD(t, path, type, min_vaddr, place, ...) \
	told_put(t, path, type, min_vaddr, place, (const struct told_symbol[]){ __VA_ARGS__, { 0 } })

static inline struct cursor told_section(const struct told_made *t)
{
	return cur_from(guard_dup(t->section.bytes.v, t->section.bytes.n), t->section.bytes.n);
}

#endif
