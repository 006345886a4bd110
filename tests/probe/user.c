/*
 * user.c - calls the library through its PLT: lib_inner 2 + 3 times, lib_outer 3 times, lib_alias once.
 */
int lib_inner(int n);
int lib_outer(int n);
int lib_alias(int n);

int main(void)
{
	int i, n = lib_inner(100) + lib_inner(200) + lib_alias(300);

	for (i = 0; i < 3; i++)
		n += lib_outer(i);
	return n != 101 + 201 + 301 + 2 + 4 + 6;
}
