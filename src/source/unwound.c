/*
 * unwound.c - which parts of a sample are kept (see perf/sample.c for all of its fields):
 *   first fields, READ | n, chain | RAW, BRANCH_STACK | REGS_USER, STACK_USER | further fields
 *   kept                 replaced   kept                left out                kept
 *
 * If only the link register was sampled, REGS_USER or, further behind, REGS_INTR is left out.
 */
#include "source/unwound.h"

#define NEEDED (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

enum { WORD = 8, SIZE_MAX_OF_RECORD = UINT16_MAX / WORD * WORD };

bool unwound_is_for(const struct sample_layout *l)
{
	return l->is_lr || (l->sample_type & NEEDED) == NEEDED;
}

/* The kept parts of a decoded sample. A word with size or ABI precedes each field of variable size. */
static void cut(const struct sample_layout *l, const struct sample *s, struct bytes body, struct bytes kept[static 3])
{
	const uint8_t *chain = s->chain.p - WORD, *chain_end = s->chain.p + s->chain.n;
	const struct bytes *from = l->is_lr && l->sample_type & PERF_SAMPLE_REGS_INTR ? &s->intr_regs : &s->user_regs;
	const uint8_t *regs = from->p - WORD, *end = l->is_lr ? from->p + from->n : s->stack.p;
	uint64_t size = 0;

	if (!l->is_lr)
		memcpy(&size, s->stack.p - WORD, sizeof(size));
	/* A word with the number of valid bytes (dyn_size) follows a copy of the stack. */
	end += size ? size + WORD : 0;
	kept[0] = (struct bytes){ body.p, (size_t)(chain - body.p) };
	kept[1] = (struct bytes){ chain_end, (size_t)(regs - chain_end) };
	kept[2] = (struct bytes){ end, (size_t)(body.p + body.n - end) };
}

static uint8_t *put(uint8_t *at, struct bytes b)
{
	memcpy(at, b.p, b.n);
	return at + b.n;
}

/* Cut the chain to its innermost max frames, not counting markers. */
static struct bytes inner(struct bytes chain, size_t max)
{
	size_t n = 0;
	uint64_t v;

	for (size_t at = 0; max && at < chain.n; at += WORD) {
		memcpy(&v, chain.p + at, WORD);
		n += v < PERF_CONTEXT_MAX;
		if (n > max)
			chain.n = at;
	}
	return chain;
}

/* Write the record; a chain that does not fit is cut. */
static int join(const struct perf_record *r, const struct bytes kept[static 3], struct bytes chain, uint8_t *to)
{
	size_t fixed = sizeof(struct perf_rec) + kept[0].n + WORD + kept[1].n + kept[2].n;
	uint64_t n = MIN(chain.n, SIZE_MAX_OF_RECORD - fixed) / WORD;
	struct perf_rec head = {
		.type = PERF_REC_SAMPLE, .misc = r->misc, .size = (uint16_t)(fixed + n * WORD),
	};
	uint8_t *at = put(to, (struct bytes){ (const uint8_t *)&head, sizeof(head) });

	at = put(at, kept[0]);
	at = put(at, (struct bytes){ (const uint8_t *)&n, WORD });
	at = put(at, (struct bytes){ chain.p, n * WORD });
	at = put(at, kept[1]);
	put(at, kept[2]);
	return head.size;
}

int unwound_sample(struct stacks *s, const struct sample_layout *l, const struct perf_record *r, size_t max,
		   uint8_t to[static RING_BOUNCE])
{
	struct bytes kept[3];
	struct sample sample;

	if (l->swap || sample_decode(l, r->body, r->misc, &sample, NULL))
		return -EBADMSG;
	cut(l, &sample, r->body, kept);
	/* REGS_INTR stays in the record, so its reader inserts the kernel's caller: it must not be done here, too. */
	if (!l->is_lr)
		sample.intr_regs.n = 0;
	if (stacks_complete(s, l, &sample))
		return -ENOMEM;
	return join(r, kept, inner(sample.chain, max), to);
}
