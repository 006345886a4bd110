/*
 * Instructions of both architectures one after another, and where probes may sit among them. The first byte chooses
 * the architecture and the side, the second the place.
 */
#include "base/cursor.h"
#include "probe/place.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { START = 0x1000 };

static void check_stream(const struct arch *a, const uint8_t *p, size_t n)
{
	struct arch_insn insn, again;

	for (size_t at = 0; at < n && a->insn(p + at, n - at, START + at, &insn); at += insn.len) {
		if (!insn.len || insn.len > n - at || insn.len > 15)
			abort();
		/* Its own bytes are enough, and one fewer is not. */
		if (!a->insn(p + at, insn.len, START + at, &again))
			abort();
		if (again.len != insn.len || again.flags != insn.flags)
			abort();
		if (a->insn(p + at, insn.len - 1u, START + at, &again))
			abort();
		if (insn.flags & ARCH_INSN_COND && !(insn.flags & ARCH_INSN_BRANCH))
			abort();
	}
}

static void check_place(const struct place_code *c, uint64_t addr)
{
	struct place p, other;
	struct err e;

	place_check(c, addr, &p);
	if ((place_explain(&p, addr, &e) == 0) != (p.verdict == PLACE_GOOD))
		abort();
	if (p.verdict == PLACE_GOOD && p.near != addr)
		abort();
	if (p.near) {
		place_check(c, p.near, &other);
		if (p.verdict != PLACE_OUTSIDE && other.verdict == PLACE_UNALIGNED)
			abort();
	}
	if (p.cheaper) {
		place_check(c, p.cheaper, &other);
		if (other.verdict == PLACE_UNALIGNED || other.verdict == PLACE_OUTSIDE)
			abort();
	}
}

static void check_store(const uint8_t *p, size_t n, uint64_t watched)
{
	uint64_t regs[33] = { 0 };
	struct arch_store s;

	if (arch_store_of(&arch_aarch64)(p, n, regs, watched, &s) &&
	    (!s.size || s.size > 8 || (s.size < 8 && s.value >> s.size * 8)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n);
	uint8_t how = cur_u8(&c), where = cur_u8(&c);
	const struct arch *a = how & 1 ? &arch_aarch64 : &arch_x86_64;
	struct place_code code = { a, cur_from(c.pos, cur_left(&c)), START, how & 2 };
	uint64_t v[4];

	check_stream(a, c.pos, cur_left(&c));
	check_store(c.pos, cur_left(&c), where);
	check_place(&code, START + (uint64_t)where * (how & 1 ? 4 : 1));
	if (place_returns(&code, v, 4) && v[0] < START)
		abort();
	return 0;
}
