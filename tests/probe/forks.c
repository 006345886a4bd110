/*
 * forks.c - children that take turns on the CPUs and end while others go on: what the kernel loses a probe's hits with.
 * hit() is called 10 * (20 + 25 + 30 + 35) = 1,100 times; with an argument the children do the same before that, once
 * each: 10 * (4 * 110 + 110) = 5,500 times. LIBRARY: hit() alone; PROGRAM: all but that.
 */
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 10, CHILDREN = 4 };

#ifdef PROGRAM
void hit(int n);
#else
#ifndef LIBRARY
static
#endif
__attribute__((noinline, noipa)) void hit(int n)
{
	__asm__ volatile("" : : "r"(n));
}
#endif

#ifndef LIBRARY
static void family(int generations)
{
	for (int c = 0; c < CHILDREN; c++) {
		if (fork())
			continue;
		if (generations > 1)
			family(generations - 1);
		for (int k = 0; k < 20 + 5 * c; k++) {
			hit(k);
			sched_yield();
		}
		_exit(0);
	}
	for (int c = 0; c < CHILDREN; c++)
		wait(0);
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < ROUNDS; i++)
		family(argc > 1 ? 2 : 1);
	return 0;
}

#ifdef PROGRAM
/* Without the startup code of a C library, which would want one that is as new. */
__asm__(".globl _start\n"
	"_start: mov x29, #0\n"
	"	mov x30, #0\n"
	"	ldr x0, [sp]\n"
	"	add x1, sp, #8\n"
	"	bl main\n"
	"	bl _exit\n");
#endif
#endif
