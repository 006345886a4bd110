/*
 * tracefs/rtext: lines as trace-cmd report prints them. The whole of it is compared with trace-cmd in tests/kernel;
 * here are lines of it, and what differs from it on purpose:
 *   - an event whose print fmt libtraceevent cannot read ("[FAILED TO PARSE] ...") has its text
 *   - constants that the kernel left as names have their values: hrtimer_init's mode=REL, not 0x9
 *   - events of kvm on arm64 have no "<CANT FIND FIELD exit_reason>" before their text
 *   - a function's call and end are two lines when events were lost between them, and the loss is told
 */
#include "tracefs/text/rtext.h"

#include "rtext_events.h"
#include "t.h"

static bool symbol(void *arg UNUSED, uint64_t addr, struct tprint_symbol *s)
{
	static const char *const names[] = { "vfs_read", "ksys_read", "do_idle" };

	if (addr < 0x1000 || addr >= 0x1300)
		return false;
	*s = (struct tprint_symbol){ .name = names[(addr - 0x1000) / 0x100], .offset = addr % 0x100 };
	return true;
}

static const char *string(void *arg UNUSED, uint64_t addr)
{
	return addr == 0x5000 ? "count=%d of %u\n" : NULL;
}

static const struct tprint_names names = { .symbol = symbol, .string = string };

struct fixture {
	struct tevents t;
	struct rtext *x;
	struct mem_out m;
};

static void begin(struct fixture *f, unsigned flags)
{
	rtext_events(&f->t);
	CHECK_EQ(tevents_add_comms(&f->t, SV("42 sleep\n7 averylongname123\n")), 0);
	f->x = rtext_new(&f->t, &names, flags);
	mem_out_init(&f->m);
}

static struct tstream_rec record(const struct rtext_raw *raw, size_t n)
{
	return (struct tstream_rec){
		.ts = UINT64_C(161306131792), .cpu = 1, .n = (uint32_t)n, .raw = guard_dup(raw->b, n)};
}

/* The line of a record, alone. */
static const char *line(struct fixture *f, const struct tstream_rec *rec)
{
	f->m.n = 0;
	rtext_line(f->x, rtext_event(f->x, rec), rec, NULL, &f->m.out);
	return mem_out_str(&f->m);
}

static const char *line_of(unsigned flags, const struct rtext_raw *raw, size_t n)
{
	static struct fixture f;
	struct tstream_rec rec = record(raw, n);

	begin(&f, flags);
	return line(&f, &rec);
}

static struct rtext_raw sys_exit(unsigned flags, int pid)
{
	struct rtext_raw raw = rtext_raw(401, flags, pid);

	rtext_put(&raw, 8, 64, 8);
	rtext_put(&raw, 16, 1, 8);
	return raw;
}

TEST(rtext_has_the_columns_of_trace_cmd)
{
	struct rtext_raw raw = sys_exit(1 | 4 | 8, 42);

	rtext_put(&raw, 3, 0x21, 1);
	CHECK_STR(line_of(0, &raw, 24),
		  "           sleep-42    [001] dNh12   161.306132: sys_exit:             NR 64 = 1");
	CHECK_STR(line_of(RTEXT_NS, &raw, 24),
		  "           sleep-42    [001] dNh12   161.306131792: sys_exit:             NR 64 = 1");
	CHECK_STR(line_of(RTEXT_LATENCY, &raw, 24),
		  "   sleep-42      1dNh12   161.306132: sys_exit:             NR 64 = 1");
	CHECK_STR(line_of(RTEXT_UNITS, &raw, 24),
		  "           sleep-42    [001] dNh12161306131792: sys_exit:             NR 64 = 1");
	CHECK_STR(line_of(RTEXT_RAW, &raw, 24),
		  "           sleep-42    [001]-0xd   161.306132: sys_exit:              id=64 ret=1");
	raw = sys_exit(16, 0);
	CHECK_STR(line_of(0, &raw, 24),
		  "          <idle>-0     [001] ..s..   161.306132: sys_exit:             NR 64 = 1");
	raw = sys_exit(2, 123456);
	CHECK_STR(line_of(0, &raw, 24),
		  "           <...>-123456 [001] X....   161.306132: sys_exit:             NR 64 = 1");
	raw = sys_exit(0, 7);
	CHECK_STR(line_of(RTEXT_LATENCY, &raw, 24),
		  "averylon-7       1.....   161.306132: sys_exit:             NR 64 = 1");
}

