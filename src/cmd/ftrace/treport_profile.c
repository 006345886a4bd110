/* treport_profile.c - report --profile: what each task of a recording did with its time. */
#include "cmd/ftrace/profile_view.h"
#include "cmd/ftrace/treport.h"

static const char *symbol(void *arg, uint64_t addr)
{
	struct kallsyms *k = treport_syms(arg);
	const struct sym *s = kallsyms_find(k, addr);

	return s ? kallsyms_name(k, s) : NULL;
}

static int feed(struct treport_file *f, struct profile_view *v, struct err *e)
{
	struct tdat_reader *reader = tdat_reader_new(&f->file.dat, -1, e);
	const struct tstream_stats *stats;
	struct tstream_rec rec;
	int r;

	if (!reader)
		return -ENOMEM;
	while ((r = tdat_reader_next(reader, &rec, e)) == 1) {
		if (f->want->only.some_cpus && !(rec.cpu < CPUS_MAX && cpus_has(&f->want->only.cpus, rec.cpu)))
			continue;
		rec.ts += (uint64_t)f->ts_add;
		if (profile_view_record(v, &rec)) {
			r = err_nomem(e);
			break;
		}
	}
	stats = tdat_reader_stats(reader);
	if (stats->gaps)
		cmd_note(f->c, "events were lost while recording, in %llu places", (unsigned long long)stats->gaps);
	input_bad_pages(f->c, f->input->path, stats->bad_pages);
	/* Show what could be read of a damaged recording. */
	if (r < 0 && r != -ENOMEM) {
		f->c->incomplete = true;
		cmd_note(f->c, "%s; what stands before was read", e->text);
		r = 0;
	}
	tdat_reader_free(reader);
	return r;
}

int treport_profile(struct treport_file *f, struct err *e)
{
	const struct treport_want *w = f->want;
	struct profile_view_want vw = {
		.hooks = &w->prof.hooks, .comms = &w->only.comms, .pids = &w->only.pids, .global = w->prof.global,
		.by_comm = w->prof.by_comm,
	};
	struct profile_view_source from = { .events = &f->events, .symbol = symbol, .arg = f };
	struct profile_view v;
	int r = profile_view_init(&v, &vw, &from, e);

	if (r)
		return r;
	r = feed(f, &v, e);
	if (!r)
		r = profile_view_print(&v, f->c, f->c->out, e);
	profile_view_deinit(&v);
	return r;
}
