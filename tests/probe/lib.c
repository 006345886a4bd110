/*
 * lib.c - a shared library: reached through PLT entries from outside and from itself, with two names for one address.
 */
__attribute__((noinline)) int lib_inner(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

int lib_outer(int n)
{
	return lib_inner(n) * 2;
}

int lib_alias(int n) __attribute__((alias("lib_inner")));
