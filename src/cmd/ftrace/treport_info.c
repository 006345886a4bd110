/* treport_info.c - what a recording holds besides its events. */
#include "cmd/ftrace/treport.h"

#include "base/sort.h"

static int by_name(const void *arg, uint32_t a, uint32_t b)
{
	const struct treport_file *f = arg;
	const struct tfmt *x = &f->events.list.v[a]->fmt, *y = &f->events.list.v[b]->fmt;
	int r = strcmp(x->system, y->system);

	return r ? r : strcmp(x->name, y->name);
}

static int list_events(struct treport_file *f, struct err *e)
{
	size_t n = f->events.list.n;
	uint32_t *v = malloc(2 * (n + 1) * sizeof(*v));

	if (!v)
		return err_nomem(e);
	for (size_t i = 0; i < n; i++)
		v[i] = (uint32_t)i;
	sort_u32(v, v + n, n, by_name, f);
	for (size_t i = 0; i < n; i++)
		out_printf(f->c->out, "%s:%s\n", f->events.list.v[v[i]]->fmt.system, f->events.list.v[v[i]]->fmt.name);
	free(v);
	return 0;
}

static struct sv format_name(struct sv text)
{
	struct sv line, rest = text;

	sv_cut(&rest, '\n', &line);
	if (!sv_starts(line, "name: "))
		return (struct sv){ 0 };
	return (struct sv){ line.s + 6, line.n - 6 };
}

/*
 * Print the formats of all events in the file's order, without ftrace's own as trace-cmd does; or, of --event, those
 * that the regular expression matches: "system:event", or either name.
 */
static int list_formats(struct treport_file *f, struct err *e)
{
	struct sv rest = sv_from(f->want->format_of ? f->want->format_of : ""), sys = { 0 }, last = { 0 };
	bool both = memchr(rest.s, ':', rest.n) != NULL;
	struct rex re, re_sys;
	int r;

	if (both)
		sv_cut(&rest, ':', &sys);
	r = rex_init(&re, &f->arena, rest, e);
	if (!r)
		r = rex_init(&re_sys, &f->arena, both ? sys : rest, e);
	for (size_t i = 0; !r && i < f->file.dat.blob.formats.n; i++) {
		const struct tblob_format *t = &f->file.dat.blob.formats.v[i];
		bool s = rex_match(&re_sys, t->system), n = rex_match(&re, format_name(t->text));

		if (f->want->format_of ? (both ? !s || !n : !s && !n) : sv_eq(t->system, "ftrace"))
			continue;
		if (t->system.n != last.n || memcmp(t->system.s, last.s, last.n))
			out_printf(f->c->out, "\nsystem: %.*s\n", (int)MIN(t->system.n, 200u), t->system.s);
		last = t->system;
		out_sv(f->c->out, t->text);
		out_char(f->c->out, '\n');
	}
	return r;
}

static int check_events(struct treport_file *f)
{
	unsigned bad = f->events.bad;

	for (size_t i = 0; i < f->events.list.n; i++) {
		struct tevent *ev = f->events.list.v[i];
		const struct tprint *p = tevents_print(&f->events, ev);

		if (!p || tprint_state(p) != TPRINT_FIELDS)
			continue;
		bad++;
		cmd_note(f->c, "%s:%s: %s", ev->fmt.system, ev->fmt.name, tprint_reason(p));
	}
	return bad ? EXIT_FAILED : EXIT_DONE;
}

static void list_functions(struct treport_file *f)
{
	const struct kallsyms *k = treport_syms(f);

	for (size_t i = 0; i < k->table.syms.n; i++) {
		const struct sym *s = &k->table.syms.v[i];
		const char *module = kallsyms_module(k, s);

		out_printf(f->c->out, "%016llx %s%s%s%s\n", (unsigned long long)s->addr, kallsyms_name(k, s),
			   module ? " [" : "", module ? module : "", module ? "]" : "");
	}
}

static int by_address(const void *arg, uint32_t a, uint32_t b)
{
	const struct map *m = arg;

	return m->slot[a].key < m->slot[b].key ? -1 : 1;
}

static int list_printk(struct treport_file *f, struct err *e)
{
	const struct map *m = &f->events.printk;
	uint32_t *v = malloc(2 * (m->n + 1) * sizeof(*v)), n = 0;

	if (!v)
		return err_nomem(e);
	for (size_t i = 0; i < m->cap; i++)
		if (m->used[i])
			v[n++] = (uint32_t)i;
	sort_u32(v, v + m->n, n, by_address, m);
	for (uint32_t i = 0; i < n; i++)
		out_printf(f->c->out, "%016llx %s\n", (unsigned long long)m->slot[v[i]].key,
			   (const char *)(uintptr_t)m->slot[v[i]].val);
	free(v);
	return 0;
}

