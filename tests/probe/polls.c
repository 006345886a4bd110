/* polls.c - calls hit() all the time, until it is killed or a minute is over. */
#include <unistd.h>

__attribute__((noinline, noipa)) static void hit(void)
{
	__asm__ volatile("nop");
}

int main(void)
{
	alarm(60);
	for (;;)
		hit();
}
