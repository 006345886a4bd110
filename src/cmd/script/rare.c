/* rare.c - rarely used fields. Their texts are made by the reading thread, while names and maps fit the sample. */
#include "cmd/script/print.h"

#include "cmd/sample_text.h"
#include "image/module.h"
#include "perf/data_src.h"
#include "show/text.h"
#include "source/code.h"

uint64_t script_tod(const struct perf_head *h, uint64_t time)
{
	struct cursor c = perf_head_feature(h, PERF_FEAT_CLOCK_DATA);

	cur_skip(&c, 8);   /* version, clock */

	uint64_t wall = cur_u64(&c), clock = cur_u64(&c);

	return c.bad ? 0 : wall + (time - clock);
}

int script_follow_cgroup(struct script *s, const struct perf_record *r)
{
	struct cursor c = cur_from(r->body.p, r->body.n);
	uint64_t id, *at;
	const char *name;

	c.swap = s->session->head->swap;
	id = cur_u64(&c);
	name = cur_str(&c);
	if (c.bad)
		return 0;
	name = resolver_intern(s->session->resolver, name, strlen(name));
	at = name ? map_add(&s->cgroups, id, NULL) : NULL;
	if (!at)
		return -ENOMEM;
	*at = (uintptr_t)name;
	return 0;
}

static const char *cgroup_of(const struct script *s, uint64_t id)
{
	const uint64_t *at = map_get(&s->cgroups, id);

	return at ? (const char *)(uintptr_t)*at : "unknown";
}

/* The text of a branch's address. Its mode is unknown: it may differ from the sample's, for example at a syscall. */
static int place_text(struct script *s, const struct script_taken *t, uint64_t ip, unsigned how, struct sv *text)
{
	struct chain_frame f = { .ip = ip };
	const struct script_text *p = script_place(&s->places, &t->spaces, &f, how);

	if (!p)
		return -ENOMEM;
	*text = (struct sv){ p->s, p->n };
	return 0;
}

/* The bytes of the sampled instruction, from the file that is mapped there; empty: they cannot be read. */
static struct bytes insn_of(const struct script *s, const struct script_taken *t)
{
	const struct chain_frame *f = &t->frames[0];

	if (!t->n_frames || chain_in_kernel(f))
		return (struct bytes){ 0 };
	return code_insn(s->session, &t->spaces, f->ip);
}

static void put_insn(struct bytes insn, struct out *o)
{
	for (size_t i = 0; i < insn.n; i++) {
		if (i)
			out_char(o, ' ');
		out_zero_hex(o, insn.p[i], 2);
	}
}

/* --- as text ------------------------------------------------------------------------------------------------- */

static void put_data_src(struct script *s, uint64_t v, struct out *o)
{
	uint64_t start = o->total;
	size_t n;

	out_hexw(o, v, 16);
	out_char(o, ' ');
	data_src_text(v, o);
	n = (size_t)(o->total - start);
	s->data_src_width = MAX(s->data_src_width, n);
	out_fill(o, ' ', s->data_src_width - n);
}

static void put_access(struct script *s, const struct script_taken *t, uint64_t fields, struct out *o)
{
	if (fields & FIELD_DATA_SRC)
		put_data_src(s, t->smp->data_src, o);
	if (fields & FIELD_WEIGHT)
		out_u64w(o, sample_weight(&t->ev->layout, t->smp), 16);
	if (fields & FIELD_INS_LAT)
		out_u64w(o, sample_ins_lat(t->smp), 16);
	if (fields & FIELD_RETIRE_LAT)
		out_u64w(o, sample_retire_lat(t->smp), 16);
	if (fields & FIELD_CGROUP) {
		out_char(o, ' ');
		text_put(o, sv_from(cgroup_of(s, t->smp->cgroup)), TEXT_ALL, TEXT_PLAIN);
	}
}

static struct sample_regs regs_of(const struct script *s, const struct script_taken *t, bool intr)
{
	const struct sample_layout *l = &t->ev->layout;

	return (struct sample_regs){
		.l = l, .arch = s->session->arch, .values = intr ? t->smp->intr_regs : t->smp->user_regs,
		.left = intr ? l->regs_intr : l->regs_user,
	};
}

static void put_regs(const struct script *s, const struct script_taken *t, bool intr, struct out *o)
{
	struct sample_regs r = regs_of(s, t, intr);
	uint64_t abi = intr ? t->smp->intr_abi : t->smp->user_abi;

	if (abi)
		out_printf(o, " ABI:%llu ", (unsigned long long)abi);
	while (sample_regs_next(&r))
		out_printf(o, "%5s:0x%llx ", r.name, (unsigned long long)r.value);
}

