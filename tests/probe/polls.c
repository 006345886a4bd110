/*
 * polls.c [TURNS [SECONDS [call]]] - calls hit() all the time, until it is killed or a minute (SECONDS) is over, then
 * prints how often. Between two calls it turns an empty loop that often. call: a system call in place of hit().
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t over;

static void on_alarm(int signo)
{
	(void)signo;
	over = 1;
}

__attribute__((noinline, noipa)) static void hit(void)
{
	__asm__ volatile("nop");
}

static unsigned long poll_all_the_time(unsigned long turns, int is_call)
{
	unsigned long hits = 0;

	for (; !over; hits++) {
		if (is_call)
			syscall(SYS_getppid);
		else
			hit();
		for (unsigned long i = 0; i < turns; i++)
			__asm__ volatile("");
	}
	return hits;
}

int main(int argc, char **argv)
{
	signal(SIGALRM, on_alarm);
	alarm(argc > 2 ? (unsigned)atoi(argv[2]) : 60);
	printf("%lu\n", poll_all_the_time(argc > 1 ? strtoul(argv[1], NULL, 10) : 0, argc > 3));
	return 0;
}
