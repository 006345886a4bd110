/* synth_bpf.c - make KSYMBOL and BPF_EVENT records for loaded BPF programs. */
#include "record/synth.h"

#include "abi/bpf.h"
#include "image/kallsyms_text.h"
#include "obj/types/btf.h"
#include "sys/bpf.h"

enum {
	FUNCTIONS_MAX = 4096,     /* of a program; the kernel lets it have 256 */
	TYPES_MAX = 16 << 20,     /* bytes of a program's BTF, the kernel's limit */
	SYMBOL_MAX = 512,         /* KSYM_NAME_LEN */
};

struct walk {
	struct synth *s;
	const struct bpf *bpf;
	enum synth_bpf what;
};

/* A program's info, and the arrays to which it points. */
struct program {
	struct bpf_prog about;
	uint32_t n, func_size;    /* number of functions, and bytes of a func_info entry */
	uint64_t *addr;
	uint32_t *len;
	uint8_t (*tag)[BPF_TAG];
	uint8_t *funcs;           /* NULL: it has no BTF */
	void *types;
	struct btf *btf;
};

static int info(const struct walk *w, int fd, void *to, size_t n)
{
	struct bpf_ask ask = { .fd = (uint32_t)fd, .size = (uint32_t)n, .info = (uintptr_t)to };

	return w->bpf->call(w->bpf, BPF_INFO_BY_FD, &ask, sizeof(ask));
}

/* Open an object by its id: a descriptor, or -errno. */
static int open_id(const struct walk *w, enum bpf_cmd cmd, uint32_t id)
{
	struct { uint32_t id, next, flags; } by = { .id = id };

	return w->bpf->call(w->bpf, cmd, &by, sizeof(by));
}

/* Is the info consistent? Each function must have an address, a length and a tag, and with BTF a type. */
static bool is_whole(const struct bpf_prog *p)
{
	bool typed = p->btf_id && p->n_funcs && p->func_size;

	return p->n_ksyms && p->n_ksyms <= FUNCTIONS_MAX && p->n_lens == p->n_ksyms && p->n_tags == p->n_ksyms &&
	       (!typed || (p->n_funcs == p->n_ksyms && p->func_size >= sizeof(struct bpf_func) &&
			   p->func_size <= 64 * sizeof(struct bpf_func)));
}

static int read_types(const struct walk *w, struct program *p)
{
	struct bpf_btf t = { 0 };
	int fd = open_id(w, BPF_BTF_FD_BY_ID, p->about.btf_id), r;

	if (fd < 0)
		return fd;
	r = info(w, fd, &t, sizeof(t));
	if (!r && t.size && t.size <= TYPES_MAX && (p->types = malloc(t.size))) {
		t = (struct bpf_btf){ .bytes = (uintptr_t)p->types, .size = t.size };
		r = info(w, fd, &t, sizeof(t));
		p->btf = r ? NULL : btf_new(p->types, t.size, NULL, NULL);
	}
	w->s->sys->close(w->s->sys, fd);
	return p->btf ? 0 : -EBADMSG;
}

/* Read a program's info: 0 or -errno. */
static int read_program(const struct walk *w, int fd, struct program *p)
{
	struct bpf_prog first = { 0 }, *a = &p->about;
	int r = info(w, fd, &first, sizeof(first));

	if (r || !is_whole(&first))
		return r ? r : -EBADMSG;

	uint32_t n = p->n = first.n_ksyms;

	p->addr = calloc(n, sizeof(*p->addr));
	p->len = calloc(n, sizeof(*p->len));
	p->tag = calloc(n, sizeof(*p->tag));
	*a = (struct bpf_prog){
		.n_ksyms = n, .n_lens = n, .n_tags = n, .ksyms = (uintptr_t)p->addr, .lens = (uintptr_t)p->len,
		.tags = (uintptr_t)p->tag,
	};
	if (first.btf_id && first.n_funcs && first.func_size) {
		p->func_size = a->func_size = first.func_size;
		p->funcs = calloc(n, p->func_size);
		a->n_funcs = n;
		a->funcs = (uintptr_t)p->funcs;
	}
	if (!p->addr || !p->len || !p->tag || (a->n_funcs && !p->funcs))
		return -ENOMEM;
	r = info(w, fd, a, sizeof(*a));
	return r || !p->funcs ? r : read_types(w, p);
}