TEST(rtext_tells_times_since_the_line_before)
{
	struct rtext_raw raw = sys_exit(0, 42);
	struct tstream_rec rec = record(&raw, 24);
	struct fixture f;

	begin(&f, RTEXT_DIFF);
	CHECK_STR(line(&f, &rec),
		  "           sleep-42    [001] .....   161.306132:          sys_exit:             NR 64 = 1");
	rec.ts += 22000;
	CHECK_STR(line(&f, &rec),
		  "           sleep-42    [001] .....   161.306154: (+22)    sys_exit:             NR 64 = 1");
}

TEST(rtext_tells_what_was_lost)
{
	struct rtext_raw raw = sys_exit(0, 42);
	struct tstream_rec rec = record(&raw, 24);
	struct fixture f;

	begin(&f, 0);
	rec.lost = 690;
	CHECK(!strncmp(line(&f, &rec), "CPU:1 [690 EVENTS DROPPED]\n           sleep-", 43));
	rec.lost = TPAGE_LOST_UNKNOWN;
	CHECK(!strncmp(line(&f, &rec), "CPU:1 [EVENTS DROPPED]\n           sleep-", 39));
}

TEST(rtext_shows_unknown_events_and_short_records)
{
	struct rtext_raw raw = rtext_raw(999, 0, 42);

	CHECK(strstr(line_of(0, &raw, 24), "[UNKNOWN EVENT] 24 bytes") != NULL);
	raw = sys_exit(0, 42);
	CHECK(strstr(line_of(0, &raw, 4), "[UNKNOWN EVENT] 4 bytes") != NULL);
	raw = rtext_raw(300, 0, 42);
	for (size_t n = 8; n < 64; n += 4)
		CHECK(strstr(line_of(0, &raw, n), "sched_switch: ") != NULL);
	raw = rtext_raw(10, 0, 42);
	for (size_t n = 8; n < 40; n += 4)
		CHECK(strstr(line_of(0, &raw, n), "funcgraph_exit: ") != NULL);
}

/* What stands behind the event's name. */
static const char *text(const char *whole)
{
	const char *colon = strstr(whole, ": ");

	colon = colon ? strstr(colon + 2, ": ") : NULL;
	return colon ? colon + 2 : whole;
}

TEST(rtext_switches_tasks_and_learns_their_names)
{
	struct rtext_raw raw = rtext_raw(300, 0, 42), other = sys_exit(0, 99);
	struct tstream_rec rec, later;
	struct fixture f;

	memcpy(raw.b + 8, "sleep", 6);
	rtext_put(&raw, 24, 42, 4);
	rtext_put(&raw, 28, 120, 4);
	rtext_put(&raw, 32, 0x102, 8);
	memcpy(raw.b + 40, "exactly16letters", 16);
	rtext_put(&raw, 56, 99, 4);
	rtext_put(&raw, 60, (uint64_t)-1, 4);
	rec = record(&raw, 64);
	later = record(&other, 24);
	begin(&f, 0);
	CHECK(strstr(line(&f, &later), "           <...>-99 ") != NULL);
	CHECK_STR(text(line(&f, &rec)), "        sleep:42 [120] D ==> exactly16letters:99 [-1]");
	CHECK(strstr(line(&f, &later), "exactly16letters-99 ") != NULL);
	begin(&f, RTEXT_NO_PLUGINS);
	CHECK_STR(text(line(&f, &rec)), "        sleep");
}

