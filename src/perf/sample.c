/*
 * sample.c - fields of a SAMPLE body, in the order in which Linux 6.18's perf_output_sample()
 * writes them:
 *   IDENTIFIER IP TID TIME ADDR ID STREAM_ID CPU PERIOD            8 bytes each
 *   READ CALLCHAIN RAW BRANCH_STACK REGS_USER STACK_USER           of variable size
 *   WEIGHT|WEIGHT_STRUCT DATA_SRC TRANSACTION                      8 bytes each
 *   REGS_INTR
 *   PHYS_ADDR CGROUP DATA_PAGE_SIZE CODE_PAGE_SIZE                 8 bytes each
 *   AUX
 * Trailer of other records, at their end: TID TIME ID STREAM_ID CPU IDENTIFIER.
 */
#include "perf/sample_plain.h"

#include "perf/callgraph.h"

enum { BRANCH_ENTRY = 24 };

#define WEIGHTS (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)
#define REST_WORDS (WEIGHTS | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | \
		    PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE)
#define REST_OTHERS (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_AUX)
#define REST (REST_WORDS | REST_OTHERS)
#define VARIABLE (PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK)
#define TRAILER (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
		 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/* Size of the 8-byte fields of `mask` that samples of this sample_type have. */
static int words(uint64_t sample_type, uint64_t mask)
{
	return 8 * __builtin_popcountll(sample_type & mask);
}

/* Size of the fields in REST_WORDS; WEIGHT and WEIGHT_STRUCT share one word. */
static size_t rest_bytes(uint64_t sample_type)
{
	bool both = (sample_type & WEIGHTS) == WEIGHTS;

	return (size_t)words(sample_type, REST_WORDS) - 8 * both;
}

void sample_layout_init(struct sample_layout *l, const struct perf_attr *attr)
{
	*l = (struct sample_layout){
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.branch_type = attr->branch_sample_type,
		.regs_user = attr->sample_regs_user,
		.regs_intr = attr->sample_regs_intr,
		.period = attr->flags & PERF_ATTR_FREQ ? 1 : attr->sample_period,
		.head = (size_t)words(attr->sample_type, SAMPLE_HEAD),
		.rest = attr->sample_type & REST_OTHERS ? 0 : rest_bytes(attr->sample_type),
		.words = !(attr->sample_type & (VARIABLE | REST_OTHERS)),
		.is_lr = callgraph_is_lr(attr, UINT64_MAX),
		.id_all = attr->flags & PERF_ATTR_SAMPLE_ID_ALL,
	};
}

int sample_id_offset(uint64_t sample_type)
{
	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(sample_type & PERF_SAMPLE_ID))
		return -1;
	return words(sample_type,
		     PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR);
}

int sample_id_offset_end(uint64_t sample_type)
{
	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		return 8;
	if (!(sample_type & PERF_SAMPLE_ID))
		return -1;
	return 8 + words(sample_type, PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU);
}

/* Borrow n * size bytes; n comes from the input. */
static inline struct bytes take(struct cursor *c, uint64_t n, size_t size)
{
	if (n > cur_left(c) / size) {
		c->bad = true;
		return (struct bytes){ 0 };
	}

	size_t total = (size_t)n * size;

	return (struct bytes){ .p = cur_bytes(c, total), .n = c->bad ? 0 : total };
}

static struct bytes take_read(struct cursor *c, uint64_t format)
{
	struct cursor at = *c;
	uint64_t events = format & PERF_FORMAT_GROUP ? cur_u64(&at) : 1;
	size_t each = 8 + (size_t)words(format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
	size_t fixed = (size_t)words(format,
				     PERF_FORMAT_ENABLED | PERF_FORMAT_RUNNING | PERF_FORMAT_GROUP);

	if (events > cur_left(c) / each) {
		c->bad = true;
		return (struct bytes){ 0 };
	}
	return take(c, fixed + events * each, 1);
}

static struct bytes take_regs(struct cursor *c, uint64_t mask, uint64_t *abi)
{
	*abi = cur_u64(c);
	return take(c, *abi ? (uint64_t)__builtin_popcountll(mask) : 0, 8);
}

static struct bytes take_stack(struct cursor *c)
{
	uint64_t size = cur_u64(c);

	if (!size)
		return (struct bytes){ .p = c->pos };

	struct bytes stack = take(c, size, 1);
	uint64_t valid = cur_u64(c);

