/* verb_dump.c - sonde ftrace dump: what a trace.dat holds besides its events, as trace-cmd dump prints it. */
#include "cmd/ftrace/input.h"
#include "cmd/ftrace/loglevel.h"
#include "cmd/ftrace/verbs.h"

struct dump_want {
	const char *input;
	bool validate, all, summary, head_page, head_event, ftrace_events, systems, events, kallsyms, printk, cmd_lines;
	bool options, flyrecord, clock, sections, strings;
	enum loglevel loglevel;
};

#define PART(name, field, text) OPT_FLAG(0, name, struct dump_want, field, text)

static const struct opt opts[] = {
	OPT_STR('i', NULL, struct dump_want, input, "<file>", "recording to read (default trace.dat)"),
	OPT_FLAG('v', "validate", struct dump_want, validate, "only check that it is a trace.dat"),
	PART("summary", summary, "print a summary (default)"),
	PART("all", all, "print everything"),
	PART("head-page", head_page, "format of the sub-buffer header"),
	PART("head-event", head_event, "format of the event header"),
	PART("ftrace-events", ftrace_events, "formats of ftrace's own events"),
	PART("systems", systems, "systems, and how many events of each"),
	PART("events", events, "formats of all events"),
	PART("kallsyms", kallsyms, "addresses of functions"),
	PART("printk", printk, "formats of trace_printk"),
	PART("cmd-lines", cmd_lines, "names of threads"),
	PART("options", options, "the options"),
	PART("flyrecord", flyrecord, "where the data of each CPU is"),
	PART("clock", clock, "the trace clock"),
	PART("sections", sections, "version 7: where each section is, and its size"),
	PART("strings", strings, "version 7: names of sections"),
	OPT_LOGLEVEL(0, struct dump_want, loglevel),
	OPT_END,
};

struct dump {
	struct out *o;
	const struct dump_want *w;
	const struct tdat *d;
	struct sv names;         /* names of sections, each with a NUL */
};

/* Print "\t[Title, N unit]" for the summary or if wanted, and, if wanted, the text. */
static void part(const struct dump *x, bool wanted, const char *title, size_t n, const char *unit, struct sv text)
{
	if (x->w->summary || wanted)
		out_printf(x->o, "\t[%s, %zu %s]\n", title, n, unit);
	if (!wanted)
		return;
	out_sv(x->o, text);
	if (!text.n || text.s[text.n - 1] != '\n')
		out_char(x->o, '\n');
}

static void head(const struct dump *x)
{
	const struct tdat *d = x->d;
	/* In version 7 the compressor's name and version follow the page size. */
	size_t at = 10 + d->blob.version.n + 1 + 6;
	struct sv rest = at < d->bytes.n ? (struct sv){d->bytes.s + at, MIN(d->bytes.n - at, 200u)} : SV(""), name,
		  version;

	out_printf(x->o,
		   "\t[Initial format]\n\t\t%u\t[Version]\n\t\t%d\t[%s endian]\n\t\t%u\t[Bytes in a "
		   "long]\n\t\t%u\t[Page size, bytes]\n",
		   d->version, d->blob.machine.swap, d->bytes.n > at - 6 && d->bytes.s[at - 6] ? "Big" : "Little",
		   (unsigned)d->blob.machine.long_size, d->blob.page_size);
	if (d->version >= 7 && sv_cut(&rest, '\0', &name) && sv_cut(&rest, '\0', &version))
		out_printf(x->o, "\t\t%.*s\t[Compression algorithm]\n\t\t%.*s\t[Compression version]\n", (int)name.n,
			   name.s, (int)version.n, version.s);
}

static bool is_ftrace(const struct tblob_format *f)
{
	return sv_eq(f->system, "ftrace");
}

