/*
 * fuses.c - macro-fusion: which instructions a processor fuses with the conditional jump after them, according to
 * Intel's and AMD's optimization manuals and perf. A CPUID is text: "GenuineIntel,6,143,8" is family 6, model 143.
 */
#include "arch/x86_64/parts.h"

#include <string.h>

enum { NEHALEM = 0x1e, ZEN3 = 0x19, BULLDOZER = 0x15 };

enum { TESTS = 2, INTELS = 7 };

/* The first TESTS are fused by Nehalem and Bulldozer, the first INTELS by later cores of Intel, all by Zen 3. */
static const char names[][5] = { "cmp", "test", "add", "sub", "and", "inc", "dec", "or", "xor" };

static unsigned number(const char **text)
{
	unsigned v = 0;

	*text = strchr(*text, ',');
	if (!*text)
		*text = "";
	while (**text && *++*text >= '0' && **text <= '9' && v < 1000)
		v = v * 10 + (unsigned)(**text - '0');
	return v;
}

/* How many of the names, from the first one on, this processor fuses. */
static size_t known(const char *cpuid)
{
	const char *text = cpuid;
	unsigned family = number(&text), model = number(&text);

	if (!strncmp(cpuid, "AuthenticAMD", 12))
		return family >= ZEN3 ? sizeof(names) / sizeof(*names) : family >= BULLDOZER ? TESTS : 0;
	if (family != 6 || model < NEHALEM)
		return 0;
	return model == NEHALEM ? TESTS : INTELS;
}

/* Is s the mnemonic `name`, with or without a suffix for the operand size? "cmpl" and "cmp", but not "cmpxchg". */
static bool is_name(const char *s, size_t n, const char *name)
{
	size_t len = strlen(name);

	return n >= len && n <= len + 1 && !memcmp(s, name, len) && (n == len || strchr("bwlq", s[len]));
}

bool arch_x86_64_fuses(const char *cpuid, const char *first, size_t n, const char *branch)
{
	size_t n_names = known(cpuid);

	if (branch[0] != 'j' || !strncmp(branch, "jmp", 3))
		return false;
	for (size_t i = 0; i < n_names; i++)
		if (is_name(first, n, names[i]))
			return true;
	return false;
}