	if (valid > stack.n)
		c->bad = true;
	else
		stack.n = (size_t)valid;
	return stack;
}

static void take_branches(const struct sample_layout *l, struct cursor *c, struct sample *s)
{
	s->n_branch = cur_u64(c);
	if (l->branch_type & PERF_BRANCH_HW_INDEX)
		cur_u64(c);
	s->branch = take(c, s->n_branch, BRANCH_ENTRY);
	if (l->branch_type & PERF_BRANCH_COUNTERS)
		take(c, s->n_branch, 8);
}

/* The last fields when all have 8 bytes; the caller has checked the size. */
static const uint8_t *whole_rest(uint64_t type, const uint8_t *p, struct sample *s)
{
	p = sample_head_word(type & WEIGHTS, p, &s->weight);
	p = sample_head_word(type & PERF_SAMPLE_DATA_SRC, p, &s->data_src);
	p = sample_head_word(type & PERF_SAMPLE_TRANSACTION, p, &s->transaction);
	p = sample_head_word(type & PERF_SAMPLE_PHYS_ADDR, p, &s->phys_addr);
	p = sample_head_word(type & PERF_SAMPLE_CGROUP, p, &s->cgroup);
	p = sample_head_word(type & PERF_SAMPLE_DATA_PAGE_SIZE, p, &s->data_page);
	return sample_head_word(type & PERF_SAMPLE_CODE_PAGE_SIZE, p, &s->code_page);
}

/*
 * The fields behind the branch stack: rarely present, so kept out of the hot path. NULL or the name of the
 * part that is cut.
 */
static const char *decode_rest(const struct sample_layout *l, struct cursor *c, struct sample *s)
{
	uint64_t type = l->sample_type;

	if (l->rest && !c->swap && cur_left(c) >= l->rest) {
		c->pos = whole_rest(type, c->pos, s);
		return NULL;
	}
	if (type & PERF_SAMPLE_REGS_USER)
		s->user_regs = take_regs(c, l->regs_user, &s->user_abi);
	if (c->bad)
		return "user registers";
	if (type & PERF_SAMPLE_STACK_USER)
		s->stack = take_stack(c);
	if (c->bad)
		return "user stack";
	if (type & WEIGHTS)
		s->weight = cur_u64(c);
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = cur_u64(c);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = cur_u64(c);
	if (type & PERF_SAMPLE_REGS_INTR)
		s->intr_regs = take_regs(c, l->regs_intr, &s->intr_abi);
	if (c->bad)
		return "registers at the interrupt";
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = cur_u64(c);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = cur_u64(c);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page = cur_u64(c);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page = cur_u64(c);
	if (type & PERF_SAMPLE_AUX)
		take(c, cur_u64(c), 1);
	return c->bad ? "last fields" : NULL;
}

/*
 * The kernel writes the hardware index (hw_idx) only when the sample had a branch stack, which no bit
 * of the record tells: with zero branches both forms exist. Try the one with the index first; if it does
 * not fit into the record, it is the other.
 */
static const char *decode_branches(const struct sample_layout *l, struct cursor *c,
				   struct sample *s)
{
	struct cursor without = *c;
	const char *cut;

