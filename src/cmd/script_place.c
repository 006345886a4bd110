/* script_place.c - texts of places, remembered by address and address space. */
#include "cmd/script_place.h"

#include "abi/perf_event.h"
#include "base/map.h"
#include "show/json.h"
#include "show/text.h"

enum { KNOWN = 1 << 16, WAYS = 2, TEXTS_MAX = 8 << 20, ADDR_WIDTH = 16 };

enum { PLACE_FIELDS = FIELD_SYM | FIELD_SYMOFF | FIELD_DSO | FIELD_DSOFF | PLACE_ALONE | PLACE_LINE };

/* A tag: the generation of the space, the address' mode, and how the place is written (31 bits). */
#define TAG_RETURNS (UINT64_C(1) << 31)
_Static_assert(RESOLVER_GENERATIONS < TAG_RETURNS, "a tag has room for a generation");

int script_places_init(struct script_places *p, const struct script_want *want, const struct frames *frames)
{
	*p = (struct script_places){ .want = want, .frames = frames, .known = calloc(KNOWN, sizeof(*p->known)) };
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

/* " symbol+0x12 (dso+0x345)" */
static void put_names(unsigned how, const struct sym_loc *l, unsigned behind, struct out *o)
{
	if (how & FIELD_SYM) {
		out_char(o, ' ');
		text_put(o, sv_from(l->sym ? l->sym : "[unknown]"), TEXT_ALL, TEXT_PLAIN);
		if (l->sym && how & FIELD_SYMOFF) {
			out_str(o, "+0x");
			out_hex(o, l->addr + behind - l->start);
		}
	}
	if (how & (FIELD_DSO | FIELD_DSOFF)) {
		out_str(o, " (");
		text_put(o, sv_from(l->kernel ? l->dso_short : l->dso), TEXT_ALL, TEXT_PLAIN);
		if (how & FIELD_DSOFF && !l->kernel && strcmp(l->dso, "[unknown]")) {
			out_str(o, "+0x");
			out_hex(o, l->offset + behind);
		}
		out_char(o, ')');
	}
}

static void put_text(const struct script_places *p, const struct chain_frame *f, const struct sym_loc *l,
		     unsigned behind, unsigned how, struct out *o)
{
	bool frame = how & (PLACE_ALONE | PLACE_LINE);

	if (frame && p->want->filter.hide_unresolved && !l->sym)
		return;
	if (frame) {
		out_char(o, how & PLACE_LINE ? '\t' : ' ');
		out_hexw(o, f->ip, ADDR_WIDTH);
	}
	put_names(how, l, behind, o);
	if (how & PLACE_LINE)
		out_char(o, '\n');
}

void script_json_hex(struct json *j, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)v);
	json_key(j, key);
	json_str(j, sv_from(text));
}

static void put_json(const struct chain_frame *f, const struct sym_loc *l, unsigned behind, struct out *o)
{
	struct json j = json_on(o);

	json_begin_object(&j);
	script_json_hex(&j, "ip", f->ip);
	if (l->sym) {
		json_key(&j, "sym");
		json_str(&j, sv_from(l->sym));
		json_key(&j, "symoff");
		json_u64(&j, l->addr + behind - l->start);
	}
	json_key(&j, "dso");
	json_str(&j, sv_from(l->dso));
	if (!l->kernel)
		script_json_hex(&j, "offset", l->offset + behind);
	json_end(&j);
}

static const struct script_text *make(struct script_places *p, const struct resolver_spaces *in,
				      const struct chain_frame *f, unsigned how)
{
	unsigned behind;
	const struct sym_loc *l = frames_loc(p->frames, in, f, &behind);
	struct mem_out *m = &p->scratch;
	struct script_text *t;

	if (!l)
		return NULL;
	m->n = 0;
	if (p->want->json)
		put_json(f, l, behind, &m->out);
	else
		put_text(p, f, l, behind, how, &m->out);

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
	uint64_t tag = generation | (f->returns ? TAG_RETURNS : 0) |
		       (uint64_t)((how & PLACE_FIELDS) | f->cpumode) << 32;
	struct script_known *k = &p->known[hash_u64(f->ip ^ tag << 20 ^ tag >> 24) & (KNOWN - WAYS)];
	const struct script_text *t;

	if (k[0].ip == f->ip && k[0].tag == tag)
		return k[0].text;
	if (k[1].ip == f->ip && k[1].tag == tag)
		return k[1].text;
	t = make(p, in, f, how);
	/* Without a generation nobody knows whether it is the same the next time. */
	if (!t || !generation)
		return t;
	k[1] = k[0];
	k[0] = (struct script_known){ f->ip, tag, t };
	return t;
}
