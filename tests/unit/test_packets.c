/* What Open vSwitch and DPDK say of their packets. */
#include "packets/ask.h"
#include "packets/packets.h"
#include "t.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/stat.h>
#include <unistd.h>

/* ovs-vswitchd 3.1 with two PMD threads. */
static const char perf_show[] =
	"\nTime: 08:37:23.652\nMeasurement duration: 1.424 s\n\npmd thread numa_id 0 core_id 1:\n\n"
	"  Iterations:               707072  (0.20 us/it)\n"
	"  - Used TSC cycles:    2873135769  (100.0 % of total cycles)\n"
	"  - idle iterations:        707000  ( 99.9 % of used cycles)\n"
	"  - busy iterations:            72  (  0.1 % of used cycles)\n"
	"  Rx packets:                  412  (0 Kpps, 1200 cycles/pkt)\n"
	"  Datapath passes:             412  (1.00 passes/pkt)\n"
	"  - Upcalls:                     2  (  0.5 %, 61.0 us/upcall)\n  - Lost upcalls:                1  (  0.2 %)\n"
	"\nTime: 08:37:23.652\n\npmd thread numa_id 0 core_id 3:\n\n  Iterations:                  5  (1.00 us/it)\n"
	"  Rx packets:                    0\n\nmain thread:\n\n  Rx packets:                   77  (0 Kpps)\n";

static const char stats_show[] =
	"pmd thread numa_id 0 core_id 1:\n  packets received: 412\n  miss with success upcall: 2\n"
	"  idle cycles: 2947920990 (99.98%)\n  processing cycles: 494400 (0.02%)\n"
	"main thread:\n  packets received: 77\n";

TEST(packets_of_pmd_threads)
{
	struct ovs_stats s = { 0 };
	const struct ovs_pmd *p;

	CHECK_EQ(ovs_read_pmds(&s, SV(perf_show)), 0);
	CHECK_EQ(ovs_read_pmds(&s, SV(stats_show)), 0);
	CHECK_EQ(s.pmds.n, 2);
	p = ovs_pmd_of(&s, 1);
	CHECK_EQ(p->number[OVS_PACKETS], 412);
	CHECK_EQ(p->number[OVS_ITERATIONS], 707072);
	CHECK_EQ(p->number[OVS_IDLE], 707000);
	CHECK_EQ(p->number[OVS_UPCALLS], 2);
	CHECK_EQ(p->number[OVS_LOST], 1);
	CHECK_EQ(p->number[OVS_BUSY_CYCLES], 494400);
	CHECK_EQ(p->number[OVS_IDLE_CYCLES], 2947920990);
	p = ovs_pmd_of(&s, 3);
	CHECK(p->known[OVS_PACKETS] && !p->number[OVS_PACKETS] && !p->known[OVS_BUSY_CYCLES]);
	CHECK(!ovs_pmd_of(&s, 0));
	ovs_deinit(&s);
}

TEST(packets_flows_of_datapaths)
{
	static const char text[] =
		"system@ovs-system:\n  flows         : (current 7) (avg 6) (max 118) (limit 10000)\n"
		"  offloaded flows : 3\n  dump duration : 12ms\n  ufid enabled : true\n\n  23: (keys 4)\n"
		"netdev@ovs-netdev:\n  flows         : (current 0) (avg x) (max\n  dump duration : \n";
	struct ovs_flows v[OVS_DATAPATHS];

	CHECK_EQ(ovs_read_flows(v, SV(text)), 2);
	CHECK_STR(v[0].name, "system@ovs-system");
	CHECK(v[0].current == 7 && v[0].average == 6 && v[0].most == 118 && v[0].limit == 10000);
	CHECK_EQ(v[0].dump_ms, 12);
	CHECK_STR(v[1].name, "netdev@ovs-netdev");
	CHECK(!v[1].current && !v[1].most && !v[1].dump_ms);
	CHECK_EQ(ovs_read_flows(v, SV("nothing\n  flows : (current 3)\n")), 0);
}

