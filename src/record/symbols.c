/*
 * symbols.c - read the file as a session, and look up each distinct address once, in the same way as report does: a
 * caller by its return address, functions without a symbol by their start.
 */
#include "record/symbols.h"

#include "image/module.h"
#include "show/pb.h"
#include "source/frames.h"
#include "source/session.h"
#include "sym/file2.h"

/* Limits: functions, far more than any recording has; looked-up addresses that stay in memory. */
enum { FUNCTIONS_MAX = 1 << 17, LOOKED_UP_MAX = 1 << 13, SEEN = 1 << 14, SAMPLES_PER_QUESTION = 1 << 10 };

/* FILE2 identifies a file by its path: useless if two files had this path, or if it leads to another file now. */
struct hit_file {
	const char *path;              /* interned by the resolver */
	const struct module *module;   /* NULL: kernel or JIT code */
	enum file2_type type;
	uint64_t min_vaddr, place;     /* sym/file2.h */
	bool is_useless;
};

struct hit {
	uint32_t file;
	uint32_t len;
	uint64_t addr;                 /* address to write, see file2_addr() */
	const char *name;
};

struct hit_place {
	uint64_t ip;
	uint32_t tag;                  /* generation of the address space * 2, + 1 for a return address */
};

struct hits {
	const struct sys *sys;
	const struct dsos *dsos;
	struct session session;
	struct frames frames;          /* for frames_loc() */
	struct map file_of;            /* pointer of the path -> index + 1 */
	VEC(struct hit_file) files;
	struct names known;            /* (path, start) -> index in v */
	VEC(struct hit) v;
	size_t lookups;
	bool replaced;                 /* JIT code has replaced other code at an address */
	struct hit_place seen[SEEN];   /* cache by a hash of the address: recurring addresses cost no lookup */
};

bool symbols_can(void)
{
	return true;
}

/* --- files --------------------------------------------------------------------------------------------------- */

static enum file2_type type_of(const struct sym_loc *l)
{
	if (l->kernel)
		return l->base ? FILE2_MODULE : FILE2_KERNEL;
	return l->module ? FILE2_ELF : FILE2_JIT;
}

/* Set address and file offset of the first executable segment. */
static void find_code(struct hit_file *f)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(&f->module->code.elf, i, &s); i++) {
		if (s.type != ELF_PT_LOAD || !(s.flags & ELF_PF_X) || !s.filesz)
			continue;
		f->min_vaddr = s.vaddr;
		f->place = s.offset;
		return;
	}
}

static bool is_another(const struct hits *h, const char *path)
{
	uint32_t i = names_find(&h->dsos->names, path, strlen(path));
	struct build_id id;

	return i < h->dsos->seen.n && dsos_build_id(h->dsos, h->sys, i, &id) < 0;
}

static struct hit_file *add_file(struct hits *h, const char *path, const struct sym_loc *l)
{
	struct hit_file *f = vec_add(&h->files);

	if (!f)
		return NULL;
	*f = (struct hit_file){ .path = path, .module = l->module, .type = type_of(l) };
	if (f->module)
		find_code(f);
	f->is_useless = f->module && is_another(h, path);
	return f;
}

/* The entry of a file, which is added if it is new. NULL: no memory. Unmapped kernel code counts as the kernel's. */
static struct hit_file *file_of(struct hits *h, const struct sym_loc *l)
{
	const char *kernel = "[kernel.kallsyms]";
	bool is_kernel = type_of(l) == FILE2_KERNEL;
	const char *path = is_kernel ? resolver_intern(h->session.resolver, kernel, strlen(kernel)) : l->dso;
	uint64_t *i = path ? map_add(&h->file_of, (uintptr_t)path, NULL) : NULL;
	struct hit_file *f = i && *i ? &h->files.v[*i - 1] : NULL;

	if (!i || (!f && !(f = add_file(h, path, l))))
		return NULL;
	*i = (uint64_t)(f - h->files.v) + 1;
	f->is_useless |= f->module != l->module;
	return f;
}

