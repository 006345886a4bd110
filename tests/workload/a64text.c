/*
 * a64text.c - A64 instructions as text, to be held against what objdump prints of them: lines "ADDRESS WORD", both
 * hexadecimal, from standard input; for each one its text.
 */
#include "arch/aarch64/parts.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char line[200];

	while (fgets(line, sizeof(line), stdin)) {
		char *end;
		uint64_t addr = strtoull(line, &end, 16);
		uint32_t w = (uint32_t)strtoul(end, NULL, 16);
		uint8_t bytes[4] = { (uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24) };
		struct arch_disasm d;

		if (!arch_disasm_of(&arch_aarch64)(bytes, 4, addr, &d))
			return 1;
		puts(d.text);
	}
	return 0;
}
