/* place.c - a two-way cache of places' texts, by address and generation of the address space. */
#include "cmd/script/place.h"

#include "abi/perf_event.h"
#include "base/map.h"
#include "base/mem.h"
#include "show/json.h"
#include "show/text.h"

enum { KNOWN = 1 << 16, WAYS = 2, TEXTS_MAX = 8 << 20, ADDR_WIDTH = 16 };

enum {
	PLACE_FIELDS = FIELD_SYM | FIELD_SYMOFF | FIELD_DSO | FIELD_DSOFF | FIELD_SRCLINE | PLACE_ALONE | PLACE_LINE,
};

/* An address with its source lines. spot[]: inline functions, innermost first, then the function that contains them. */
struct place {
	const struct chain_frame *f;
	const struct sym_loc *l;
	unsigned behind;          /* offset of the address from l->addr */
	struct sym_spot spot[SYM_SPOTS_MAX];
	int n;                    /* number of spots, at least 1: if no line is known, one without file and name */
};

/* A tag: bits 0-30 generation of the address space, bits 32-62 cpumode and form of the text, and two flags. */
#define TAG_RETURNS (UINT64_C(1) << 31)
#define TAG_SCANNED (UINT64_C(1) << 63)
_Static_assert(RESOLVER_GENERATIONS < TAG_RETURNS, "a tag has room for a generation");

int script_places_init(struct script_places *p, const struct script_want *want, const struct frames *frames)
{
	*p = (struct script_places){ .want = want, .frames = frames, .known = mem_zeroed(KNOWN, sizeof(*p->known)) };
	mem_out_init(&p->scratch);
	return p->known ? 0 : -ENOMEM;
}

void script_places_deinit(struct script_places *p)
{
	free(p->known);
	arena_deinit(&p->texts);
	mem_out_deinit(&p->scratch);
}

bool script_places_full(const struct script_places *p)
{
	return p->texts.total > TEXTS_MAX;
}

void script_places_forget(struct script_places *p)
{
	arena_deinit(&p->texts);
	memset(p->known, 0, KNOWN * sizeof(*p->known));
}

/* " symbol+0x12 (dso+0x345)". As in perf, an inline function's offset is that in the function which contains it. */
static void put_names(unsigned how, const struct sym_loc *l, unsigned behind, const char *inlined, struct out *o)
{
	if (how & FIELD_SYM) {
		out_char(o, ' ');
		text_put(o, sv_from(inlined ? inlined : l->sym ? l->sym : "[unknown]"), TEXT_ALL, TEXT_PLAIN);
		if (l->sym && how & FIELD_SYMOFF) {
			out_str(o, "+0x");
			out_hex(o, l->addr + behind - l->start);
		}
	}
	if (!inlined && how & (FIELD_DSO | FIELD_DSOFF)) {
		out_str(o, " (");
		text_put(o, sv_from(l->kernel ? l->dso_short : l->dso), TEXT_ALL, TEXT_PLAIN);
		if (how & FIELD_DSOFF && !l->kernel && strcmp(l->dso, "[unknown]")) {
			out_str(o, "+0x");
			out_hex(o, l->offset + behind);
		}
		out_char(o, ')');
	}
}

/* "main.c:12"; whole: with the path. */
static void put_source(const struct sym_spot *s, bool whole, struct out *o)
{
	const char *slash = s->file && !whole ? strrchr(s->file, '/') : NULL;

	text_put(o, sv_from(slash ? slash + 1 : s->file ? s->file : "??"), TEXT_ALL, TEXT_PLAIN);
	out_printf(o, ":%u", s->line);
}

static void put_frame(const struct script_want *want, const struct place *p, const struct sym_spot *s, unsigned how,
		      struct out *o)
{
	bool frame = how & (PLACE_ALONE | PLACE_LINE);

	if (frame) {
		out_char(o, how & PLACE_LINE ? '\t' : ' ');
		out_hexw(o, p->f->ip, ADDR_WIDTH);
	}
	put_names(how, p->l, p->behind, s->name, o);
	if (frame && how & FIELD_SRCLINE) {
		out_str(o, "\n  ");
		put_source(s, want->full_paths, o);
	}
	if (s->name)
		out_str(o, " (inlined)");
	if (p->f->scanned)
		out_str(o, " (scanned)");
	if (how & PLACE_LINE)
		out_char(o, '\n');
}

static void put_text(const struct script_places *p, const struct place *at, unsigned how, struct out *o)
{
	/* As in perf, an address that is not in a chain has the name of the containing function, no inline one's, */
	int i = how & PLACE_LINE ? 0 : at->n - 1;

	if (how & (PLACE_ALONE | PLACE_LINE) && p->want->filter.hide_unresolved && !at->l->sym)
		return;
	for (; i < at->n; i++) {
		struct sym_spot s = at->spot[i];

		/* ... but the line of the innermost function. */
		if (!(how & PLACE_LINE))
			s = (struct sym_spot){ .file = at->spot[0].file, .line = at->spot[0].line };
		put_frame(p->want, at, &s, how, o);
	}
}

