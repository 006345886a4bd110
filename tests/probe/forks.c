/*
 * forks.c - children that take turns on the CPUs and end while others go on: what the kernel loses a probe's hits with.
 * hit() is called 10 * (20 + 25 + 30 + 35) = 1,100 times.
 */
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 10, CHILDREN = 4 };

__attribute__((noinline, noipa)) static void hit(int n)
{
	__asm__ volatile("" : : "r"(n));
}

int main(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		for (int c = 0; c < CHILDREN; c++) {
			if (fork())
				continue;
			for (int k = 0; k < 20 + 5 * c; k++) {
				hit(k);
				sched_yield();
			}
			_exit(0);
		}
		for (int c = 0; c < CHILDREN; c++)
			wait(0);
	}
	return 0;
}
