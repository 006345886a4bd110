/* Two functions without arguments, one of them each turn; lines 15 and 25 are what the notes' commands name. */
#include <stdlib.h>
#include <unistd.h>

#define TURNS 10

static int func_1_cnt;
static int func_2_cnt;


static void func_1(void) { func_1_cnt++; }

static void func_2(void)
{
	func_2_cnt++;
}

int main(void)
{
	int turn, number;

	for (turn = 0; turn < TURNS; turn++) {
		usleep(1000);
		number = (turn * 7 + 3) % 10;
		if (number < 5)
			func_2();
		else
			func_1();
	}
	return func_1_cnt != 5 || func_2_cnt != 5;
}
