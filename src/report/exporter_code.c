/* exporter_code.c - export the instructions of sampled functions, module by module, those with most samples first. */
#include "report/exporter.h"

#include "report/code.h"

/* Limit of instructions for a module: each takes some hundred bytes of memory while the module is exported. */
enum { INSNS_MAX = 1 << 18 };

/* Limit for one function: its size in the symbol table may be wrong. */
enum { FUNC_BYTES_MAX = 1 << 18 };

struct part {
	struct exporter *p;
	const struct export_code *to;
	struct func_code *code;
	size_t insns;             /* of the module so far */
};

int exporter_code_take(struct exporter *p, const struct resolver_spaces *in, const struct chain_frame *f)
{
	const struct sym_loc *l = resolver_find_in(p->session->resolver, in, f->cpumode, f->ip);

	return l ? hits_add(&p->hits, l, 0, 1) : -ENOMEM;
}

static void plain(char *text)
{
	for (char *tab = text; (tab = strchr(tab, '\t')); )
		*tab = ' ';
}

static void put_insn(struct part *t, struct listing_line *line, const uint8_t *bytes)
{
	struct func_code *c = t->code;
	uint64_t size = cur_left(&c->bytes);
	char name[LISTING_NAME];
	struct sym_spot spot;
	struct export_insn i = {
		.addr = line->addr, .target = line->target, .bytes = { (const char *)bytes, line->len },
	};

	plain(line->text);
	i.text = sv_from(line->text);
	if (line->target && line->target - c->start >= size && code_name(c, line->target, name))
		i.target_name = name;
	if (code_line(c, line->addr, &spot)) {
		i.file = spot.file;
		i.line = spot.line;
	}
	t->to->insn(&t->p->x, &i);
	t->insns++;
}

static void put_insns(struct part *t)
{
	struct func_code *c = t->code;
	struct listing_want w = {
		.arch = t->p->session->arch, .addr = c->start, .code = c->bytes, .name = code_name, .arg = c,
		.marks = c->at.kernel ? NULL : code_marks(c),
	};
	struct listing_line line;
	struct listing l;

	listing_init(&l, &w);
	while (listing_next(&l, &line))
		put_insn(t, &line, c->bytes.pos + (line.addr - c->start));
}

static int put_func(struct part *t, uint32_t func)
{
	const struct hits_func *f = &t->p->hits.funcs.v[func];
	struct func_code code;
	struct err why = { 0 };
	int r;

	if (t->insns >= INSNS_MAX) {
		t->p->code.left_out++;
		return 0;
	}
	r = code_of(&code, t->p->session, f, &why);
	if (r == -ENOMEM)
		return r;
	if (r) {
		if (!t->p->code.missing++)
			t->p->code.why = why;
		return 0;
	}
	code.bytes = cur_from(code.bytes.pos, MIN(cur_left(&code.bytes), (size_t)FUNC_BYTES_MAX));
	t->code = &code;
	t->to->func(&t->p->x, &(struct export_code_func){ f->at.sym, code.start, cur_left(&code.bytes) });
	put_insns(t);
	code_deinit(&code);
	return 0;
}

static int put_module(struct exporter *p, const struct export_module *m, const uint32_t *order)
{
	struct part t = { .p = p, .to = p->want.format->code };
	bool begun = false;
	int r = 0;

	for (size_t i = 0; !r && i < p->hits.funcs.n; i++) {
		/* Paths are interned. */
		if (p->hits.funcs.v[order[i]].at.dso != m->path)
			continue;
		if (!begun)
			t.to->module(&p->x, m);
		begun = true;
		r = put_func(&t, order[i]);
	}
	return r || !begun ? r : t.to->end(&p->x);
}

int exporter_code_put(struct exporter *p)
{
	uint32_t *order = hits_order(&p->hits, 0);
	int r = order ? 0 : -ENOMEM;

	for (size_t i = 0; !r && i < p->modules.n && !p->x.out->error; i++)
		r = put_module(p, &p->modules.v[i], order);
	free(order);
	return r;
}