TEST(packets_of_two_datapaths_are_added)
{
	static const char text[] = "pmd thread numa_id 0 core_id 1:\n  packets received: 3\n"
				   "pmd thread numa_id 0 core_id 1:\n  packets received: 4\n";
	struct ovs_stats s = { 0 };

	CHECK_EQ(ovs_read_pmds(&s, SV(text)), 0);
	CHECK_EQ(ovs_pmd_of(&s, 1)->number[OVS_PACKETS], 7);
	ovs_deinit(&s);
}

TEST(packets_queues_of_a_thread)
{
	static const char text[] =
		"Displaying last 5 seconds pmd usage %\npmd thread numa_id 0 core_id 1:\n  isolated : false\n"
		"  port: dpdk0             queue-id:  0 (enabled)   pmd usage: 31 %\n"
		"  port: a-name-that-is-longer-than-it-should-be queue-id: 12 (disabled)  pmd usage: NOT AVAIL\n"
		"  overhead:  4 %\npmd thread numa_id 1 core_id 9:\n  isolated : true\n"
		"  port: vhost1            queue-id:  1 (enabled)   pmd usage: NOT AVAIL\n  overhead: NOT AVAIL\n";
	struct ovs_stats s = { 0 };
	double busy;

	CHECK_EQ(ovs_read_queues(&s, SV(text)), 0);
	CHECK_EQ(s.queues.n, 5);
	CHECK_STR(s.queues.v[0].port, "dpdk0");
	CHECK_STR(s.queues.v[1].port, "a-name-that-is-longer-than-it-should-be");
	CHECK_EQ(s.queues.v[1].queue, 12);
	CHECK(s.queues.v[2].is_overhead && !s.queues.v[3].is_overhead && s.queues.v[3].core == 9);
	CHECK(ovs_busy(&s, 1, &busy) && busy == 35);
	CHECK(!ovs_busy(&s, 9, &busy));
	ovs_deinit(&s);
}

TEST(packets_that_are_dropped)
{
	static const char text[] =
		"Event coverage, avg rate over last: 5 seconds, last minute, last hour,  hash=7dcf0918:\n"
		"datapath_drop_upcall_error   0.2/sec     0.050/sec        0.0008/sec   total: 3\n"
		"bridge_reconfigure         0.0/sec     0.000/sec        0.0000/sec   total: 2\n7 events never hit\n";
	struct ovs_stats s = { 0 };

	CHECK_EQ(ovs_read_drops(&s, SV(text)), 0);
	CHECK_EQ(s.drops.n, 1);
	CHECK_STR(s.drops.v[0].name, "datapath_drop_upcall_error");
	CHECK_EQ(s.drops.v[0].total, 3);
	CHECK(s.drops.v[0].is_loss);
	CHECK_EQ(ovs_read_drops(&s, SV("vhost_tx_contention 0.0/sec 0.000/sec 0.0000/sec total: 9\n")), 0);
	CHECK(s.drops.n == 2 && !s.drops.v[1].is_loss);
	ovs_deinit(&s);
}