static void formats(const struct dump *x)
{
	const struct tdat *d = x->d;
	size_t own = 0, systems = 0, n = 0;

	for (size_t i = 0; i < d->blob.formats.n; i++) {
		const struct tblob_format *f = &d->blob.formats.v[i];

		own += is_ftrace(f);
		systems += !is_ftrace(f) &&
			   (!i || f->system.n != f[-1].system.n || memcmp(f->system.s, f[-1].system.s, f->system.n));
	}
	if (x->w->summary || x->w->ftrace_events)
		out_printf(x->o, "\t[Ftrace format, %zu events]\n", own);
	for (size_t i = 0; x->w->ftrace_events && i < own; i++)
		out_sv(x->o, d->blob.formats.v[i].text);
	if (x->w->summary || x->w->events || x->w->systems)
		out_printf(x->o, "\t[Events format, %zu systems]\n", systems);
	for (size_t i = own; i < d->blob.formats.n; i++) {
		const struct tblob_format *f = &d->blob.formats.v[i];
		bool last = i + 1 == d->blob.formats.n || f->system.n != f[1].system.n ||
			    memcmp(f->system.s, f[1].system.s, f->system.n);

		n++;
		if (x->w->systems && last)
			out_printf(x->o, "\t\t%.*s %zu [system, events]\n", (int)MIN(f->system.n, 100u), f->system.s,
				   n);
		n = last ? 0 : n;
		if (x->w->events)
			out_sv(x->o, f->text);
	}
}

/* --- options --- */

struct option_name {
	const char *name;
	enum { IS_TEXT, IS_NUMBER, IS_HEX, IS_OFFSET, IS_BYTES } kind;
};

static const struct option_name option_names[] = {
	[TDAT_DATE] = { "DATE", IS_TEXT },	     [TDAT_CPUSTAT] = { "CPUSTAT", IS_TEXT },
	[TDAT_BUFFER] = { "BUFFER", IS_BYTES },	     [TDAT_TRACECLOCK] = { "TRACECLOCK", IS_TEXT },
	[TDAT_UNAME] = { "UNAME", IS_TEXT },	     [TDAT_HOOK] = { "HOOK", IS_TEXT },
	[TDAT_OFFSET] = { "OFFSET", IS_TEXT },	     [TDAT_CPUCOUNT] = { "CPUCOUNT", IS_NUMBER },
	[TDAT_VERSION] = { "VERSION", IS_TEXT },     [TDAT_PROCMAPS] = { "PROCMAPS", IS_TEXT },
	[TDAT_TRACEID] = { "TRACEID", IS_HEX },	     [TDAT_TIME_SHIFT] = { "TIME SHIFT", IS_BYTES },
	[TDAT_GUEST] = { "GUEST", IS_BYTES },	     [TDAT_TSC2NSEC] = { "TSC2NSEC", IS_BYTES },
	[TDAT_STRINGS] = { "STRINGS", IS_OFFSET },   [TDAT_HEADER_INFO] = { "HEADERS", IS_OFFSET },
	[TDAT_FTRACE_EVENTS] = { "FTRACE EVENTS", IS_OFFSET }, [TDAT_EVENT_FORMATS] = { "EVENT FORMATS", IS_OFFSET },
	[TDAT_KALLSYMS] = { "KALLSYMS", IS_OFFSET }, [TDAT_PRINTK] = { "PRINTK", IS_OFFSET },
	[TDAT_CMDLINES] = { "CMDLINES", IS_OFFSET }, [TDAT_BUFFER_TEXT] = { "BUFFER TEXT", IS_BYTES },
	[TDAT_BTF_FILE] = { "BTF FILE", IS_OFFSET },  [TDAT_LAST_BOOT] = { "LAST BOOT", IS_TEXT },
	[TDAT_MODULES] = { "MODULES", IS_OFFSET },
};

static uint64_t number(const struct dump *x, struct sv data)
{
	struct cursor c = cur_from(data.s, data.n);

	c.swap = x->d->blob.machine.swap;
	return data.n >= 8 ? cur_u64(&c) : cur_u32(&c);
}