/* --- functions ----------------------------------------------------------------------------------------------- */

/* The start of the function; for JIT code its run-time address, not its place in jitcode. */
static uint64_t start_of(const struct sym_loc *l, uint64_t ip)
{
	return l->code ? l->start - l->addr + ip : l->start;
}

/* The address to write: readers convert all addresses of a file by the first executable segment, so invert that. */
static uint64_t file2_addr(const struct hit_file *f, const struct sym_loc *l, uint64_t ip)
{
	if (f->type == FILE2_ELF)
		return l->start - l->addr + l->offset - f->place + f->min_vaddr;
	return start_of(l, ip) - l->base;
}

/* Is there a name to write? Not for BPF programs, whose symbol is the dso's name: KSYMBOL records have it. */
static bool has_name(const struct sym_loc *l)
{
	return l->sym && l->len && l->sym != l->dso;
}

/* Add a function; or, for a file without symbols, just the file with its addresses. */
static int add_hit(struct hits *h, const struct sym_loc *l, uint64_t ip)
{
	struct { const char *path; uint64_t start; } key = { l->dso, start_of(l, ip) };
	struct hit_file *f;
	uint32_t i;

	if (h->v.n >= FUNCTIONS_MAX || !(has_name(l) || l->module))
		return 0;
	f = file_of(h, l);
	if (!f || !has_name(l))
		return f ? 0 : -ENOMEM;
	i = names_add(&h->known, (const char *)&key, sizeof(key));
	/* FILE2 has no times: if JIT code was replaced at an address, the last one counts. */
	if (i < h->v.n && !l->code)
		return 0;
	if (i == NAMES_NONE || (i == h->v.n && !vec_add(&h->v)))
		return -ENOMEM;
	h->replaced |= h->v.v[i].name && h->v.v[i].name != l->sym;
	h->v.v[i] = (struct hit){ .file = (uint32_t)(f - h->files.v), .addr = file2_addr(f, l, ip),
				  .len = (uint32_t)MIN(l->len, (uint64_t)UINT32_MAX), .name = l->sym };
	return 0;
}

static int look_up(struct hits *h, const struct resolver_spaces *in, const struct chain_frame *c)
{
	uint32_t generation = chain_in_kernel(c) ? in->kernel.generation : in->user.generation;
	uint32_t tag = generation << 1 | c->returns;
	struct hit_place *p = &h->seen[hash_u64(c->ip ^ (uint64_t)tag << 40) % SEEN];
	uint64_t ip = c->returns ? h->frames.arch->strip(c->ip) : c->ip;
	const struct sym_loc *l;
	unsigned behind;
	int r;

	if (p->ip == c->ip && p->tag == tag && generation)
		return 0;
	if (++h->lookups % LOOKED_UP_MAX == 0)
		resolver_clear(h->session.resolver);
	*p = (struct hit_place){ c->ip, tag };
	l = frames_loc(&h->frames, in, c, &behind);
	r = l ? add_hit(h, l, ip - behind) : -ENOMEM;
	/* The function that starts at the return address is needed, too, for the reader to decide in the same way. */
	l = behind && !r ? resolver_find_in(h->session.resolver, in, c->cpumode, ip) : NULL;
	return l ? add_hit(h, l, ip) : r;
}

static int take_sample(struct hits *h, const struct session_item *item)
{
	struct chain_frame frames[CHAIN_MAX];
	struct resolver_spaces in = resolver_spaces(h->session.resolver, item->sample.pid, item->sample.time);
	size_t n = sample_frames(&item->event->layout, &item->sample, frames, CHAIN_MAX);
	int r = 0;

	for (size_t i = 0; !r && i < n; i++)
		r = look_up(h, &in, &frames[i]);
	return r;
}