/* Lines are written later than others were followed, in any order: each knows what was before it, and no more. */
TEST(rtext_writes_what_was_followed)
{
	static struct rtext_pen pens[2];
	struct rtext_raw raw = sys_exit(0, 77), change = rtext_raw(300, 0, 42);
	struct tstream_rec early, late, change_rec;
	struct rtext_past past[3];
	struct fixture f;

	memcpy(change.b + 8, "sleep", 6);
	rtext_put(&change, 24, 42, 4);
	memcpy(change.b + 40, "wakened", 8);
	rtext_put(&change, 56, 77, 4);
	early = late = record(&raw, 24);
	change_rec = record(&change, 64);
	late.ts += 5000;
	begin(&f, RTEXT_DIFF);
	rtext_follow(f.x, rtext_event(f.x, &early), &early, &past[0]);
	rtext_follow(f.x, rtext_event(f.x, &change_rec), &change_rec, &past[1]);
	rtext_follow(f.x, rtext_event(f.x, &late), &late, &past[2]);
	for (int i = 0; i < 2; i++) {
		f.m.n = 0;
		rtext_write(f.x, &pens[i], rtext_event(f.x, &late), &late, NULL, &past[2], &f.m.out);
		CHECK(strstr(mem_out_str(&f.m), "wakened-77 "));
		CHECK(strstr(mem_out_str(&f.m), "(+5)"));
		f.m.n = 0;
		rtext_write(f.x, &pens[!i], rtext_event(f.x, &early), &early, NULL, &past[0], &f.m.out);
		CHECK(strstr(mem_out_str(&f.m), "<...>-77 "));
		CHECK(!strstr(mem_out_str(&f.m), "(+"));
	}
}

TEST(rtext_indents_functions_by_their_callers)
{
	struct rtext_raw raw = rtext_raw(1, 0, 42);
	struct tstream_rec rec;
	struct fixture f;

	begin(&f, 0);
	rtext_put(&raw, 8, 0x1104, 8);
	rtext_put(&raw, 16, 0x1204, 8);
	rec = record(&raw, 24);
	CHECK_STR(text(line(&f, &rec)), "            ksys_read");
	rtext_put(&raw, 8, 0x1000, 8);
	rtext_put(&raw, 16, 0x1150, 8);
	rec = record(&raw, 24);
	CHECK_STR(text(line(&f, &rec)), "               vfs_read");
	begin(&f, RTEXT_PARENT | RTEXT_OFFSET | RTEXT_NO_INDENT);
	CHECK_STR(text(line(&f, &rec)), "            vfs_read+0x0  <-- ksys_read+0x50 ");
	rtext_put(&raw, 8, 0x9000, 8);
	rec = record(&raw, 24);
	CHECK_STR(text(line(&f, &rec)), "            0x9000 <-- ksys_read+0x50 ");
}

TEST(rtext_folds_the_end_of_a_function_into_its_call)
{
	struct rtext_raw a = rtext_raw(11, 0, 42), b = rtext_raw(10, 0, 42);
	struct tstream_rec call, end;
	struct fixture f;
	const struct rtext_event *x, *y;

	rtext_put(&a, 8, 0x1000, 8);
	rtext_put(&a, 16, 2, 4);
	rtext_put(&b, 8, 0x1000, 8);
	rtext_put(&b, 16, 2, 4);
	rtext_put(&b, 24, 1000, 8);
	rtext_put(&b, 32, 143640, 8);
	call = record(&a, 20);
	end = record(&b, 40);
	begin(&f, RTEXT_TAIL | RTEXT_DEPTH);
	x = rtext_event(f.x, &call);
	y = rtext_event(f.x, &end);
	CHECK(rtext_wants_next(f.x, x) && !rtext_wants_next(f.x, y) && !rtext_wants_next(f.x, NULL));
	CHECK(rtext_is_leaf(x, &call, y, &end));
	CHECK(!rtext_is_leaf(x, &call, x, &call) && !rtext_is_leaf(x, &call, NULL, &end));
	CHECK_STR(text(line(&f, &call)), "                  |      vfs_read() { (2)");
	CHECK_STR(text(line(&f, &end)), "      ! 142.640 us |      } /* vfs_read */ (2)");
	f.m.n = 0;
	rtext_line(f.x, x, &call, &(struct rtext_leaf){ y, &end }, &f.m.out);
	CHECK_STR(text(mem_out_str(&f.m)), "     ! 142.640 us |      vfs_read(); (2)");
	end.lost = 1;
	CHECK(!rtext_is_leaf(x, &call, y, &end));
	rtext_put(&b, 4, 43, 4);
	end = record(&b, 40);
	CHECK(!rtext_is_leaf(x, &call, y, &end));
}