static void option(const struct dump *x, const struct tdat_option *opt)
{
	bool known = opt->id < ARRAY_SIZE(option_names) && option_names[opt->id].name;
	const struct option_name *name = &option_names[known ? opt->id : 0];
	struct sv text = sv_trim((struct sv){ opt->data.s, strnlen(opt->data.s ? opt->data.s : "", opt->data.n) });

	if (!known) {
		out_printf(x->o, "\t\t[Option %u, %zu bytes]\n", opt->id, opt->data.n);
		return;
	}
	out_printf(x->o, "\t\t[Option %s, %zu bytes]", name->name, opt->data.n);
	if (name->kind == IS_OFFSET) {
		out_printf(x->o, " @ %llu\n", (unsigned long long)number(x, opt->data));
		return;
	}
	out_char(x->o, '\n');
	if (name->kind == IS_BYTES)
		return;
	if (name->kind == IS_TEXT)
		out_sv(x->o, text);
	else
		out_printf(x->o, name->kind == IS_HEX ? "0x%llX" : "%llu", (unsigned long long)number(x, opt->data));
	out_char(x->o, '\n');
}

static void options(const struct dump *x)
{
	if (x->w->summary || x->w->options)
		out_printf(x->o, "\t[%zu options]\n", x->d->options.n);
	for (size_t i = 0; x->w->options && i < x->d->options.n; i++)
		option(x, &x->d->options.v[i]);
}

/* --- sections --- */

static void strings(const struct dump *x)
{
	struct sv rest = x->names, name;

	out_str(x->o, "\t[String @ offset]\n");
	while (sv_cut(&rest, '\0', &name))
		if (name.n || rest.n)
			out_printf(x->o, "\t\t\"%.*s\" @ %zu\n", (int)MIN(name.n, 200u), name.s,
				   (size_t)(name.s - x->names.s));
}

static void section(const struct dump *x, const struct tdat_section *s)
{
	const char *name = s->name < x->names.n ? x->names.s + s->name : "";
	int n = (int)strnlen(name, MIN(x->names.n - MIN(s->name, x->names.n), (size_t)200));
	bool rings = s->id == TDAT_BUFFER || s->id == TDAT_BUFFER_TEXT;

	out_printf(x->o, "\t[Section %2u @ %-16llu\t\"%.*s\", flags 0x%X, ", s->id, (unsigned long long)s->at,
		   n ? n : 7, n ? name : "Unknown", s->flags);
	if (s->unpacked)
		out_printf(x->o, "%llu compressed, %llu uncompressed]\n", (unsigned long long)s->n - 8,
			   (unsigned long long)s->unpacked);
	else
		out_printf(x->o, "%llu %sbytes]\n", (unsigned long long)s->n,
			   s->flags & 1 && rings ? "compressed " : "");
}

static void sections(const struct dump *x)
{
	uint64_t off = x->d->sections;
	struct tdat_section s;
	size_t n = 0;

	for (; tdat_next_section(x->d, &off, &s); n++)
		if (x->w->sections)
			section(x, &s);
	out_printf(x->o, "\t[%zu sections]\n", n);
	if (off && off < x->d->bytes.n)
		out_printf(x->o, "\t[cut or damaged @ %llu]\n", (unsigned long long)off);
}

/* --- data --- */

static void buffers(const struct dump *x)
{
	for (size_t i = 0; i < x->d->buffers.n; i++) {
		const struct tdat_buffer *b = &x->d->buffers.v[i];
		uint64_t bytes = 0;

		for (size_t k = 0; k < b->cpus.n; k++)
			bytes += b->cpus.v[k].size;
		if (!b->cpus.n && !b->latency)
			continue;
		if (x->w->summary)
			out_printf(x->o,
				   "\t[buffer \"%s\", \"%s\" clock, %u page size, %zu cpus, %llu bytes %s data]\n",
				   b->name, b->clock, b->page_size, b->cpus.n,
				   (unsigned long long)(b->latency ? b->text.n : bytes),
				   b->latency ? "latency" : "flyrecord");
		if (!x->w->flyrecord)
			continue;
		out_printf(x->o, "\t[%s tracing data%s%s]\n", b->latency ? "Latency" : "Flyrecord",
			   *b->name ? ", buffer " : "", b->name);
		for (size_t k = 0; k < b->cpus.n; k++)
			out_printf(x->o, "\t\t %llu %llu\t[offset, size of cpu %u]\n",
				   (unsigned long long)b->cpus.v[k].off, (unsigned long long)b->cpus.v[k].size,
				   b->cpus.v[k].cpu);
	}
}