/* ovs-vswitchd 3.1 with both of its datapaths; the kernel's is not the threads'. */
TEST(packets_that_ports_drop)
{
	static const char text[] =
		"system@ovs-system:\n  lookups: hit:3 missed:4 lost:1\n  port 2: eth0\n"
		"    RX packets:7 errors:0 dropped:5 overruns:0 frame:0\n"
		"netdev@ovs-netdev:\n  lookups: hit:3 missed:4 lost:1\n  flows: 0\n"
		"  port 0: ovs-netdev (tap)\n    RX packets:0 errors:0 dropped:0 overruns:0 frame:0\n"
		"    TX packets:0 errors:0 dropped:0 aborted:0 carrier:0\n    collisions:0\n"
		"  port 1: dpdk0 (dpdk: configured_rx_queues=1, mtu=1500)\n"
		"    RX packets:412 errors:2 dropped:1824 overruns:? frame:?\n"
		"    TX packets:9 errors:? dropped:7 aborted:? carrier:?\n    RX bytes:0  TX bytes:0\n";
	struct ovs_stats s = { 0 };

	CHECK_EQ(ovs_read_ports(&s, SV(text)), 0);
	CHECK_EQ(s.drops.n, 3);
	CHECK_STR(s.drops.v[0].name, "dpdk0 rx dropped");
	CHECK_EQ(s.drops.v[0].total, 1824);
	CHECK_STR(s.drops.v[1].name, "dpdk0 rx errors");
	CHECK_EQ(s.drops.v[1].total, 2);
	CHECK_STR(s.drops.v[2].name, "dpdk0 tx dropped");
	CHECK_EQ(s.drops.v[2].total, 7);
	ovs_clear(&s);
	CHECK_EQ(ovs_read_ports(&s, SV("x:\n  port\n  RX packets:1 dropped:2\n  port 1:\n    RX dropped:3\n")), 0);
	CHECK_EQ(s.drops.n, 0);
	ovs_deinit(&s);
}

static const struct json_doc *doc(struct json_doc *d, const char *text)
{
	struct err e = { 0 };

	json_doc_deinit(d);
	CHECK_EQ(json_read(d, text, strlen(text), &e), 0);
	return d;
}

TEST(packets_of_dpdk)
{
	struct json_doc d = { 0 };
	struct dpdk_stats s = { 0 };
	struct err e = { 0 };

	CHECK_EQ(dpdk_read_ports(&s, doc(&d, "{\"/ethdev/list\": [0, 3]}"), &e), 0);
	CHECK(s.ports.n == 2 && s.ports.v[1].id == 3);
	dpdk_read_port_stats(&s.ports.v[1],
			     doc(&d, "{\"/ethdev/stats\": {\"ipackets\": 7, \"opackets\": 6, \"imissed\": 5, "
						    "\"rx_nombuf\": 4, \"ierrors\": 3, \"oerrors\": 2, "
						    "\"q_ipackets\": [7, 0]}}"));
	CHECK(s.ports.v[1].received == 7 && s.ports.v[1].sent == 6);
	CHECK(s.ports.v[1].dropped[DPDK_MISSED] == 5 && s.ports.v[1].dropped[DPDK_NO_BUFFER] == 4);
	CHECK(s.ports.v[1].dropped[DPDK_RX_ERRORS] == 3 && s.ports.v[1].dropped[DPDK_TX_ERRORS] == 2);
	dpdk_read_port_info(&s.ports.v[1], doc(&d, "{\"/ethdev/info\": {\"name\": \"net_null1\"}}"));
	CHECK_STR(s.ports.v[1].name, "net_null1");
	CHECK_EQ(dpdk_read_cores(&s, doc(&d, "{\"/eal/lcore/list\": [0, 1]}"), &e), 0);
	dpdk_read_core_info(&s.cores.v[0], doc(&d, "{\"/eal/lcore/info\": {\"lcore_id\": 0, \"cpuset\": [0, 1]}}"));
	dpdk_read_core_info(&s.cores.v[1], doc(&d, "{\"/eal/lcore/info\": {\"lcore_id\": 1, \"cpuset\": [5]}}"));
	CHECK(s.cores.v[0].cpu == -1 && s.cores.v[1].cpu == 5 && !s.cores.v[1].has_usage);
	dpdk_read_usage(&s, doc(&d, "{\"/eal/lcore/usage\": {\"lcore_ids\": [1], \"total_cycles\": [100], "
				    "\"busy_cycles\": [25]}}"));
	CHECK(s.cores.v[1].has_usage && s.cores.v[1].busy == 25 && s.cores.v[1].total == 100);
	/* What it does not know it answers so. */
	CHECK_EQ(dpdk_read_ports(&s, doc(&d, "{\"/ethdev/list\": null}"), &e), -EBADMSG);
	CHECK_EQ(dpdk_read_ports(&s, doc(&d, "[]"), &e), -EBADMSG);
	json_doc_deinit(&d);
	dpdk_deinit(&s);
}

