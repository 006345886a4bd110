/* verb_mem.c - sonde ftrace mem: kernel memory by the functions that allocated it, of a recording, as trace-cmd mem. */
#include "analyse/memuse.h"
#include "base/sort.h"
#include "cmd/ftrace/treport.h"
#include "cmd/ftrace/verbs.h"

struct mem_want {
	const char *input;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct mem_want, input, "<file>", "recording to read (default trace.dat)"),
	OPT_END,
};

struct mem {
	struct treport_file f;
	struct memuse use;
	struct names places;         /* names of functions */
	uint64_t n;                  /* events that were counted */
};

/* Is it an allocation, with all fields that are counted? */
static bool takes(const struct tevent *ev)
{
	switch (ev->kind) {
	case KIND_KMALLOC:
	case KIND_KMALLOC_NODE:
	case KIND_KMEM_CACHE_ALLOC:
	case KIND_KMEM_CACHE_ALLOC_NODE:
		return ev->field[ALLOC_PTR] && ev->field[ALLOC_CALL_SITE] && ev->field[ALLOC_BYTES_REQ] &&
		       ev->field[ALLOC_BYTES_ALLOC];
	default:
		return false;
	}
}

static bool gives(const struct tevent *ev)
{
	return (ev->kind == KIND_KFREE || ev->kind == KIND_KMEM_CACHE_FREE) && ev->field[ALLOC_PTR];
}

static uint32_t place_of(struct mem *m, uint64_t address)
{
	struct kallsyms *k = treport_syms(&m->f);
	const struct sym *s = kallsyms_find(k, address);
	char hex[24];
	const char *name = hex;

	if (s)
		name = kallsyms_name(k, s);
	else
		snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)address);
	return names_add(&m->places, name, strlen(name));
}

static uint64_t value(const struct tevent *ev, enum tkind_alloc i, const struct tstream_rec *rec)
{
	return tfmt_value(ev->field[i], rec->raw, rec->n);
}

static int record(struct mem *m, const struct tstream_rec *rec)
{
	const struct tevent *ev = tevents_of(&m->f.events, rec->raw, rec->n);
	struct memuse_sum sum;
	uint32_t id;

	if (!ev || (!takes(ev) && !gives(ev)))
		return 0;
	m->n++;
	if (gives(ev)) {
		memuse_give(&m->use, value(ev, ALLOC_PTR, rec));
		return 0;
	}
	sum = (struct memuse_sum){ value(ev, ALLOC_BYTES_ALLOC, rec), value(ev, ALLOC_BYTES_REQ, rec) };
	id = place_of(m, value(ev, ALLOC_CALL_SITE, rec));
	return id == NAMES_NONE ? -ENOMEM : memuse_take(&m->use, id, value(ev, ALLOC_PTR, rec), sum);
}

static int read_all(struct mem *m, struct err *e)
{
	struct tdat_reader *r = tdat_reader_new(&m->f.file.dat, -1, e);
	struct tstream_rec rec;
	int got = r ? 1 : -e->code;

	while (r && (got = tdat_reader_next(r, &rec, e)) > 0)
		if (record(m, &rec)) {
			got = err_nomem(e);
			break;
		}
	if (r && tdat_reader_stats(r)->lost)
		cmd_note(m->f.c, "%llu events were lost while it was recorded",
			 (unsigned long long)tdat_reader_stats(r)->lost);
	if (r)
		input_bad_pages(m->f.c, m->f.input->path, tdat_reader_stats(r)->bad_pages);
	tdat_reader_free(r);
	if (!got && !m->n) {
		err_set(e, ENODATA, "the recording has no events of the kernel's memory");
		return err_hint(e, "record -e kmem:kmalloc -e kmem:kfree -e kmem:kmem_cache_alloc "
				   "-e kmem:kmem_cache_free");
	}
	return got;
}

static uint64_t waste(const struct memuse_sum *s)
{
	return s->alloc - s->req;
}

/* The greatest waste first, then by name. */
static int more_waste(const void *arg, uint32_t a, uint32_t b)
{
	const struct mem *m = arg;
	const struct memuse_place *x = &m->use.places.v[a], *y = &m->use.places.v[b];
	int64_t wx = (int64_t)waste(&x->now), wy = (int64_t)waste(&y->now);

	if (wx != wy)
		return wx > wy ? -1 : 1;
	return strcmp(names_str(&m->places, x->place), names_str(&m->places, y->place));
}

static void row(struct mem *m, const struct memuse_place *p)
{
	out_printf(m->f.c->out, "%32s\t%lld\t%lld\t%lld\t\t%8lld   %8lld\t\t%8lld   %8lld\t%lld\n",
		   names_str(&m->places, p->place), (long long)waste(&p->now), (long long)p->now.alloc,
		   (long long)p->now.req, (long long)p->total.alloc, (long long)p->total.req, (long long)p->most.alloc,
		   (long long)p->most.req, (long long)waste(&p->most));
}

static int show(struct mem *m, struct err *e)
{
	size_t n = m->use.places.n;
	uint32_t *order = calloc(2 * n + 1, sizeof(*order));

	if (!order)
		return err_nomem(e);
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	sort_u32(order, order + n, n, more_waste, m);
	out_str(m->f.c->out, "                Function            \tWaste\tAlloc\treq\t\tTotAlloc     TotReq\t\t"
			     "MaxAlloc     MaxReq\tMaxWaste\n"
			     "                --------            \t-----\t-----\t---\t\t--------     ------\t\t"
			     "--------     ------\t--------\n");
	for (size_t i = 0; i < n; i++)
		row(m, &m->use.places.v[order[i]]);
	free(order);
	return 0;
}

static int mem_verb(struct ctx *c, void *want, int argc, char **argv)
{
	const struct mem_want *w = want;
	const struct treport_want tw = { .n_inputs = 0 };
	const struct treport_input in = { .path = w->input ? w->input : argc ? argv[0] : "trace.dat" };
	struct mem m = { .n = 0 };
	struct err e = { 0 };
	int r;

	if (argc > 1 || (argc && w->input)) {
		err_set(&e, EINVAL, "what is '%s'? One recording is read", argv[argc - 1]);
		return cmd_usage(c, cmd_verb(verbs, "mem"), &e);
	}
	r = treport_open(&m.f, c, &tw, &in, &e);
	r = r ? r : read_all(&m, &e);
	r = r ? r : show(&m, &e);
	memuse_deinit(&m.use);
	names_deinit(&m.places);
	treport_close(&m.f);
	return r ? cmd_fail(c, &e) : cmd_finish(c, EXIT_DONE);
}

DEFINE_VERB(mem, "mem", .brief = "Show kernel memory allocations of a recording by function",
	    .synopsis = "[options] [<file>]",
	    .details = PACKED(
		       "Waste is allocated minus requested bytes. The first columns are what is still allocated at the "
		       "end, the next the total, the last the maximum at a time."),
	    .examples = PACKED(
			"sonde ftrace record -e kmem:kmalloc -e kmem:kfree -e kmem:kmem_cache_alloc -e "
				"kmem:kmem_cache_free ls\trecord\n"
			"sonde ftrace mem\tshow\n"),
	    .opts = opts, .want_size = sizeof(struct mem_want), .run = mem_verb);