	take_branches(l, c, s);
	cut = c->bad ? "branch stack" : decode_rest(l, c, s);
	if (cut && !cur_u64(&without)) {
		*c = without;
		return decode_rest(l, c, s);
	}
	return cut;
}

static inline void decode_head(const struct sample_layout *l, struct cursor *c, struct sample *s)
{
	uint64_t type = l->sample_type;

	if (!c->swap && l->head && cur_left(c) >= l->head) {
		c->pos = sample_whole_head(type, c->pos, s);
		return;
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = cur_u64(c);
	if (type & PERF_SAMPLE_IP)
		s->ip = cur_u64(c);
	if (type & PERF_SAMPLE_TID) {
		s->pid = cur_u32(c);
		s->tid = cur_u32(c);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = cur_u64(c);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = cur_u64(c);
	if (type & PERF_SAMPLE_ID)
		s->id = cur_u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = cur_u64(c);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = cur_u32(c);
		cur_u32(c);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = cur_u64(c);
}

/* NULL or the name of the part that is cut. */
static const char *decode(const struct sample_layout *l, struct cursor *c, struct sample *s)
{
	uint64_t type = l->sample_type;

	decode_head(l, c, s);
	if (c->bad)
		return "first fields";
	if (!(type & ~SAMPLE_HEAD))
		return NULL;
	if (type & PERF_SAMPLE_READ)
		s->read = take_read(c, l->read_format);
	if (c->bad)
		return "counter values";
	if (type & PERF_SAMPLE_CALLCHAIN) {
		s->n_chain = cur_u64(c);
		s->chain = take(c, s->n_chain, 8);
	}
	if (c->bad)
		return "call chain";
	if (type & PERF_SAMPLE_RAW)
		s->raw = take(c, cur_u32(c), 1);
	if (c->bad)
		return "raw data";
	if (type & PERF_SAMPLE_BRANCH_STACK)
		return decode_branches(l, c, s);
	return type & REST ? decode_rest(l, c, s) : NULL;
}

static inline struct cursor cursor_of(const struct sample_layout *l, struct bytes b)
{
	/* All members at once: storing one later would stall the copy of the struct (store forwarding). */
	return (struct cursor){ .start = b.p, .pos = b.p, .end = b.n ? b.p + b.n : b.p, .swap = l->swap };
}

static int decode_any(const struct sample_layout *l, struct bytes body, struct sample *s, struct err *e)
{
	struct cursor c = cursor_of(l, body);
	const char *cut = decode(l, &c, s);

	if (!cut)
		return 0;
	return err_set(e, EBADMSG, "sample of %zu bytes is cut in its %s, %zu bytes in", body.n, cut, cur_off(&c));
}

int sample_decode(const struct sample_layout *l, struct bytes body, uint16_t misc, struct sample *s,
		  struct err *e)
{
	uint64_t known = 0;

	if (sample_decode_plain(l, body, misc, s, &known))
		return 0;
	sample_clear(s);
	s->cpumode = misc & PERF_MISC_CPUMODE_MASK;
	s->period = l->period;
	if (!l->words || l->swap || body.n < l->head + l->rest)
		return decode_any(l, body, s, e);
	whole_rest(l->sample_type, sample_whole_head(l->sample_type, body.p, s), s);
	return 0;
}

size_t sample_trailer_size(const struct sample_layout *l)
{
	return l->id_all ? (size_t)words(l->sample_type, TRAILER) : 0;
}

int sample_decode_trailer(const struct sample_layout *l, struct bytes body, struct sample *s,
			  struct err *e)
{
	uint64_t type = l->id_all ? l->sample_type & TRAILER : 0;
	size_t size = sample_trailer_size(l);
	struct cursor c = cursor_of(l, body);

	sample_clear(s);
	if (size > body.n)
		return err_set(e, EBADMSG,
			       "record of %zu bytes is too short for its %zu bytes of sample id",
			       body.n, size);
	cur_skip(&c, body.n - size);
	if (type & PERF_SAMPLE_TID) {
		s->pid = cur_u32(&c);
		s->tid = cur_u32(&c);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = cur_u64(&c);
	if (type & PERF_SAMPLE_ID)
		s->id = cur_u64(&c);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = cur_u64(&c);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = cur_u32(&c);
		cur_u32(&c);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = cur_u64(&c);
	return 0;
}

int sample_read(const struct sample_layout *l, const struct sample *s, uint64_t i,
		struct sample_value *v)
{
	uint64_t format = l->read_format, n = 1;
	struct cursor c = cursor_of(l, s->read);
	size_t each = 8 + (size_t)words(format, PERF_FORMAT_ID | PERF_FORMAT_LOST);

	*v = (struct sample_value){ 0 };
	if (format & PERF_FORMAT_GROUP)
		n = cur_u64(&c);
	else
		v->value = cur_u64(&c);
	if (format & PERF_FORMAT_ENABLED)
		v->enabled = cur_u64(&c);
	if (format & PERF_FORMAT_RUNNING)
		v->running = cur_u64(&c);
	if (c.bad || i >= n)
		return 0;
	if (format & PERF_FORMAT_GROUP) {
		take(&c, i, each);
		v->value = cur_u64(&c);
	}
	if (format & PERF_FORMAT_ID)
		v->id = cur_u64(&c);
	if (format & PERF_FORMAT_LOST)
		v->lost = cur_u64(&c);
	return !c.bad;
}

/* CPU mode of the addresses behind a context marker; 0: unknown marker. */
static uint8_t marker_mode(uint64_t v)
{
	switch (v) {
	case PERF_CONTEXT_KERNEL: return PERF_MISC_KERNEL;
	case PERF_CONTEXT_USER: return PERF_MISC_USER;
	case PERF_CONTEXT_HV: return PERF_MISC_HYPERVISOR;
	case PERF_CONTEXT_GUEST_KERNEL: return PERF_MISC_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_USER: return PERF_MISC_GUEST_USER;
	}
	return 0;
}

size_t sample_frames(const struct sample_layout *l, const struct sample *s, struct chain_frame *f, size_t max)
{
	bool has_ip = l->sample_type & PERF_SAMPLE_IP;
	uint8_t mode = s->cpumode;
	bool returns = false, scanned = false;
	size_t n = 0;

	if (has_ip && max)
		f[n++] = (struct chain_frame){ s->ip, s->cpumode, false, false };
	for (uint64_t i = 0; i < s->n_chain && n < max; i++) {
		uint64_t v = sample_chain(l, s, i);

		if (v == SAMPLE_SCANNED) {
			scanned = true;
			continue;
		}
		if (v >= PERF_CONTEXT_MAX) {
			uint8_t m = marker_mode(v);

			mode = m ? m : mode;
			returns = false;
			continue;
		}
		/* Start code ends the list of frame records with a return address of 0. */
		if (!v && returns)
			continue;
		/* The sampled address begins the chain, and f has it; a kernel sample may have a user chain only. */
		if (!(has_ip && n == 1 && !returns && v == s->ip))
			f[n++] = (struct chain_frame){ v, mode, returns, scanned };
		returns = true;
		scanned = false;
	}
	return n;
}
