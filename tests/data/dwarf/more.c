/* The other unit: here the struct is defined that prog.c only declares, and a name of three letters. */
struct later { long first; struct { int a, b; } pair; };
struct later later = { 1, { 2, 3 } };
static int sum(const struct later *l)
{
	return (int)l->first + l->pair.a;
}
int other(struct later *l);
int other(struct later *l)
{
	static int calls;

	calls++;
	return sum(l ? l : &later) + calls;
}