static int read_all(struct hits *h, struct err *e)
{
	const struct mapped_files *fs = h->sys->mapped;
	struct session_item item;
	size_t n = 0;
	int r;

	while ((r = session_next(&h->session, &item, e)) > 0) {
		if (item.event && take_sample(h, &item))
			return err_nomem(e);
		if (fs && fs->ask && ++n % SAMPLES_PER_QUESTION == 0 && (fs->stopped || fs->ask(fs->arg)))
			return -ECANCELED;
	}
	return r;
}

/* --- the section --------------------------------------------------------------------------------------------- */

static int by_file(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void put_place(struct pb *p, const struct hit_file *f)
{
	if (f->type != FILE2_ELF && f->type != FILE2_MODULE)
		return;
	pb_begin(p, f->type == FILE2_ELF ? FILE2_OF_ELF : FILE2_OF_MODULE);
	pb_u64(p, FILE2_PLACE, f->place);
	pb_end(p);
}

static void put_function(struct pb *p, const struct hit *h)
{
	pb_begin(p, FILE2_SYMBOL);
	pb_u64(p, FILE2_VADDR, h->addr);
	pb_u64(p, FILE2_LEN, h->len);
	pb_str(p, FILE2_NAME, sv_from(h->name));
	pb_end(p);
}

/* Write a file with its n functions as one message, preceded by its length. */
static void put_file(struct out *o, struct pb *p, const struct hit_file *f, const struct hit *v, size_t n)
{
	uint32_t size;

	if (f->is_useless)
		return;
	pb_bytes(p, FILE2_PATH, sv_from(f->path));
	pb_u64(p, FILE2_TYPE, f->type);
	pb_u64(p, FILE2_MIN_VADDR, f->min_vaddr);
	for (size_t i = 0; i < n; i++)
		put_function(p, &v[i]);
	put_place(p, f);
	size = (uint32_t)p->bytes.n;
	out_bytes(o, &size, sizeof(size));
	pb_flush(p, o);
}

static int put_section(struct hits *h, char **body, size_t *n)
{
	struct mem_out m;
	struct pb p = { 0 };
	int r;

	mem_out_init(&m);
	if (h->v.n)
		qsort(h->v.v, h->v.n, sizeof(*h->v.v), by_file);
	for (size_t i = 0, at = 0, end = 0; i < h->files.n; i++, at = end) {
		while (end < h->v.n && h->v.v[end].file == i)
			end++;
		put_file(&m.out, &p, &h->files.v[i], h->v.v + at, end - at);
	}
	mem_out_str(&m);
	r = m.out.error;
	if (!r) {
		*body = m.v;
		*n = m.n;
		m.v = NULL;
	}
	mem_out_deinit(&m);
	pb_deinit(&p);
	return r;
}

/* --- collect ------------------------------------------------------------------------------------------------- */

static void hits_deinit(struct hits *h)
{
	frames_deinit(&h->frames);
	map_deinit(&h->file_of);
	vec_free(&h->files);
	names_deinit(&h->known);
	vec_free(&h->v);
	session_close(&h->session);
	free(h);
}

int symbols_collect(char **body, size_t *n, const struct sys *sys, const char *path, const struct dsos *dsos,
		    struct err *e)
{
	/* Mangled names: the reader chooses how to show them. */
	struct session_want want = { .path = path, .mangled = true };
	struct hits *h = calloc(1, sizeof(*h));
	int r = h ? session_open(&h->session, sys, &want, e) : err_nomem(e);

	*n = 0;
	if (r) {
		free(h);
		return r;
	}
	h->sys = sys;
	h->dsos = dsos;
	session_unordered(&h->session);
	r = frames_init(&h->frames, &h->session) ? err_nomem(e) : read_all(h, e);
	if (!r && put_section(h, body, n))
		r = err_nomem(e);
	if (!r && h->replaced) {
		err_set(e, EEXIST, "code was made where other code had been: elsewhere all samples there have the last "
				   "name ('sonde inject -j', here, gives each its own)");
		e->code = 0;
	}
	hits_deinit(h);
	return r;
}
