/* ftrace/guest: which machine is meant, and the name of its file. */
#include "tracing/transport/guest.h"

#include "t.h"

static struct guest g;
static struct err e;

static const char *meant(const char *where, const char *name, const char *output)
{
	static char text[PATH_MAX + 200];
	char address[NET_NAME];

	if (guest_init(&g, &sys_live, where, name, output, &e)) {
		guest_deinit(&g);
		return e.text;
	}
	net_name(&g.addr, address);
	snprintf(text, sizeof(text), "%s %s %s", address, g.name, g.output);
	guest_deinit(&g);
	return text;
}

TEST(guest_is_reached_by_vsock)
{
	CHECK_STR(meant("vm@3:9000", NULL, "trace.dat"), "@3:9000 vm trace-vm.dat");
	CHECK_STR(meant("vm@3", NULL, "trace.dat"), "@3:823 vm trace-vm.dat");
	CHECK_STR(meant("3:9000", NULL, "out/x"), "@3:9000 3 out/x-3");
	CHECK_STR(meant("3", "box", "a.b/trace.dat"), "@3:823 box a.b/trace-box.dat");
	CHECK_STR(meant("@3", NULL, "trace.dat"), "@3:823 guest trace-guest.dat");
}

TEST(guest_is_reached_by_the_network)
{
	CHECK_STR(meant("127.0.0.1:70", NULL, "trace.dat"), "127.0.0.1:70 127.0.0.1 trace-127.0.0.1.dat");
	CHECK_STR(meant("127.0.0.1", "b", "t"), "127.0.0.1:823 b t-b");
	CHECK_STR(meant("[::1]:70", "six", "t.d"), "::1:70 six t-six.d");
	CHECK_STR(meant("localhost:7", NULL, ".dat"), "127.0.0.1:7 localhost .dat-localhost");
}

TEST(guest_name_leads_nowhere_else)
{
	CHECK_STR(meant("../x@3", NULL, "t.d"), "@3:823 _._x t-_._x.d");
}

TEST(guest_that_is_none)
{
	CHECK_STR(meant("x@y:1", NULL, "t"), "x@y:1: no address is known for 'x@y'");
	CHECK_STR(meant("127.0.0.1:99999", NULL, "t"), "127.0.0.1:99999: '127.0.0.1:99999' is not HOST:PORT");
}