/* An address's offset in its file; for the kernel and for files that are not ET_DYN the address itself. */
static uint64_t offset_of(const struct script *s, const struct script_taken *t, uint64_t ip)
{
	enum { AT_ANY_ADDRESS = 3 };   /* ET_DYN */
	struct chain_frame f = { .ip = ip };
	unsigned behind;
	const struct sym_loc *l = frames_loc(&s->frames, &t->spaces, &f, &behind);

	return l && !l->kernel && l->module && l->module->code.elf.type == AT_ANY_ADDRESS ? l->offset : ip;
}

/* Print one end of a branch: "0x401000 (a.out)", or "main+0x12 (a.out)". */
static int put_end(struct script *s, const struct script_taken *t, uint64_t ip, uint64_t fields, struct out *o)
{
	unsigned how = (unsigned)fields & (FIELD_DSO | FIELD_DSOFF);
	struct sv text = { "", 0 };
	int r;

	if (fields & (FIELD_BRSTACK | FIELD_BRSTACKOFF)) {
		out_str(o, "0x");
		out_hex(o, fields & FIELD_BRSTACK ? ip : offset_of(s, t, ip));
	} else {
		how |= FIELD_SYM | FIELD_SYMOFF;
	}
	r = how ? place_text(s, t, ip, how, &text) : 0;
	/* The text of a place begins with a blank, which is not wanted here. */
	if (how & FIELD_SYM && text.n && *text.s == ' ')
		text = (struct sv){ text.s + 1, text.n - 1 };
	out_sv(o, text);
	return r;
}

static int put_branches(struct script *s, const struct script_taken *t, uint64_t fields, struct out *o)
{
	struct branch b;
	int r = 0;

	for (uint64_t i = 0; !r && branch_at(&t->ev->layout, t->smp, i, &b); i++) {
		if (fields & (FIELD_BRSTACK | FIELD_BRSTACKOFF))
			out_char(o, ' ');
		r = put_end(s, t, b.from, fields, o);
		out_char(o, '/');
		r = r ? r : put_end(s, t, b.to, fields, o);
		out_printf(o, "/%c/%c/%c/%u/%s/%s ", b.predicted ? 'P' : b.missed ? 'M' : '-', b.in_tx ? 'X' : '-',
			   b.abort ? 'A' : '-', b.cycles, b.type, *b.spec ? b.spec : "-");
	}
	return r;
}

/* Is it printable up to the first NUL, with only NULs after it? */
static bool is_text(struct bytes b)
{
	size_t n = strnlen((const char *)b.p, b.n);

	for (size_t i = 0; i < b.n; i++)
		if (i < n ? b.p[i] < ' ' || b.p[i] >= 127 : b.p[i] != 0)
			return false;
	return n < b.n;
}

static void put_bpf_output(struct bytes raw, struct out *o)
{
	static const struct sample_bytes how = { 8, "      BPF output: ", "                  ", "" };

	out_char(o, '\n');
	sample_bytes_put(&how, raw, o);
	if (is_text(raw))
		out_printf(o, "      BPF string: \"%s\"\n", (const char *)raw.p);
}

static int put_behind(struct script *s, const struct script_taken *t, uint64_t fields, struct out *o)
{
	struct bytes insn = fields & (FIELD_INSN | FIELD_INSNLEN) ? insn_of(s, t) : (struct bytes){ 0 };
	int r = 0;

	if (fields & FIELD_IREGS)
		put_regs(s, t, true, o);
	if (fields & FIELD_UREGS)
		put_regs(s, t, false, o);
	if (fields & FIELDS_BRANCHES)
		r = put_branches(s, t, fields, o);
	if (fields & FIELD_BPF_OUTPUT)
		put_bpf_output(t->smp->raw, o);
	if (fields & FIELD_INSNLEN)
		out_printf(o, " ilen: %zu", insn.n);
	if (fields & FIELD_INSN && insn.n) {
		out_str(o, " insn: ");
		put_insn(insn, o);
	}
	return r;
}

/* --- as members of a JSON object ----------------------------------------------------------------------------- */