TEST(packets_between_two_answers)
{
	struct ovs_pmd before = { .core = 1, .number = { 100 }, .known = { true } }, now = before;
	struct dpdk_port was = { .id = 2, .received = 10 };
	struct dpdk_port is[2] = { { .id = 1, .received = 5 }, { .id = 2, .received = 40 } };
	struct dpdk_core core = { .cpu = 5, .has_usage = true, .busy = 10, .total = 100 }, later = core;
	struct packets p = { .before.at = 1, .now.at = 2 };
	uint64_t grown;
	double busy;

	now.number[0] = 130;
	later.busy = 35;
	later.total = 200;
	p.before.ovs.pmds.v = &before;
	p.now.ovs.pmds.v = &now;
	p.before.ovs.pmds.n = p.now.ovs.pmds.n = 1;
	CHECK(packets_ovs(&p, 1, OVS_PACKETS, &grown) && grown == 30);
	CHECK(!packets_ovs(&p, 1, OVS_UPCALLS, &grown));
	CHECK(!packets_ovs(&p, 2, OVS_PACKETS, &grown));
	/* Somebody has cleared them. */
	now.number[0] = 20;
	CHECK(packets_ovs(&p, 1, OVS_PACKETS, &grown) && grown == 20);
	p.before.dpdk.ports.v = &was;
	p.before.dpdk.ports.n = 1;
	p.now.dpdk.ports.v = is;
	p.now.dpdk.ports.n = 2;
	CHECK(packets_dpdk_received(&p, &grown) && grown == 35);
	p.before.dpdk.cores.v = &core;
	p.now.dpdk.cores.v = &later;
	p.before.dpdk.cores.n = p.now.dpdk.cores.n = 1;
	CHECK(packets_dpdk_busy(&p, 5, &busy) && busy == 25);
	CHECK(!packets_dpdk_busy(&p, 6, &busy));
	p.now.at = 0;
	CHECK(!packets_dpdk_received(&p, &grown) && !packets_ovs(&p, 1, OVS_PACKETS, &grown));
}

static char drops_seen[200];

static void note_drop(void *arg UNUSED, const struct packets_drop *d)
{
	size_t n = strlen(drops_seen);

	snprintf(drops_seen + n, sizeof(drops_seen) - n, "%s %s %llu;", d->of, d->what, (unsigned long long)d->n);
}

TEST(packets_dropped_between_two_answers)
{
	struct ovs_drop before[2] = { { "a", 5, true }, { "b", 7, true } };
	struct ovs_drop now[4] = { { "new", 2, true }, { "b", 9, true }, { "a", 5, true }, { "took time", 4, false } };
	struct dpdk_port was = { .id = 2, .dropped = { 1, 2, 3, 4 } };
	struct dpdk_port is[2] = { { .id = 1, .name = "nic", .dropped = { 5 } },
				   { .id = 2, .dropped = { 1, 2, 3, 9 } } };
	struct packets p = { .kind = PACKETS_OVS, .before.at = 1, .now.at = 2 };

	p.before.ovs.drops.v = before;
	p.before.ovs.drops.n = 2;
	p.now.ovs.drops.v = now;
	p.now.ovs.drops.n = 4;
	*drops_seen = 0;
	CHECK(packets_drops(&p, note_drop, NULL));
	CHECK_STR(drops_seen, "new  2;b  2;");
	p.kind = PACKETS_DPDK;
	p.before.dpdk.ports.v = &was;
	p.before.dpdk.ports.n = 1;
	p.now.dpdk.ports.v = is;
	p.now.dpdk.ports.n = 2;
	*drops_seen = 0;
	CHECK(packets_drops(&p, note_drop, NULL));
	CHECK_STR(drops_seen, "nic rx missed 5;port 2 tx errors 5;");
	p.before.at = 0;
	CHECK(!packets_drops(&p, note_drop, NULL));
}

