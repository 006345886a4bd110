/* prof_breakpoint.c - sonde prof breakpoint: which code accesses an address, and what it writes. */
#include "engine/line.h"
#include "prof/stacks.h"
#include "source/code.h"

struct want {
	struct prof_want prof;
	const char *filter;
	bool regs;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Accesses"),
	OPT_STR(0, "filter", struct want, filter, "<expr>", "only if this is true: data is the written value"),
	OPT_FLAG(0, "regs", struct want, regs, "print the registers"),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

struct breakpoint {
	struct prof_stacks stacks;
	const struct texpr *filter;
	struct arch_store store;         /* of the current hit, for the filter */
	uint64_t undecoded, chosen, seen;
};

/* <addr>[/len][:rwx] */
static int add(struct prof *p, const char *word, struct err *e)
{
	struct sv rest = sv_from(word), addr, len = { 0 }, access = { "w", 1 };
	char text[80];
	uint64_t v, n = 1;
	const char *colon = strchr(word, ':'), *slash = strchr(word, '/');

	if (colon)
		access = sv_from(colon + 1);
	if (slash && (!colon || slash < colon))
		len = (struct sv){ slash + 1, (size_t)((colon ? colon : word + rest.n) - slash - 1) };
	addr = (struct sv){ word, strcspn(word, "/:") };
	if (!str_u64(addr, 0, &v) || (len.s && (!str_u64(len, 10, &n) || (n != 1 && n != 2 && n != 4 && n != 8))) ||
	    !access.n || strspn(access.s, "rwx") != access.n) {
		err_set(e, EINVAL, "'%s' is no address to watch", word);
		return err_hint(e, "0x7ffd8c7dae28/8:w is: 1, 2, 4 or 8 bytes, for r, w, rw or x");
	}
	if (sv_eq(access, "x"))
		snprintf(text, sizeof(text), "mem:0x%llx:x", (unsigned long long)v);
	else
		snprintf(text, sizeof(text), "mem:0x%llx/%llu:%.*s", (unsigned long long)v, (unsigned long long)n,
			 (int)access.n, access.s);
	return specs_add_event(&p->specs, text, e);
}

static int prepare(struct prof *p, struct err *e)
{
	int r = 0;

	if (p->specs.v.n)
		return err_set(e, EINVAL, "breakpoint watches addresses: no -e");
	if (prof_want(p)->key)
		return err_set(e, EINVAL, "-k: breakpoint has no keys");
	while (!r && p->argc && **p->argv >= '0' && **p->argv <= '9') {
		r = add(p, *p->argv, e);
		p->argc--;
		p->argv++;
	}
	if (p->argc && !strcmp(*p->argv, "--")) {
		p->argc--;
		p->argv++;
	}
	if (!r && !p->specs.v.n) {
		err_set(e, EINVAL, "which address? 0x7ffd8c7dae28/8:w");
		return err_hint(e, "of a variable: nm PROGRAM, or /proc/kallsyms");
	}
	return r;
}

/* The written value is in registers, which only some architectures report before the write. */
static int check(const struct prof *p, const struct want *w, struct err *e)
{
	const struct session *s = &p->feed.session;
	uint64_t regs = 0;

	for (size_t i = 0; i < s->head->events.n; i++)
		regs |= s->head->events.v[i].layout.regs_intr;
	if (w->filter && (!s->arch || !arch_store_of(s->arch)))
		return err_set(e, EOPNOTSUPP, "--filter: what is written is known on arm64 alone");
	if (regs || !(w->filter || w->regs))
		return 0;
	err_set(e, EINVAL, "%s has no registers of its events", s->path);
	return err_hint(e, "sonde record --intr-regs -e mem:ADDR/4:w takes them");
}

static int begin(struct prof *p, struct err *e)
{
	static const char *const names[] = { "data" };
	const struct want *w = p->want;
	struct breakpoint *b = p->own;
	int r = w->filter ? expr_compile_names(&b->filter, names, 1, &p->feed.arena, w->filter, e) : 0;

	r = r ? r : check(p, w, e);
	return r ? r : prof_stacks_open(&b->stacks, p, e);
}

/* Find the value about to be written, from the instruction and the registers. */
static bool written(struct prof *p, const struct hit *h, struct arch_store *s)
{
	const struct session *session = &p->feed.session;
	arch_store_fn *decode = session->arch ? arch_store_of(session->arch) : NULL;
	struct resolver_spaces in = resolver_spaces(session->resolver, h->pid, h->time);
	struct cursor regs = cur_from(h->sample->intr_regs.p, h->sample->intr_regs.n);
	uint64_t v[64] = { 0 };
	struct bytes insn;

	*s = (struct arch_store){ 0 };
	if (!decode || h->sample->cpumode != PERF_MISC_USER || !(h->perf->attr.bp_type & 2))
		return false;
	regs.swap = h->perf->layout.swap;
	for (unsigned i = 0; i < 64; i++)
		if (h->perf->layout.regs_intr >> i & 1)
			v[i] = cur_u64(&regs);
	insn = code_insn(session, &in, h->sample->ip);
	return !regs.bad && decode(insn.p, insn.n, v, h->perf->attr.config1, s);
}

static void put_regs(const struct prof *p, const struct hit *h, struct out *o)
{
	const struct arch *a = p->feed.session.arch;
	struct cursor regs = cur_from(h->sample->intr_regs.p, h->sample->intr_regs.n);
	unsigned column = 0;

	regs.swap = h->perf->layout.swap;
	for (unsigned i = 0; a && i < 64; i++) {
		if (!(h->perf->layout.regs_intr >> i & 1))
			continue;
		out_printf(o, "%s%6s ", column % 3 ? "" : "   ", i < a->n_regs ? a->regs[i].name : "?");
		out_zero_hex(o, cur_u64(&regs), 16);
		out_char(o, ++column % 3 ? ' ' : '\n');
	}
	if (column % 3)
		out_char(o, '\n');
}

static void put_access(struct prof *p, const struct hit *h, const struct arch_store *s, bool known, struct out *o)
{
	const struct sym_loc *l = resolver_find(p->feed.session.resolver, h->pid, h->sample->cpumode, h->sample->ip);

	line_place(&p->feed, h, o);
	if (known)
		out_printf(o, "data %lld (%u bytes)%s ", (long long)s->value, s->size,
			   s->may_fail ? ", unless it fails," : "");
	out_zero_hex(o, h->sample->ip, 16);
	if (l)
		out_printf(o, "%s%s (%s)", l->sym ? " " : "", l->sym ? l->sym : "", l->dso_short);
	out_char(o, '\n');
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	const struct want *w = p->want;
	struct breakpoint *b = p->own;
	bool known = written(p, h, &b->store);
	uint32_t stack;

	b->seen++;
	b->undecoded += !known && h->perf->attr.bp_type & 2;
	p->feed.expr.values = &b->store.value;
	if (b->filter && (!known || !expr_number(&p->feed.expr, b->filter, h, 0)))
		return 0;
	b->chosen++;
	stack = callers_of(&b->stacks.callers, h);
	if (stack == CALLTREE_NONE)
		return -ENOMEM;
	if (b->stacks.flame)
		return prof_stacks_draw(&b->stacks, p, stack, h->tid, 1);
	put_access(p, h, &b->store, known, p->feed.expr.out);
	if (w->regs)
		put_regs(p, h, p->feed.expr.out);
	if (stack)
		callers_put(&b->stacks.callers, stack, p->feed.expr.out);
	return 0;
}

static int show(struct prof *p, bool last, struct out *o UNUSED, struct err *e)
{
	struct breakpoint *b = p->own;
	char line[120];

	if (last && !prof_want(p)->form.quiet) {
		snprintf(line, sizeof(line), "%llu accesses, %llu shown; of %llu it is not known what they write",
			 (unsigned long long)b->seen, (unsigned long long)b->chosen, (unsigned long long)b->undecoded);
		p->how->note(p->how->arg, line);
	}
	return prof_stacks_show(&b->stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct breakpoint *b = p->own;

	prof_stacks_close(&b->stacks);
}

DEFINE_PROF(breakpoint) = {
	.cmd = {
		.name = "breakpoint", .family = "prof",
		.brief = "Trace reads, writes or execution of an address",
		.synopsis = "[-g] [options] <addr>[/1/2/4/8][:rwx] ... [-- command [arguments]]",
		.details = PACKED(
			"Uses hardware breakpoints; default is one byte, writes only. On arm64 the value that user "
			"code is about to write is decoded from the instruction and the registers."),
		.examples = PACKED(
			"sonde prof breakpoint 0x7ffd8c7dae28/8:w -p 2347 -g\twrites, with call chains\n"
			"sonde prof breakpoint --filter 'data > 100' 0x4a1020/4:w -- ./prog\tonly large values\n"
			"sonde prof breakpoint --regs -N 1 0xffff800081234568/4:rw\ta kernel address, with registers"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct breakpoint), .prepare = prepare, .begin = begin, .hit = hit, .show = show, .close = close,
	.lines = true, .sample = PERF_SAMPLE_REGS_INTR,
};
