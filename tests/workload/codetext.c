/*
 * codetext.c - instructions as text, to be held against what objdump prints of them: lines "ADDRESS BYTES", both
 * hexadecimal, from standard input; for each one its length and its text. codetext ARCHITECTURE.
 */
#include "arch/arch.h"
#include "arch/disasm.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t nibble(char c)
{
	return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

int main(int argc, char **argv)
{
	const struct arch *a = argc > 1 ? arch_by_name(argv[1]) : NULL;
	struct arch_disasm_memo memo = { 0 };
	char line[200];

	while (a && fgets(line, sizeof(line), stdin)) {
		char *p;
		uint64_t addr = strtoull(line, &p, 16);
		uint8_t bytes[32];
		size_t n = 0;
		char text[ARCH_DISASM_TEXT];
		struct arch_disasm d = { .text = text };

		for (p++; n < sizeof(bytes) && p[0] > ' ' && p[1] > ' '; p += 2)
			bytes[n++] = (uint8_t)(nibble(p[0]) << 4 | nibble(p[1]));
		if (!arch_disasm_of(a)(bytes, n, addr, &memo, &d))
			return 1;
		printf("%u %s\n", d.len, d.text);
	}
	return !a;
}
