/*
 * methods.cc - names as C++ makes them: methods, overloads, templates, scopes, constructors, operators, exceptions.
 */
#include <stdexcept>

#define KEPT __attribute__((noinline, used))
#define TOUCH(x) __asm__ volatile("" : "+r"(x) : : "memory")

namespace zoo {

class Box {
	int value;

public:
	KEPT explicit Box(int v) : value(v)
	{
		TOUCH(v);
	}

	KEPT virtual ~Box()
	{
		TOUCH(value);
	}

	KEPT int get() const
	{
		int r = value;

		TOUCH(r);
		return r;
	}

	KEPT int add(int n)
	{
		value += n;
		TOUCH(n);
		return value;
	}

	KEPT static int count(int n)
	{
		TOUCH(n);
		return n;
	}

	KEPT bool operator==(const Box &o) const
	{
		int r = value == o.value;

		TOUCH(r);
		return r;
	}

	template <typename T> KEPT T convert(T by) const
	{
		T r = by + (T)value;

		TOUCH(r);
		return r;
	}
};

namespace deep {
KEPT int place(int n)
{
	TOUCH(n);
	return n;
}
} // namespace deep

} // namespace zoo

namespace {
KEPT int hidden(int n)
{
	TOUCH(n);
	return n;
}
} // namespace

KEPT int over(int n)
{
	TOUCH(n);
	return n;
}

KEPT int over(const char *s)
{
	TOUCH(s);
	return s[0];
}

KEPT int over(zoo::Box &b, unsigned long n)
{
	TOUCH(n);
	return (int)n + b.get();
}

template <typename T> KEPT T biggest(T a, T b)
{
	T r = a > b ? a : b;

	TOUCH(r);
	return r;
}

KEPT void thrower(int n)
{
	TOUCH(n);
	if (n == 2)
		throw std::runtime_error("two");
}

KEPT int catcher(int n)
{
	try {
		thrower(n);
	} catch (const std::exception &e) {
		return e.what()[0];
	}
	return n;
}

int main()
{
	zoo::Box box(7), same(9);
	int n = box.get();                            /* zoo::Box::get: 7 */

	n += box.add(2);
	n += zoo::Box::count(3);
	n += box == same;                             /* true by then */
	n += box.convert<int>(4) + (int)box.convert<long>(5);
	n += zoo::deep::place(6) + hidden(7);
	n += over(8) + over("nine") + over(box, 10);  /* zoo::Box::get again: 9 */
	n += biggest<int>(1, -2) + (int)biggest<long>(3, 4);
	n += catcher(1) + catcher(2);
	auto lambda = [n](int m) __attribute__((noinline)) { TOUCH(m); return n + m; };
	return lambda(11) == 0;
}