void script_json_hex(struct json *j, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)v);
	json_key(j, key);
	json_str(j, sv_from(text));
}

static void put_json_source(struct json *j, const struct sym_spot *s)
{
	if (!s->file)
		return;
	json_key(j, "file");
	json_str(j, sv_from(s->file));
	json_key(j, "line");
	json_u64(j, s->line);
}

/* The inline functions, innermost first. */
static void put_json_inlined(struct json *j, const struct place *p)
{
	json_key(j, "inlined");
	json_begin_array(j);
	for (int i = 0; i < p->n - 1; i++) {
		json_begin_object(j);
		json_key(j, "sym");
		json_str(j, sv_from(p->spot[i].name));
		put_json_source(j, &p->spot[i]);
		json_end(j);
	}
	json_end(j);
}

static void put_json(const struct place *p, unsigned how, struct out *o)
{
	const struct sym_loc *l = p->l;
	struct json j = json_on(o);

	json_begin_object(&j);
	script_json_hex(&j, "ip", p->f->ip);
	if (l->sym) {
		json_key(&j, "sym");
		json_str(&j, sv_from(l->sym));
		json_key(&j, "symoff");
		json_u64(&j, l->addr + p->behind - l->start);
	}
	json_key(&j, "dso");
	json_str(&j, sv_from(l->dso));
	if (!l->kernel)
		script_json_hex(&j, "offset", l->offset + p->behind);
	if (p->f->scanned) {
		json_key(&j, "scanned");
		json_bool(&j, true);
	}
	if (how & FIELD_SRCLINE)
		put_json_source(&j, &p->spot[p->n - 1]);
	if (p->n > 1)
		put_json_inlined(&j, p);
	json_end(&j);
}

/* Fill at->spot. Without inline functions it is one spot, with the line if it is known. 0 or -ENOMEM. */
static int find_spots(const struct script_places *p, struct place *at, unsigned how)
{
	bool inlines = !p->want->session.outlined && (how & PLACE_LINE || p->want->json), lines = how & FIELD_SRCLINE;
	bool is_call = at->f->returns && !at->behind;
	enum sym_spots what = lines ? SYM_SPOTS_FILES : SYM_SPOTS_NAMES;
	int n = inlines || lines ? resolver_spots(p->frames->resolver, at->l, is_call, what, at->spot) : 0;

	if (n < 0)
		return n;
	if (n && !inlines) {
		at->spot[0].name = NULL;
		n = 1;
	}
	if (!n)
		at->spot[0] = (struct sym_spot){ 0 };
	at->n = MAX(n, 1);
	return 0;
}

static const struct script_text *make(struct script_places *p, const struct resolver_spaces *in,
				      const struct chain_frame *f, unsigned how)
{
	struct place at = { .f = f };
	struct mem_out *m = &p->scratch;
	struct script_text *t;

	at.l = frames_loc(p->frames, in, f, &at.behind);
	if (!at.l || find_spots(p, &at, how))
		return NULL;
	m->n = 0;
	if (p->want->json)
		put_json(&at, how, &m->out);
	else
		put_text(p, &at, how, &m->out);

	const char *text = mem_out_str(m);

	t = m->out.error ? NULL : arena_alloc(&p->texts, sizeof(*t) + m->n);
	if (t) {
		t->n = (uint32_t)m->n;
		memcpy(t->s, text, m->n);
	}
	return t;
}

const struct script_text *script_place(struct script_places *p, const struct resolver_spaces *in,
				       const struct chain_frame *f, unsigned how)
{
	uint64_t generation = chain_in_kernel(f) ? in->kernel.generation : in->user.generation;
	uint64_t tag = generation | (f->returns ? TAG_RETURNS : 0) | (f->scanned ? TAG_SCANNED : 0) |
		       (uint64_t)((how & PLACE_FIELDS) | f->cpumode) << 32;
	struct script_known *k = &p->known[hash_u64(f->ip ^ tag << 20 ^ tag >> 24) & (KNOWN - WAYS)];
	const struct script_text *t;

	if (k[0].ip == f->ip && k[0].tag == tag)
		return k[0].text;
	if (k[1].ip == f->ip && k[1].tag == tag)
		return k[1].text;
	t = make(p, in, f, how);
	/* Without a generation, a later sample's address space may differ: do not cache the text. */
	if (!t || !generation)
		return t;
	k[1] = k[0];
	k[0] = (struct script_known){ f->ip, tag, t };
	return t;
}
