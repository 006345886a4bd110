/* A chain of calls, as deep as the notes' one: main, func_a, func_b, func_c, func_d. */
#include <stdio.h>
#include <unistd.h>

void func_d(void)
{
	int msec = 1;

	puts("D is reached");
	usleep(1000 * msec);
}

void func_c(void)
{
	puts("in C");
	func_d();
}

void func_b(void)
{
	puts("in B");
	func_c();
}

void func_a(void)
{
	puts("in A");
	func_b();
}

int main(void)
{
	func_a();
	return 0;
}
