/* Scopes, members, templates. */
namespace ns {
namespace { __attribute__((noinline)) int hidden(int x) { return x * 3; } }
struct base { int b = 1; };
template<class T> struct klass : base {
	T v;
	explicit klass(T t) : v(t) {}
	__attribute__((noinline)) T f(T a) const { return a + v + b; }
	static int made;
	struct nested { int z; __attribute__((noinline)) int g(int q) { return q + z; } };
};
template<class T> int klass<T>::made = 4;
int free_f(int a) { return hidden(a) + 1; }
}
int free_f(int a) { return a; }
extern "C" void _start()
{
	ns::klass<int> k(2);
	ns::klass<long> l(3);
	ns::klass<int>::nested n{4};
	volatile int sink = k.f(2) + (int)l.f(3) + n.g(5) + ns::free_f(6) + free_f(7) + ns::klass<int>::made;
	(void)sink;
}