/* CPUs with data, and the time of their first or last event. */
static int list_cpus(struct treport_file *f, struct err *e)
{
	struct out *o = f->c->out;
	struct cpus has = { 0 };
	uint64_t *first = calloc(2 * CPUS_MAX, sizeof(*first)), *last = first + CPUS_MAX;
	struct tdat_reader *r = first ? tdat_reader_new(&f->file.dat, 0, e) : NULL;
	struct tstream_rec rec;
	int ret = r ? 1 : first ? -e->code : err_nomem(e);

	while (ret > 0 && (ret = tdat_reader_next(r, &rec, e)) > 0) {
		if (rec.cpu >= CPUS_MAX)
			continue;
		if (!cpus_has(&has, rec.cpu))
			first[rec.cpu] = rec.ts;
		cpus_set(&has, rec.cpu);
		last[rec.cpu] = rec.ts;
	}
	if (!ret)
		out_printf(o, "List of CPUs in %s with data:\n", f->input->path);
	for (int cpu = 0; !ret && (cpu = cpus_next(&has, (unsigned)cpu)) >= 0; cpu++) {
		out_printf(o, "  %d", cpu);
		for (int k = 0; k < 2; k++) {
			if (!(f->want->info & (k ? TREPORT_LAST : TREPORT_FIRST)))
				continue;
			out_str(o, k ? "\tLast event:" : "\tFirst event:");
			rtext_time(f->text, (k ? last : first)[cpu], o);
		}
		out_char(o, '\n');
	}
	if (r)
		input_bad_pages(f->c, f->input->path, tdat_reader_stats(r)->bad_pages);
	tdat_reader_free(r);
	free(first);
	return ret;
}

static void put_options(struct treport_file *f, enum tdat_option_id id)
{
	for (size_t i = 0; i < f->file.dat.options.n; i++) {
		const struct tdat_option *x = &f->file.dat.options.v[i];
		struct sv s = x->data;
		const char *nul = s.n ? memchr(s.s, 0, s.n) : NULL;

		if (x->id != id)
			continue;
		s.n = nul ? (size_t)(nul - s.s) : s.n;
		out_sv(f->c->out, s);
		out_char(f->c->out, '\n');
	}
}

static void put_places(const struct tdat_buffer *b, struct out *o)
{
	out_char(o, '\n');
	for (size_t i = 0; i < b->cpus.n; i++)
		out_printf(o, "CPU%u data recorded at offset=0x%llx\n    %llu bytes in size\n", b->cpus.v[i].cpu,
			   (unsigned long long)b->cpus.v[i].off, (unsigned long long)b->cpus.v[i].size);
}

static const char *endian(bool big)
{
	return big ? "big" : "little";
}

static void ends(struct treport_file *f)
{
	unsigned info = f->want->info;
	struct out *o = f->c->out;

	if (!(info & (TREPORT_STAT | TREPORT_UNAME | TREPORT_VERSION)))
		return;
	out_printf(o, "cpus=%u\n", f->file.dat.ncpus);
	if (info & TREPORT_STAT) {
		out_str(o, "\nKernel buffer statistics:\n"
			   "  Note: \"entries\" are the entries left in the kernel ring buffer and are not\n"
			   "        recorded in the trace data. They should all be zero.\n\n");
		put_options(f, TDAT_CPUSTAT);
		if (f->file.dat.buffers.n)
			put_places(&f->file.dat.buffers.v[0], o);
	}
	if (info & TREPORT_UNAME)
		put_options(f, TDAT_UNAME);
	if (info & (TREPORT_UNAME | TREPORT_VERSION))
		put_options(f, TDAT_VERSION);
}

int treport_info(struct treport_file *f, struct err *e)
{
	unsigned info = f->want->info;
	struct out *o = f->c->out;
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	int r = 0;

	if (info & TREPORT_ENDIAN)
		out_printf(o, "file is %s endian and host is %s endian\n", endian(big != f->file.dat.blob.machine.swap),
			   endian(big));
	if (info & TREPORT_PAGE_SIZE)
		out_printf(o, "file page size is %u, and host page size is %ld\n", f->file.dat.blob.page_size,
			   f->c->sys->page_size(f->c->sys));
	if (info & TREPORT_FORMATS || f->want->format_of)
		r = list_formats(f, e);
	if (!r && info & TREPORT_EVENTS)
		r = list_events(f, e);
	if (info & TREPORT_FUNCTIONS)
		list_functions(f);
	if (!r && info & TREPORT_PRINTK)
		r = list_printk(f, e);
	if (!r && info & (TREPORT_CPUS | TREPORT_FIRST | TREPORT_LAST))
		r = list_cpus(f, e);
	ends(f);
	return r ? r : info & TREPORT_CHECK ? check_events(f) : EXIT_DONE;
}
