/* shapes.cc - what C++ adds to shapes.c: virtual calls, templates, exceptions, and what runs while one goes up the stack. */
#include <cstdlib>
#include <ctime>
#include <functional>
#include <stdexcept>

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noipa))
#endif

enum { LONG = 20000 };
volatile unsigned long sink;
#define BURN(n) do { for (unsigned long i = 0; i < (n); i++) sink = sink + i; } while (0)

/* TRUTH m_virtual::leaf m_virtual::b m_virtual_a main */
struct m_base {
	virtual ~m_base() {}
	virtual void b() = 0;
};
struct m_virtual : m_base {
	ALONE void leaf() { BURN(LONG); }
	ALONE void b() override { leaf(); sink = sink + 1; }
};
ALONE void m_virtual_a(m_base *o) { o->b(); sink = sink + 1; }

/* TRUTH m_template_leaf m_template_b m_template_a main */
template <typename T> ALONE void m_template_leaf(T n) { BURN((unsigned long)n); }
template <typename T> ALONE void m_template_b(T n) { m_template_leaf<T>(n); sink = sink + 1; }
ALONE void m_template_a() { m_template_b<unsigned short>(LONG); sink = sink + 1; }

/* In the handler of an exception. */
/* TRUTH m_catch_leaf m_catch_a main */
ALONE void m_throw(unsigned long n) { if (n) throw std::runtime_error("thrown"); }
ALONE void m_catch_leaf() { BURN(LONG); }
ALONE void m_catch_a()
{
	try {
		m_throw(sink | 1);
	} catch (const std::runtime_error &) {
		m_catch_leaf();
		sink = sink + 1;
	}
	sink = sink + 1;
}

/* In what is destroyed on the way to the handler. */
/* TRUTH m_clean_leaf m_clean::~m_clean m_clean_b m_clean_a main */
ALONE void m_clean_leaf() { BURN(LONG); }
struct m_clean {
	ALONE ~m_clean() { m_clean_leaf(); sink = sink + 1; }
};
ALONE void m_clean_b() { m_clean here; m_throw(sink | 1); sink = sink + 1; }
ALONE void m_clean_a()
{
	try {
		m_clean_b();
	} catch (...) {
		sink = sink + 1;
	}
}

/* Through an object that can be called: its frames have names of the library. */
/* TRUTH m_lambda_leaf * m_lambda_a main */
ALONE void m_lambda_leaf() { BURN(LONG); }
ALONE void m_lambda_a(const std::function<void()> &f) { f(); sink = sink + 1; }

static double spent()
{
	timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	int milliseconds = argc > 1 ? atoi(argv[1]) : 30;
	std::function<void()> f = [] { m_lambda_leaf(); sink = sink + 1; };
	m_virtual o;

	for (int i = 0; i < 5; i++)
		for (double end = spent() + milliseconds; spent() < end;)
			switch (i) {
			case 0: m_virtual_a(&o); break;
			case 1: m_template_a(); break;
			case 2: m_catch_a(); break;
			case 3: m_clean_a(); break;
			case 4: m_lambda_a(f); break;
			}
	return 0;
}
