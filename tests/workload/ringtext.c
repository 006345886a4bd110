/*
 * ringtext.c - the kernel's rings printed by tracefs/ktext, to be held against the kernel's own text of the same
 * records. Of any machine's: what `ringsave` has kept.
 *
 *   ringtext DIR              print the rings in DIR as `trace` would
 *   ringtext DIR TEXT [SKIP]  compare with TEXT, what that kernel's `trace` was
 *
 * SKIP has lines "event reason": in those events what the kernel computes from its own state prints as "?" and is not
 * compared; nor is the whole text of the event when the reason begins with "whole:". HASHED=1: nor are numbers of 16
 * hex digits (%p before 5.12). LATENCY=1: nor is the time since the trace began, which only the kernel knows. EVENTS=1
 * lists the events that were compared.
 *
 * Prints "lines N events N differ N skipped N"; exit status 1 when something differs.
 */
#include <fcntl.h>
#include <unistd.h>

#include "image/kallsyms_text.h"
#include "tracefs/text/ktext.h"

enum { RINGS = 64, SHOWN = 6, AHEAD = 200, FAR = 16 << 20 };   /* no function is that long: between two modules */

struct pages {
	int fd[RINGS];
	uint8_t *buf[RINGS];
	size_t size;
};

static void die(const char *what)
{
	fprintf(stderr, "ringtext: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* A whole file, malloc'ed; empty when it cannot be read. */
static struct sv file(const char *format, ...)
{
	char path[512], *text = NULL;
	size_t n = 0, cap = 0;
	ssize_t got;
	va_list ap;
	int fd;

	va_start(ap, format);
	vsnprintf(path, sizeof(path), format, ap);
	va_end(ap);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0) {
		if (cap - n < 65536 && !(text = realloc(text, cap = cap * 2 + 131072)))
			die("memory");
		got = read(fd, text + n, cap - n - 1);
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	if (fd >= 0)
		close(fd);
	if (text)
		text[n] = '\0';
	return (struct sv){ text ? text : "", n };
}

/* "# system\n", a format, '\0', and so on for all of them. */
static void add_formats(struct tevents *t, struct sv all)
{
	struct sv text, system;
	struct err err;

	while (all.n && sv_cut(&all, '\0', &text)) {
		if (text.n < 2 || !sv_cut(&text, '\n', &system))
			continue;
		system.s += 2;
		system.n -= 2;
		if (tevents_add(t, system, text, &err))
			fprintf(stderr, "ringtext: %.*s: %s\n", (int)system.n, system.s, err.text);
	}
}

/*
 * What addresses stand for. Of several names for one place the kernel says the first of its table, which is the order
 * of /proc/kallsyms (the product prefers the best known one).
 */
struct place {
	uint64_t addr;
	size_t order;
	char *name, *module;
};

struct lookup {
	VEC(struct place) places;
	struct tevents *events;
	uint64_t page;         /* of that kernel's memory */
};

static int by_address(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Takes the text apart in place. */
static void add_symbols(struct lookup *l, struct sv text)
{
	struct sv line, addr, type;
	struct place *p;
	uint64_t v;

	while (sv_cut(&text, '\n', &line)) {
		char *name, *tab;

		if (!sv_cut(&line, ' ', &addr) || !sv_cut(&line, ' ', &type) || !str_u64(addr, 16, &v) || !line.n ||
		    !memchr("tTwW", type.s[0], 4) || line.s[0] == '$' || !(p = vec_add(&l->places)))
			continue;
		name = (char *)(uintptr_t)line.s;
		name[line.n] = '\0';
		tab = strchr(name, '\t');
		*p = (struct place){ .addr = v, .order = l->places.n, .name = name };
		if (tab) {
			*tab = '\0';
			p->module = tab + 2;
			p->module[strcspn(p->module, "]")] = '\0';
		}
	}
	qsort(l->places.v, l->places.n, sizeof(*l->places.v), by_address);
}

static const char *string(void *arg, uint64_t addr)
{
	return tevents_string(((struct lookup *)arg)->events, addr);
}

static bool symbol(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	const struct lookup *l = arg;
	const struct place *v = l->places.v;
	size_t low = 0, high = l->places.n, end;
	uint64_t to;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	end = low;
	if (!low || end == l->places.n)
		return false;
	for (low--; low && v[low - 1].addr == v[low].addr;)
		low--;
	to = v[end].addr;
	/* A module's last one reaches to the end of its code, which is that of a page: the next module may be far. */
	if (v[low].module && (!v[end].module || strcmp(v[low].module, v[end].module)))
		to = MIN(to, ALIGN_UP(addr + 1, l->page));
	if (to - v[low].addr > FAR)
		return false;
	*s = (struct tprint_symbol){
		.name = v[low].name,
		.module = v[low].module,
		.offset = addr - v[low].addr,
		.size = to - v[low].addr,
	};
	return true;
}

static int next_page(void *arg, uint32_t ring, const uint8_t **page, size_t *n, struct err *e)
{
	struct pages *p = arg;
	ssize_t got = read(p->fd[ring], p->buf[ring], p->size);

	if (got < 0)
		return err_set(e, errno, "reading ring %u", ring);
	*page = p->buf[ring];
	*n = got > 0 ? (size_t)got : 0;
	return got > 0;
}

static struct tstream *open_rings(struct pages *p, const char *dir, const struct tpage_layout *layout)
{
	struct tstream_ring rings[RINGS];
	uint32_t n = 0;
	char path[512];

	p->size = layout->data_offset + layout->data_size;
	for (uint32_t cpu = 0; cpu < RINGS; cpu++) {
		snprintf(path, sizeof(path), "%s/cpu%u.raw", dir, cpu);
		p->fd[n] = open(path, O_RDONLY | O_CLOEXEC);
		if (p->fd[n] < 0)
			continue;
		p->buf[n] = malloc(p->size);
		rings[n++] = (struct tstream_ring){ .cpu = cpu, .layout = *layout };
	}
	return tstream_new(rings, n, false, next_page, p);
}

static uint32_t tgid(void *arg, uint32_t pid)
{
	struct sv rest = *(const struct sv *)arg, line, number;
	uint64_t v;

	while (sv_cut(&rest, '\n', &line))
		if (sv_cut(&line, ' ', &number) && str_u64(number, 10, &v) && v == pid &&
		    str_u64(sv_trim(line), 10, &v))
			return (uint32_t)v;
	return 0;
}

struct source {
	struct sv tgids;      /* first: tgid() gets it */
	struct tstream *stream;
};

static bool next_time(void *arg, uint64_t *ts)
{
	return tstream_next_time(((struct source *)arg)->stream, ts, NULL) > 0;
}

static bool peek(void *arg, struct tstream_rec *next)
{
	return tstream_peek(((struct source *)arg)->stream, next, NULL) > 0;
}

static void skip(void *arg)
{
	tstream_skip(((struct source *)arg)->stream);
}

static struct sv chosen(struct sv list)
{
	struct sv piece;

	while (sv_cut(&list, ' ', &piece)) {
		piece = sv_trim(piece);
		if (piece.n > 2 && piece.s[0] == '[')
			return (struct sv){ piece.s + 1, piece.n - 2 };
	}
	return (struct sv){ "", 0 };
}

/* The sum over all CPUs of a line "name: N" in their stats. */
static uint64_t stat_sum(const char *dir, const char *name)
{
	uint64_t sum = 0;

	for (uint32_t cpu = 0; cpu < RINGS; cpu++) {
		struct sv rest = file("%s/cpu%u.stats", dir, cpu), line, key;
		uint64_t v;

		while (sv_cut(&rest, '\n', &line))
			if (sv_cut(&line, ':', &key) && sv_eq(key, name) && str_u64(sv_trim(line), 10, &v))
				sum += v;
	}
	return sum;
}

/* --- comparing -----------------------------------------------------------------------------------------------------
 */

struct lines {
	VEC(struct sv) v;
};

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* "  123us!: " -> "us!: ", in place: the line gets shorter. */
static struct sv without_start(struct sv line)
{
	char *s = (char *)(uintptr_t)line.s;
	size_t at = 1, from;

	while (at + 4 < line.n && (memcmp(s + at, "us", 2) || s[at + 3] != ':' || !is_hex(s[at - 1])))
		at++;
	if (at + 4 >= line.n)
		return line;
	for (from = at; from && (is_hex(s[from - 1]) || s[from - 1] == ' ');)
		from--;
	memmove(s + from, s + at, line.n - at);
	return (struct sv){ s, line.n - (at - from) };
}

static void split(struct lines *l, struct sv text)
{
	bool latency = getenv("LATENCY");
	struct sv line, *at;

	while (text.n && sv_cut(&text, '\n', &line)) {
		at = vec_add(&l->v);
		if (!at)
			die("memory");
		*at = latency ? without_start(line) : line;
	}
}

/* Length of the hex number at i. */
static size_t hex_run(struct sv s, size_t i)
{
	size_t n = i;

	while (n < s.n && is_hex(s.s[n]))
		n++;
	return n - i;
}

static bool same(struct sv a, struct sv b, bool hashed)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++) {
		if (a.s[i] == b.s[i])
			continue;
		if (!hashed)
			return false;
		while (i && is_hex(a.s[i - 1]))
			i--;
		if (hex_run(a, i) != 16 || hex_run(b, i) != 16)
			return false;
		i += 15;
	}
	return true;
}

/* The same but for what we have as "?". */
static bool same_but_unknown(struct sv kernel, struct sv ours)
{
	size_t i = 0, j = 0;

	for (; i < kernel.n && j < ours.n; i++, j++) {
		if (kernel.s[i] == ours.s[j])
			continue;
		if (ours.s[j] != '?')
			return false;
		while (i + 1 < kernel.n && kernel.s[i + 1] != ' ')
			i++;
	}
	return i == kernel.n && j == ours.n;
}

/* Which event a line of ours is of: told by the reader, line by line. */
struct told {
	VEC(const char *) event;
	struct names names;
};

static struct sv skip_reason(struct sv skips, const char *event)
{
	struct sv line, name;

	while (sv_cut(&skips, '\n', &line))
		if (sv_cut(&line, ' ', &name) && name.n && event && sv_eq(name, event))
			return line;
	return (struct sv){ 0 };
}

struct verdict {
	size_t lines, differ, skipped;
	uint8_t *compared;      /* per name of an event: 1 compared, 2 shown */
};

static void show(const char *event, struct sv kernel, struct sv ours)
{
	printf("%s\n  kernel: %.*s\n  ours:   %.*s\n", event ? event : "?", (int)kernel.n, kernel.s, (int)ours.n,
	       ours.s);
}

/* After a difference: the nearest place where the texts agree again. */
static void resync(const struct lines *a, size_t *i, const struct lines *b, size_t *j, bool hashed)
{
	for (size_t d = 1; d < AHEAD; d++)
		for (size_t k = 0; k <= d; k++)
			if (*i + k < a->v.n && *j + d - k < b->v.n && a->v.v[*i + k].n > 8 &&
			    same(a->v.v[*i + k], b->v.v[*j + d - k], hashed)) {
				*i += k;
				*j += d - k;
				return;
			}
	++*i;
	++*j;
}

/* Only the text behind "event: " is another; kernels that cannot be asked what a name in their print fmt stands for. */
static bool same_up_to_text(struct sv kernel, struct sv ours, const char *event)
{
	const char *a = memmem(kernel.s, kernel.n, event, strlen(event)),
		   *b = memmem(ours.s, ours.n, event, strlen(event));

	return a && b && a - kernel.s == b - ours.s && !memcmp(kernel.s, ours.s, (size_t)(a - kernel.s));
}

static void differs(struct verdict *v, struct told *t, size_t at, struct sv kernel, struct sv ours, struct sv skips)
{
	const char *event = at < t->event.n ? t->event.v[at] : NULL;
	uint32_t id = event ? names_find(&t->names, event, strlen(event)) : 0;

	struct sv why = skip_reason(skips, event);

	/* between the code of two modules, whose ends kallsyms does not tell */
	if (sv_starts(kernel, " => 0x") && sv_starts(ours, " => ")) {
		v->skipped++;
		return;
	}
	if (why.n &&
	    (same_but_unknown(kernel, ours) || (sv_starts(why, "whole:") && same_up_to_text(kernel, ours, event)))) {
		v->compared[id] |= !v->compared[id];
		v->skipped++;
		return;
	}
	v->differ++;
	if (v->differ < 2000 && (v->compared[id] < SHOWN)) {
		v->compared[id] = v->compared[id] < 2 ? 2 : (uint8_t)(v->compared[id] + 1);
		show(event, kernel, ours);
	}
}

static void compare(struct verdict *v, const struct lines *kernel, const struct lines *ours, struct told *t,
		    struct sv skips)
{
	bool hashed = getenv("HASHED");
	size_t i = 0, j = 0;

	v->compared = calloc(t->names.list.n + 1, 1);
	while (i < kernel->v.n || j < ours->v.n) {
		struct sv a = i < kernel->v.n ? kernel->v.v[i] : (struct sv){ "(end)", 5 };
		struct sv b = j < ours->v.n ? ours->v.v[j] : (struct sv){ "(end)", 5 };

		v->lines++;
		if (same(a, b, hashed)) {
			uint32_t id = names_find(&t->names, t->event.v[j], strlen(t->event.v[j]));

			if (!v->compared[id])
				v->compared[id] = 1;
			i++;
			j++;
			continue;
		}
		differs(v, t, j, a, b, skips);
		/* the usual case first: only this line */
		if (i + 1 < kernel->v.n && j + 1 < ours->v.n && same(kernel->v.v[i + 1], ours->v.v[j + 1], hashed)) {
			i++;
			j++;
		} else {
			resync(kernel, &i, ours, &j, hashed);
		}
	}
}

/* --- printing ------------------------------------------------------------------------------------------------------
 */

/* All records as text; the event of each line is noted. */
static void print_all(struct ktext *k, struct tstream *s, const struct tevents *t, struct mem_out *text,
		      struct told *told)
{
	struct tstream_rec rec;
	struct err e;
	int r;

	while ((r = tstream_next(s, UINT64_MAX, &rec, &e)) > 0) {
		const struct tevent *ev = tevents_of(t, rec.raw, rec.n);
		const char *name = ev ? ev->fmt.name : "?";
		uint32_t id = names_add(&told->names, name, strlen(name));
		size_t from = text->n + text->out.n;

		rec.lost = 0;   /* the kernel's `trace` does not tell */
		ktext_record(k, &rec, &text->out);
		out_flush(&text->out);
		for (size_t i = from; i < text->n; i++)
			if (text->v[i] == '\n')
				*(const char **)vec_add(&told->event) = names_str(&told->names, id);
	}
	if (r < 0)
		fprintf(stderr, "ringtext: %s\n", e.text);
}

/* Lines of the header: a '#' at the start of the text. */
static struct sv header(struct sv *text)
{
	struct sv all = *text, line;

	while (text->n > 1 && text->s[0] == '#' && text->s[1] != '#')
		sv_cut(text, '\n', &line);
	all.n -= text->n;
	return all;
}

/* What only the running kernel knows, and the headers of tracers that ktext leaves to it. */
static bool header_differs(struct sv kernel, struct sv ours)
{
	struct sv a, b;
	bool differs = false;

	if (!sv_starts(kernel, "# tracer: nop") && !sv_starts(kernel, "# tracer: function") &&
	    !sv_starts(kernel, "# tracer: hw"))
		return false;
	while (kernel.n || ours.n) {
		a = b = (struct sv){ "", 0 };
		if (kernel.n)
			sv_cut(&kernel, '\n', &a);
		if (ours.n)
			sv_cut(&ours, '\n', &b);
		if (same(a, b, false) || (sv_starts(a, "# latency:") && sv_starts(b, "# latency:")) ||
		    (sv_starts(a, "#    | task:") && sv_starts(b, "#    | task:")))
			continue;
		show("header", a, b);
		differs = true;
	}
	return differs;
}

/*
 * Does what the pages tell of losses agree with the count of overwritten records? A page that is full has no room for
 * the number: then only less is known.
 */
static bool lost_differs(const struct tstream_stats *s, uint64_t overwritten)
{
	if (s->lost == overwritten || (s->gaps && s->lost < overwritten))
		return false;
	printf("lost %llu in %llu places, not %llu\n", (unsigned long long)s->lost, (unsigned long long)s->gaps,
	       (unsigned long long)overwritten);
	return true;
}

static int judge(struct mem_out *text, struct told *told, struct sv head, struct sv kernel_text, struct sv skips,
		 bool lost)
{
	struct lines kernel = { 0 }, ours = { 0 };
	struct verdict v = { .differ = header_differs(header(&kernel_text), head) + lost };
	size_t events = 0;

	split(&kernel, kernel_text);
	mem_out_str(text);
	split(&ours, (struct sv){ text->v, text->n });
	if (!kernel.v.n || !told->event.n)
		die("nothing to compare");
	compare(&v, &kernel, &ours, told, skips);
	for (size_t i = 0; i < told->names.list.n; i++)
		events += v.compared[i] > 0;
	printf("lines %zu events %zu differ %zu skipped %zu\n", v.lines, events, v.differ, v.skipped);
	if (getenv("EVENTS"))
		for (size_t i = 0; i < told->names.list.n; i++)
			if (v.compared[i])
				printf("event %s\n", names_str(&told->names, (uint32_t)i));
	return v.differ != 0;
}

/* What `machine` says of it; what it does not say ends us. */
static struct sv told_of(struct sv machine, const char *what)
{
	struct sv line, key;

	while (sv_cut(&machine, '\n', &line))
		if (sv_cut(&line, ' ', &key) && sv_eq(key, what))
			return sv_trim(line);
	errno = ENODATA;
	die(what);
	return line;
}

int main(int argc, char **argv)
{
	char release[65], tracer[64] = "";
	struct tevents events;
	struct lookup lookup = { .events = &events };
	struct tpage_layout layout;
	struct err e;
	struct pages pages;
	struct source source;
	struct mem_out top, text;
	struct told told = { 0 };
	struct sv clock, symbols, machine;
	const char *dir = argv[1];

	if (argc < 2)
		return 2;
	machine = file("%s/machine", dir);
	str_copy(release, sizeof(release), told_of(machine, "release"));
	if (!str_u64(told_of(machine, "page"), 10, &lookup.page))
		die("page");
	tevents_init(&events, (struct tmachine){ .long_size = sizeof(long) });
	add_formats(&events, file("%s/formats", dir));
	tevents_add_printk(&events, file("%s/printk_formats", dir));
	tevents_add_comms(&events, file("%s/saved_cmdlines", dir));
	symbols = file("%s/symbols", dir);
	str_copy(tracer, sizeof(tracer), sv_trim(file("%s/current_tracer", dir)));
	clock = chosen(file("%s/trace_clock", dir));
	if (tfmt_page(&layout, file("%s/header_page", dir), &e))
		die(e.text);

	struct ktext_head head = { .entries = stat_sum(dir, "entries"), .preemption = "?" };

	head.written = head.entries + stat_sum(dir, "overrun");
	struct tprint_names names = { .arg = &lookup, .symbol = symbol, .string = string, .bare = true };
	struct ktext_want want = {
		.events = &events,
		.names = &names,
		.options = ktext_options(file("%s/trace_options", dir)),
		.tracer = tracer,
		.release = release,
		.counter = sv_eq(clock, "counter") || sv_eq(clock, "x86-tsc"),
		.overrun = head.written > head.entries,
		.arg = &source,
		.peek = peek,
		.skip = skip,
		.next_time = next_time,
		.tgid = tgid,
	};
	struct cpus cpus;
	int cpu = -1;

	if (!cpus_parse(&cpus, told_of(machine, "possible"), &e))
		while ((cpu = cpus_next(&cpus, (unsigned)cpu + 1)) >= 0)
			want.cpus = (uint32_t)cpu + 1;
	head.online = cpus_parse(&cpus, told_of(machine, "online"), &e) ? 0 : cpus_count(&cpus);
	want.irq_start = kallsyms_address(symbols, SV("__irqentry_text_start"));
	want.irq_end = kallsyms_address(symbols, SV("__irqentry_text_end"));
	add_symbols(&lookup, symbols);
	source = (struct source){
		.tgids = file("%s/saved_tgids", dir), .stream = open_rings(&pages, dir, &layout),
	};

	struct ktext *k = ktext_new(&want);

	if (!k || !source.stream)
		die("memory");
	mem_out_init(&top);
	ktext_header(k, &head, &top.out);
	mem_out_init(&text);
	print_all(k, source.stream, &events, &text, &told);
	if (argc > 2)
		return judge(&text, &told, sv_from(mem_out_str(&top)), file("%s", argv[2]),
			     argc > 3 ? file("%s", argv[3]) : (struct sv){0},
			     lost_differs(tstream_stats(source.stream), head.written - head.entries));
	fputs(mem_out_str(&top), stdout);
	fputs(mem_out_str(&text), stdout);
	return 0;
}
