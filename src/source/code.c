/* code.c - from an address to the bytes of its instruction. */
#include "source/code.h"

struct bytes code_insn(const struct session *s, const struct resolver_spaces *in, uint64_t ip)
{
	const struct arch *a = s->arch;
	uint64_t bias = 0;
	struct module *m = resolver_module(s->resolver, &in->user, ip, &bias);
	struct cursor code = m ? module_code(m, ip - bias) : (struct cursor){ .bad = true };
	struct arch_insn insn = { .len = a->insn_size };

	if (code.bad || (!a->insn_size && !a->insn(code.pos, cur_left(&code), ip, &insn)) ||
	    insn.len > cur_left(&code))
		return (struct bytes){ 0 };
	return (struct bytes){ code.pos, insn.len };
}