static void program_deinit(struct program *p)
{
	btf_free(p->btf);
	free(p->types);
	free(p->funcs);
	free(p->tag);
	free(p->len);
	free(p->addr);
}

/* The part of the symbol's name behind the tag. */
static struct sv function_name(const struct program *p, uint32_t i)
{
	const struct bpf_prog *a = &p->about;
	struct bpf_func f;

	if (p->btf) {
		memcpy(&f, p->funcs + (size_t)i * p->func_size, sizeof(f));
		return btf_func_name(p->btf, f.type);
	}
	return p->n > 1 ? SV("F") : (struct sv){ a->name, strnlen(a->name, sizeof(a->name)) };
}

static void put_function(const struct walk *w, const struct program *p, uint32_t i)
{
	struct sv name = function_name(p, i);
	char text[SYMBOL_MAX];
	size_t n = (size_t)snprintf(text, sizeof(text), "bpf_prog_");

	/* Addresses are hidden, or the program is interpreted. */
	if (!p->addr[i] || !p->len[i])
		return;
	for (size_t k = 0; k < BPF_TAG; k++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%02x", p->tag[i][k]);
	if (name.n)
		snprintf(text + n, sizeof(text) - n, "_%.*s", (int)MIN(name.n, sizeof(text)), name.s);
	perf_write_ksymbol(w->s->out, &w->s->id, &(struct perf_write_ksymbol){
		.addr = p->addr[i], .len = p->len[i], .type = PERF_KSYMBOL_BPF, .name = text });
}

static void put_program(const struct walk *w, int fd)
{
	struct program p = { 0 };

	if (!read_program(w, fd, &p)) {
		for (uint32_t i = 0; i < p.n; i++)
			put_function(w, &p, i);
		if (w->what == SYNTH_BPF_EVENTS)
			perf_write_bpf_load(w->s->out, &w->s->id, p.about.id, p.about.tag);
	}
	program_deinit(&p);
}

/* Write trampolines, which kallsyms has: no program owns them. Each has a page. */
static void put_images(const struct walk *w)
{
	const struct sys *sys = w->s->sys;
	struct kallsyms_line l;
	char *text, name[SYMBOL_MAX];
	size_t n;

	if (sys_read_all(sys, "/proc/kallsyms", KALLSYMS_TEXT_MAX, &text, &n, NULL))
		return;
	for (struct sv rest = { text, n }; kallsyms_next(&rest, &l); ) {
		if (!l.addr || !sv_eq(l.module, "bpf") ||
		    !(sv_starts(l.name, "bpf_trampoline_") || sv_starts(l.name, "bpf_dispatcher_")))
			continue;
		str_copy(name, sizeof(name), l.name);
		perf_write_ksymbol(w->s->out, &w->s->id, &(struct perf_write_ksymbol){
			.addr = l.addr, .len = (uint32_t)sys->page_size(sys), .type = PERF_KSYMBOL_BPF, .name = name });
	}
	free(text);
}

void synth_bpf(struct synth *s, const struct bpf *bpf, enum synth_bpf what)
{
	struct walk w = { .s = s, .bpf = bpf, .what = what };
	struct { uint32_t id, next, flags; } at = { 0 };
	bool any = false;

	while (!bpf->call(bpf, BPF_PROG_NEXT_ID, &at, sizeof(at)) && at.next > at.id) {
		int fd = open_id(&w, BPF_PROG_FD_BY_ID, at.next);

		any = true;
		at.id = at.next;
		/* It was unloaded meanwhile. */
		if (fd < 0)
			continue;
		put_program(&w, fd);
		s->sys->close(s->sys, fd);
	}
	if (any && what != SYNTH_BPF_PROGRAMS)
		put_images(&w);
}
