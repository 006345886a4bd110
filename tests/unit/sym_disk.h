/* sym_disk.h - for tests of sym/resolver: a machine whose files are a table of made-up ones. */
#ifndef SYM_DISK_H
#define SYM_DISK_H

#include "abi/perf_event.h"
#include "base/crc.h"
#include "obj/elf/debuglink.h"
#include "obj_build.h"
#include "image/kallsyms.h"
#include "sym/resolver.h"

enum { USER = PERF_MISC_USER, KERNEL = PERF_MISC_KERNEL };

static const uint8_t id_a[20] = { 0xaa, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 };
static const uint8_t id_b[20] = { 0xbb, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 };

/* The machine that reads the recording. */
struct disk {
	struct {
		const char *path;
		const uint8_t *p;
		size_t n;
	} file[8];
	size_t n;
	unsigned maps, unmaps;
	const char *kallsyms;
	const uint8_t *kernel_id, *vdso;
	size_t vdso_size;
};

static inline void disk_add(struct disk *d, const char *path, const void *p, size_t n)
{
	d->file[d->n].path = path;
	d->file[d->n].p = guard_dup(p, n);
	d->file[d->n++].n = n;
}

static inline int disk_map(void *arg, const char *path, const uint8_t **p, size_t *n)
{
	struct disk *d = arg;

	for (size_t i = 0; i < d->n; i++) {
		if (strcmp(d->file[i].path, path))
			continue;
		*p = d->file[i].p;
		*n = d->file[i].n;
		d->maps++;
		return 0;
	}
	return -ENOENT;
}

static inline void disk_unmap(void *arg, const uint8_t *p, size_t n)
{
	struct disk *d = arg;

	CHECK(p && n);
	d->unmaps++;
}

static inline int disk_kallsyms(void *arg, struct kallsyms *k)
{
	const struct disk *d = arg;

	return d->kallsyms ? kallsyms_init(k, sv_from(d->kallsyms), NULL) : -EACCES;
}

static inline int disk_kernel_id(void *arg, uint8_t id[20])
{
	struct disk *d = arg;

	if (!d->kernel_id)
		return -ENOENT;
	memcpy(id, d->kernel_id, 20);
	return 0;
}

static inline int disk_vdso(void *arg, const uint8_t **p, size_t *n)
{
	struct disk *d = arg;

	*p = d->vdso;
	*n = d->vdso_size;
	return d->vdso ? 0 : -ENOENT;
}

static inline struct sym_want want_of(struct disk *d)
{
	return (struct sym_want){
		.files = { .arg = d, .map = disk_map, .unmap = disk_unmap, .kallsyms = disk_kallsyms,
			   .kernel_build_id = disk_kernel_id, .vdso = disk_vdso },
		.arch = &arch_aarch64,
	};
}

static inline struct resolver *new_of(struct disk *d)
{
	struct sym_want want = want_of(d);

	return resolver_new(&want, NULL);
}

static inline void note(uint8_t to[36], const uint8_t id[20])
{
	memcpy(to, (uint32_t[]){ 4, 20, 3 }, 12);
	memcpy(to + 12, "GNU", 4);
	memcpy(to + 16, id, 20);
}

/*
 * A program as lld lays it out: code at file offset 0x400 and address 0x210400, so that address and
 * offset differ. One function `name` of 32 bytes at 0x210410; without a name no symbols. link: the
 * name of a debug file and its sum.
 */
static inline struct build *program(const char *name, const uint8_t *id, const char *link)
{
	static struct build b;
	static const uint8_t text[256];
	uint8_t n[36], dl[16] = { 0 };

	b = (struct build)BUILD_AARCH64;

	uint32_t at = build_section(&b, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = 0x210400, .size = sizeof(text),
	}, text);

	CHECK_EQ(b.section[at].offset, 0x400);
	build_segment(&b, (struct elf_segment){
		.type = ELF_PT_LOAD, .flags = ELF_PF_R, .offset = 0, .vaddr = 0x200000, .filesz = 0x400,
	});
	build_segment(&b, (struct elf_segment){
		.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_X, .offset = 0x400, .vaddr = 0x210400,
		.filesz = sizeof(text), .memsz = sizeof(text),
	});
	if (id) {
		note(n, id);
		build_section(&b, ".note", (struct elf_section){ .type = ELF_NOTE, .size = 36 }, n);
	}
	if (link) {
		memcpy(dl, link, strlen(link));
		memcpy(dl + ALIGN_UP(strlen(link) + 1, 4u), link + strlen(link) + 1, 4);
		build_section(&b, ".gnu_debuglink", (struct elf_section){ .type = 1, .size = 16 }, dl);
	}
	if (name) {
		build_symbol(&b, name, (struct elf_symbol){
			.type = ELF_FUNC, .bind = ELF_GLOBAL, .section = 1, .value = 0x210410, .size = 32,
		});
		build_symbols(&b, ELF_SYMTAB);
	}
	build_finish(&b);
	return &b;
}

static inline void add_program(struct disk *d, const char *path, const char *name, const uint8_t *id)
{
	struct build *b = program(name, id, NULL);

	disk_add(d, path, b->v, b->n);
}

static inline void map_at(struct resolver *r, uint32_t pid, uint64_t start, const char *name, const uint8_t *id)
{
	struct sym_map m = { .pid = pid, .start = start, .len = 0x1000, .name = name };

	if (id)
		memcpy(m.build_id, id, m.build_id_size = 20);
	CHECK_EQ(resolver_mmap(r, &m), 0);
}

static inline const char *text_of(const struct sym_loc *l)
{
	static char buf[256];

	snprintf(buf, sizeof(buf), "%s+0x%llx %s", l->sym ? l->sym : "?",
		 (unsigned long long)(l->sym ? l->addr - l->start : l->addr), l->dso_short);
	return buf;
}

static inline const char *user(struct resolver *r, uint32_t pid, uint64_t ip)
{
	return text_of(resolver_find(r, pid, USER, ip));
}

static inline const char *kernel(struct resolver *r, uint64_t ip)
{
	return text_of(resolver_find(r, 1, KERNEL, ip));
}

struct said {
	char text[1024];
};

static inline void say(void *arg, const char *line)
{
	struct said *s = arg;
	size_t n = strlen(s->text);

	snprintf(s->text + n, sizeof(s->text) - n, "%s\n", line);
}

static inline const char *warnings(struct resolver *r)
{
	static struct said s;

	s.text[0] = '\0';
	resolver_warnings(r, say, &s);
	return s.text;
}

#endif