/* --- a program that is asked --- */

static char place[64], folder[64];

static void clean(void)
{
	unlink(place);
	rmdir(folder);
}

static int listener(int type)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type, 0);

	snprintf(folder, sizeof(folder), "/tmp/packets.%d", (int)getpid());
	snprintf(place, sizeof(place), "%s/x.ctl", folder);
	snprintf(a.sun_path, sizeof(a.sun_path), "%s", place);
	t_at_end(clean);
	CHECK(!mkdir(folder, 0700) && !bind(fd, (const struct sockaddr *)&a, sizeof(a)) && !listen(fd, 1));
	return fd;
}

/* Answers what comes with this, in pieces, and goes on as long as it is asked. */
static void answerer(int type, const char *greeting, const char *text)
{
	int fd = listener(type), pid = fork(), from, n = (int)strlen(text);
	char buf[4096];

	if (pid) {
		close(fd);
		return;
	}
	alarm(20);
	from = accept(fd, NULL, NULL);
	if (*greeting)
		write(from, greeting, strlen(greeting));
	while (read(from, buf, sizeof(buf)) > 0) {
		if (type == SOCK_STREAM) {
			write(from, text, (size_t)n / 2);
			usleep(10000);
			write(from, text + n / 2, (size_t)(n - n / 2));
		} else {
			write(from, text, (size_t)n);
		}
	}
	_exit(0);
}

static int note_path(void *arg, const char *path)
{
	*(bool *)arg |= !strcmp(path, place);
	return 0;
}

TEST(packets_listeners_of_a_process)
{
	bool found = false;
	int fd = listener(SOCK_STREAM);

	CHECK_EQ(local_listening(&sys_live, (int)getpid(), note_path, &found), 0);
	CHECK(found);
	close(fd);
	found = false;
	CHECK_EQ(local_listening(&sys_live, (int)getpid(), note_path, &found), 0);
	CHECK(!found);
}

TEST(packets_asked_of_a_switch)
{
	struct json_doc d = { 0 };
	struct err e = { 0 };
	struct sv text;
	struct ask a;

	answerer(SOCK_STREAM, "", "{\"id\":0,\"result\":\"one\\ntwo}\",\"error\":null}");
	CHECK_EQ(ask_open(&a, &sys_live, LOCAL_STREAM, (int)getpid(), place, &e), 0);
	CHECK_EQ(ask_ovs(&a, "coverage/show", NULL, &d, &text, &e), 0);
	CHECK_STR(text.s, "one\ntwo}");
	json_doc_deinit(&d);
	CHECK_EQ(ask_ovs(&a, "coverage/show", NULL, &d, &text, &e), 0);
	json_doc_deinit(&d);
	ask_close(&a);
}

TEST(packets_a_switch_that_says_no)
{
	struct json_doc d = { 0 };
	struct err e = { 0 };
	struct sv text;
	struct ask a;

	answerer(SOCK_STREAM, "", "{\"id\":0,\"result\":null,\"error\":\"no such command\"}");
	CHECK_EQ(ask_open(&a, &sys_live, LOCAL_STREAM, (int)getpid(), place, &e), 0);
	CHECK_EQ(ask_ovs(&a, "x", NULL, &d, &text, &e), -EREMOTEIO);
	CHECK_STR(e.text, "no such command");
	json_doc_deinit(&d);
	ask_close(&a);
}

