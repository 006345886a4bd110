/*
 * marks.c - markers for tracers as sys/sdt.h leaves them, written by hand: notes in .note.stapsdt, a semaphore, and
 * operands of every form that compilers choose on this architecture.
 */
#include <stdint.h>

__attribute__((section(".probes"), used)) volatile unsigned short marks_guarded_semaphore;

#define MARK(name, semaphore, args, ...)                                                                             \
	__asm__ volatile("990:	nop\n"                                                                               \
			 "	.pushsection .note.stapsdt,\"\",\"note\"\n"                                          \
			 "	.balign 4\n	.4byte 992f-991f, 994f-993f, 3\n"                                    \
			 "991:	.asciz \"stapsdt\"\n992:	.balign 4\n"                                         \
			 "993:	.8byte 990b\n	.8byte _.stapsdt.base\n	.8byte " semaphore "\n"                      \
			 "	.asciz \"marks\"\n	.asciz \"" name "\"\n	.asciz \"" args "\"\n"               \
			 "994:	.balign 4\n	.popsection\n" : : __VA_ARGS__)

__asm__("	.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
	"	.weak _.stapsdt.base\n	.hidden _.stapsdt.base\n"
	"_.stapsdt.base:	.space 1\n	.size _.stapsdt.base, 1\n	.popsection\n");

__attribute__((noinline)) static int emit(int n, int64_t wide, const char *text, const int *table, long index)
{
	int local = n * 2;

	__asm__ volatile("" : "+r"(local));
	MARK("registers", "0", "-4@%w0 -8@%1 8@%2", "r"(n), "r"(wide), "r"(text));
	MARK("memory", "0", "-4@[%0, 4] -4@[%1]", "r"(table), "r"(table));
	MARK("constant", "0", "4@7 -4@-7", "r"(n));
	MARK("indexed", "0", "-4@%w0 -4@[%1, %2, lsl 2]", "r"(n), "r"(table), "r"(index));
	MARK("twice", "0", "-4@%w0", "r"(n));
	MARK("twice", "0", "-4@%w0", "r"(local));
	if (marks_guarded_semaphore)
		MARK("guarded", "marks_guarded_semaphore", "-4@%w0", "r"(n));
	return local;
}

int main(void)
{
	static const int table[] = { 11, -12, 13 };

	return emit(1, -2, "three", table, 2) + emit(4, 5000000000, "six", table, 1) != 10;
}