TEST(rtext_lists_stacks)
{
	struct rtext_raw raw = rtext_raw(4, 0, 42);

	rtext_put(&raw, 8, 2, 4);
	rtext_put(&raw, 16, 0x1004, 8);
	rtext_put(&raw, 24, 0x9000, 8);
	CHECK_STR(text(line_of(0, &raw, 32)), "        <stack trace >\n=> vfs_read (1004)\n=> 9000");
	CHECK_STR(text(line_of(0, &raw, 28)), "        <stack trace >\n=> vfs_read (1004)");
	rtext_put(&raw, 24, UINT64_MAX, 8);
	CHECK_STR(text(line_of(RTEXT_OFFSET, &raw, 32)), "        <stack trace >\n=> vfs_read+0x4  (1004)");
}

TEST(rtext_names_the_operations_of_futex)
{
	struct rtext_raw raw = rtext_raw(400, 0, 42);

	rtext_put(&raw, 16, 0xffff1000, 8);
	rtext_put(&raw, 24, 128, 8);
	rtext_put(&raw, 32, 2, 8);
	CHECK_STR(text(line_of(0, &raw, 64)),
		  "     op=FUTEX_WAIT|FUTEX_PRIVATE_FLAG uaddr=0xffff1000 val=0x00000002 utime=0x00000000");
	rtext_put(&raw, 24, 3 | 256, 8);
	rtext_put(&raw, 48, 0x10, 8);
	CHECK_STR(text(line_of(0, &raw, 64)),
		  "     op=FUTEX_REQUEUE|FUTEX_CLOCK_REALTIME uaddr=0xffff1000 val=2 val2=0 uaddr2=0x00000010");
	rtext_put(&raw, 24, 77, 8);
	CHECK_STR(text(line_of(0, &raw, 64)), "     uaddr");
}

TEST(rtext_marks_events)
{
	struct rtext_raw raw = rtext_raw(1, 0, 42);
	struct tstream_rec rec;
	struct arena a = { 0 };
	struct fixture f;
	struct rex r;

	rtext_put(&raw, 8, 0x1000, 8);
	rec = record(&raw, 24);
	begin(&f, 0);
	CHECK_EQ(rex_init(&r, &a, SV("^func.*n$"), NULL), 0);
	CHECK_EQ(rtext_mark(f.x, &r, RTEXT_EVENT_PLAIN), 0);
	CHECK_STR(text(line(&f, &rec)), "             vfs_read <-- 0x0");
	CHECK_EQ(rtext_mark(f.x, &r, RTEXT_EVENT_RAW), 0);
	CHECK_STR(text(line(&f, &rec)), "             ip=vfs_read (0x1000) parent_ip=0x0");
}

TEST(rtext_fills_in_formats_of_trace_printk)
{
	struct rtext_raw raw = rtext_raw(6, 0, 42);

	rtext_put(&raw, 8, 0x1010, 8);
	rtext_put(&raw, 16, 0x5000, 8);
	rtext_put(&raw, 24, (uint32_t)-3, 4);
	rtext_put(&raw, 28, 7, 4);
	CHECK_STR(text(line_of(0, &raw, 32)), "              vfs_read: count=-3 of 7");
	CHECK(strstr(line_of(0, &raw, 26), "bprint: ") != NULL);
	rtext_put(&raw, 16, 0x6000, 8);
	CHECK(strstr(line_of(0, &raw, 32), "vfs_read: ") != NULL);
}