/* Knows that word only, and of one thread. */
static void version_with(const char *word)
{
	static const char yes[] = "{\"id\":0,\"error\":null,\"result\":\"pmd thread numa_id 0 core_id 1:\\n"
				  "  packets received: 7\\n\"}";
	static const char no[] = "{\"id\":0,\"result\":null,\"error\":\"no such command\"}";
	int fd = listener(SOCK_STREAM), from;
	char buf[4096] = "";
	ssize_t n;

	if (fork()) {
		close(fd);
		return;
	}
	alarm(20);
	from = accept(fd, NULL, NULL);
	while ((n = read(from, buf, sizeof(buf) - 1)) > 0) {
		buf[n] = 0;
		dprintf(from, "%s", strstr(buf, word) ? yes : no);
	}
	_exit(0);
}

static void read_of(const char *word, int want)
{
	struct packets p = { .sys = &sys_live, .pid = (int)getpid(), .kind = PACKETS_OVS };
	const struct ovs_pmd *told;
	struct err e = { 0 };

	version_with(word);
	p.path = strdup(place);
	CHECK_EQ(packets_read(&p, &e), want);
	told = ovs_pmd_of(&p.now.ovs, 1);
	CHECK(!want == (told && told->known[OVS_PACKETS] && told->number[OVS_PACKETS] == 7));
	packets_close(&p);
	clean();
}

TEST(packets_of_a_switch_that_lacks_a_word)
{
	read_of("pmd-stats-show", 0);
	read_of("pmd-perf-show", 0);
	read_of("nothing", -ENOTSUP);
}

TEST(packets_asked_of_dpdk)
{
	struct json_doc d = { 0 };
	struct err e = { 0 };
	struct ask a;

	answerer(SOCK_SEQPACKET, "{\"version\":\"DPDK 22.11\"}", "{\"/ethdev/list\":[0,1]}");
	CHECK_EQ(ask_open(&a, &sys_live, LOCAL_SEQPACKET, (int)getpid(), place, &e), 0);
	CHECK_EQ(ask_dpdk(&a, "/ethdev/list", &d, &e), 0);
	CHECK(json_get(&d, &d.v.v[0], "/ethdev/list"));
	json_doc_deinit(&d);
	ask_close(&a);
}

TEST(packets_nobody_waits_for_one_that_is_silent)
{
	struct json_doc d = { 0 };
	struct err e = { 0 };
	struct sv text;
	struct ask a;
	int fd = listener(SOCK_STREAM);

	CHECK_EQ(ask_open(&a, &sys_live, LOCAL_STREAM, (int)getpid(), place, &e), 0);
	CHECK_EQ(ask_ovs(&a, "x", NULL, &d, &text, &e), -ETIMEDOUT);
	json_doc_deinit(&d);
	ask_close(&a);
	CHECK_EQ(ask_open(&a, &sys_live, LOCAL_SEQPACKET, (int)getpid(), place, &e), -EPROTOTYPE);
	close(fd);
	CHECK_EQ(ask_open(&a, &sys_live, LOCAL_STREAM, (int)getpid(), place, &e), -ECONNREFUSED);
	CHECK_EQ(ask_open(&a, &sys_live, LOCAL_STREAM, (int)getpid(), "/nonexistent/x.ctl", &e), -ENOENT);
}

TEST(packets_answer_without_end_is_given_up)
{
	struct json_doc d = { 0 };
	struct err e = { 0 };
	struct sv text;
	struct ask a;
	int fd = listener(SOCK_STREAM);

	if (!fork()) {
		static char flood[65536];
		int from = accept(fd, NULL, NULL);

		alarm(20);
		memset(flood, '[', sizeof(flood));
		for (int i = 0; i < 100 && write(from, flood, sizeof(flood)) > 0; i++)
			;
		_exit(0);
	}
	CHECK_EQ(ask_open(&a, &sys_live, LOCAL_STREAM, (int)getpid(), place, &e), 0);
	CHECK_EQ(ask_ovs(&a, "x", NULL, &d, &text, &e), -EFBIG);
	json_doc_deinit(&d);
	ask_close(&a);
	close(fd);
}
