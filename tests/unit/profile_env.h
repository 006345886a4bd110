/* profile_env.h - a profile of samples that a test makes up, of one event, without any map. */
#ifndef TESTS_PROFILE_ENV_H
#define TESTS_PROFILE_ENV_H

#include "report/profile_live.h"
#include "source/session.h"
#include "t.h"

static const struct source_kind no_kind;
static struct source no_source = { .kind = &no_kind };
static struct perf_head head;
static struct session session = { .head = &head, .source = &no_source, .arch = &arch_x86_64 };
static struct profile profile;

static void begin(unsigned keys, unsigned rows)
{
	static const struct sym_want want = { .arch = &arch_x86_64 };
	static const struct filter_want none;
	struct profile_want pw = {
		.keys = keys, .rows = rows, .chains = PROFILE_FLAT,
		.budget = { .jobs = 1, .memory = UINT64_C(64) << 20 },
	};

	session.resolver = resolver_new(&want, NULL);
	CHECK(vec_add(&head.events) != NULL);
	head.events.v[0].layout.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	CHECK_EQ(profile_begin(&profile, &session, &pw, &none, NULL), 0);
}

static void end_all(void)
{
	profile_deinit(&profile);
	resolver_free(session.resolver);
	vec_free(&head.events);
}

static void take(uint64_t ip, uint16_t cpumode, uint64_t period)
{
	struct sample s = { .ip = ip, .time = 1, .period = period, .pid = 1, .tid = 1, .cpumode = cpumode };

	CHECK_EQ(profile_take(&profile, &head.events.v[0], &s), 0);
}

#endif