static void clock(const struct dump *x)
{
	const struct tdat_option *opt = tdat_option(x->d, TDAT_TRACECLOCK);

	const char *chosen = x->d->buffers.n ? x->d->buffers.v[0].clock : "";

	/* With --all it is printed among the options. */
	if (opt && !x->w->all)
		out_printf(x->o, "%.*s\n", (int)strnlen(opt->data.s, opt->data.n), opt->data.s);
	if (!opt || x->d->version < 7)
		out_printf(x->o, "\t[Tracing clock]\n\t\t[%s]\n", chosen);
}

static void dump_file(const struct dump *x, const char *path)
{
	const struct tblob *b = &x->d->blob;
	const struct dump_want *w = x->w;

	if (w->summary) {
		out_printf(x->o, "\n Tracing meta data in file %s:\n", path);
		head(x);
	}
	if (w->strings && x->d->version >= 7)
		strings(x);
	part(x, w->head_page, "Header page", b->header_page.n, "bytes", b->header_page);
	part(x, w->head_event, "Header event", b->header_event.n, "bytes", b->header_event);
	formats(x);
	part(x, w->kallsyms, "Kallsyms", b->kallsyms.n, "bytes", b->kallsyms);
	part(x, w->printk, "Trace printk", b->printk_formats.n, "bytes", b->printk_formats);
	part(x, w->cmd_lines, "Saved command lines", b->cmdlines.n, "bytes", b->cmdlines);
	if (w->summary && x->d->version < 7)
		out_printf(x->o, "\t%u [CPUs with tracing data]\n", x->d->ncpus);
	options(x);
	buffers(x);
	if ((w->sections || w->summary) && x->d->version >= 7)
		sections(x);
	if (w->clock)
		clock(x);
}

static void everything(struct dump_want *w)
{
	w->summary = w->head_page = w->head_event = w->ftrace_events = w->systems = w->events = w->kallsyms = true;
	w->printk = w->cmd_lines = w->options = w->flyrecord = w->clock = w->sections = w->strings = true;
}

static int dump_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct dump_want *w = want;
	const char *path = w->input ? w->input : argc ? argv[argc - 1] : "trace.dat";
	struct input in;
	struct dump x = { .o = c->out, .w = w, .d = &in.dat };
	struct err e = { 0 };

	loglevel_apply(c, w->loglevel);
	if (w->all)
		everything(w);
	if (!(w->head_page || w->head_event || w->ftrace_events || w->systems || w->events || w->kallsyms ||
	      w->printk || w->cmd_lines || w->options || w->flyrecord || w->clock || w->sections || w->strings))
		w->summary = true;
	if (input_open(&in, c->sys, path, &e))
		return cmd_fail(c, &e);
	if (tdat_section_names(&in.dat, &x.names, &e)) {
		input_close(&in);
		return cmd_fail(c, &e);
	}
	if (w->validate)
		out_printf(c->out, "File %s is a valid trace-cmd file\n", path);
	else
		dump_file(&x, path);
	if ((w->sections || w->strings) && !w->all && in.dat.version < 7)
		cmd_note(c, "%s is of version 6, which has no sections", path);
	input_notes(&in, c, path);
	input_close(&in);
	return EXIT_DONE;
}

DEFINE_VERB(dump, "dump", .brief = "Show the parts of a trace.dat other than its events",
	    .synopsis = "[options] [trace.dat]",
	    .examples = PACKED(
			"sonde ftrace dump -i trace.dat\tsummary\n"
			"sonde ftrace dump --options trace.dat\tclock, machine, lost events\n"),
	    .opts = opts, .want_size = sizeof(struct dump_want), .run = dump_run);