static void json_access(struct script *s, const struct script_taken *t, uint64_t fields, struct json *j)
{
	struct mem_out text;

	if (fields & FIELD_MISC)
		json_member_u64(j, "misc", t->smp->cpumode);
	if (fields & FIELD_TOD)
		json_member_u64(j, "tod_ns", script_tod(s->session->head, t->smp->time));
	if (fields & FIELD_DATA_SRC) {
		script_json_hex(j, "data_src", t->smp->data_src);
		mem_out_init(&text);
		data_src_text(t->smp->data_src, &text.out);
		json_member_str(j, "data_src_text", mem_out_str(&text));
		mem_out_deinit(&text);
	}
	if (fields & FIELD_INS_LAT)
		json_member_u64(j, "ins_lat", sample_ins_lat(t->smp));
	if (fields & FIELD_RETIRE_LAT)
		json_member_u64(j, "retire_lat", sample_retire_lat(t->smp));
	if (fields & FIELD_CGROUP)
		json_member_str(j, "cgroup", cgroup_of(s, t->smp->cgroup));
}

static void json_regs(const struct script *s, const struct script_taken *t, bool intr, struct json *j)
{
	struct sample_regs r = regs_of(s, t, intr);

	json_key(j, intr ? "iregs" : "uregs");
	json_begin_object(j);
	while (sample_regs_next(&r))
		script_json_hex(j, r.name, r.value);
	json_end(j);
}

static int json_end_of_branch(struct script *s, const struct script_taken *t, uint64_t ip, const char *key,
			      struct json *j)
{
	struct sv place;
	int r = place_text(s, t, ip, 0, &place);

	json_key(j, key);
	out_sv(j->o, r ? sv_from("null") : place);
	j->at = JSON_BARE;
	return r;
}

static int json_branches(struct script *s, const struct script_taken *t, struct json *j)
{
	struct branch b;
	int r = 0;

	json_key(j, "branches");
	json_begin_array(j);
	for (uint64_t i = 0; !r && branch_at(&t->ev->layout, t->smp, i, &b); i++) {
		json_begin_object(j);
		r = json_end_of_branch(s, t, b.from, "from", j);
		r = r ? r : json_end_of_branch(s, t, b.to, "to", j);
		json_key(j, "predicted");
		json_bool(j, b.predicted);
		json_key(j, "mispredicted");
		json_bool(j, b.missed);
		json_member_u64(j, "cycles", b.cycles);
		json_member_str(j, "type", b.type);
		json_end(j);
	}
	json_end(j);
	return r;
}

static void json_insn(struct script *s, const struct script_taken *t, struct json *j)
{
	struct bytes insn = insn_of(s, t);
	struct mem_out text;

	mem_out_init(&text);
	put_insn(insn, &text.out);
	json_member_u64(j, "insn_len", insn.n);
	json_member_str(j, "insn", mem_out_str(&text));
	mem_out_deinit(&text);
}

static void json_bytes(struct bytes raw, struct json *j)
{
	json_key(j, "bpf_output");
	json_begin_array(j);
	for (size_t i = 0; i < raw.n; i++)
		json_u64(j, raw.p[i]);
	json_end(j);
}

static int json_rare(struct script *s, const struct script_taken *t, uint64_t fields, struct out *o)
{
	struct json j = json_on(o);
	int r = 0;

	/* Continue an object that has members already. */
	j.depth = 1;
	j.object = j.filled = ~UINT64_C(0);
	json_access(s, t, fields, &j);
	if (fields & FIELD_IREGS)
		json_regs(s, t, true, &j);
	if (fields & FIELD_UREGS)
		json_regs(s, t, false, &j);
	if (fields & FIELDS_BRANCHES)
		r = json_branches(s, t, &j);
	if (fields & FIELD_BPF_OUTPUT)
		json_bytes(t->smp->raw, &j);
	if (fields & (FIELD_INSN | FIELD_INSNLEN))
		json_insn(s, t, &j);
	return r;
}

int script_rare(struct script *s, const struct script_taken *t, size_t *n_access, size_t *n_behind)
{
	uint64_t fields = s->fields[session_event_index(s->session, t->ev)];
	size_t start = s->made.n;
	int r = 0;

	if (!(fields & (FIELDS_ACCESS | FIELDS_BEHIND | FIELD_MISC | FIELD_TOD | FIELD_WEIGHT)))
		return 0;
	if (!s->want->json)
		put_access(s, t, fields, &s->made.out);
	mem_out_str(&s->made);
	*n_access = s->made.n - start;
	start = s->made.n;
	r = s->want->json ? json_rare(s, t, fields, &s->made.out) : put_behind(s, t, fields, &s->made.out);
	mem_out_str(&s->made);
	*n_behind = s->made.n - start;
	return s->made.out.error ? -ENOMEM : r;
}
