/*
 * tracefs/kind: what events mean, against the formats of two arm64 kernels (data/kinds: "@@ SYSTEM/NAME" and the format
 * without its print fmt) and against records with the text that a kernel printed for them.
 */
#include <ctype.h>

#include "tracefs/format/events.h"

#include "t.h"

#define KIND(constant, system, name, set) KIND_##constant,
static const enum tkind all_kinds[] = {
#include "tracefs/kind.def"
};

#define KIND(constant, system, name, set) #constant,
static const char *const constants[] = {
#include "tracefs/kind.def"
};

#define KIND(constant, system, name, set) system,
static const char *const systems[] = {
#include "tracefs/kind.def"
};

#define KIND(constant, system, name, set) name,
static const char *const events[] = {
#include "tracefs/kind.def"
};

#define KIND(constant, system, name, set) #set,
static const char *const sets[] = {
#include "tracefs/kind.def"
};

/* Every number of every set. */
static const struct { const char *set; struct { const char *constant, *names; int value; } v[10]; } numbers[] = {
#define F(number, name) { #number, name, number },
#define FIELDS(set, list) { #set, { list } },
#include "tracefs/kind.def"
#undef F
#define F(number, name) { #number, name, number },
#define COMMON(number, name) { "common", { F(number, name) } },
#include "tracefs/kind.def"
#undef F
};

static void upper(char *to, size_t size, const char *from)
{
	size_t n = 0;

	for (; from[n] && n + 1 < size; n++)
		to[n] = (char)toupper((unsigned char)from[n]);
	to[n] = '\0';
}

static struct tevents kernel(const char *version)
{
	struct tevents t;
	char path[64], *end;

	snprintf(path, sizeof(path), "data/kinds/%s", version);
	tevents_init(&t, (struct tmachine){ .long_size = 8 });

	char *text = t_read(path, NULL), *at = strstr(text, "@@ ");

	for (; at; at = end) {
		char *slash = strchr(at, '/'), *body = strchr(at, '\n') + 1;
		struct err e = { 0 };

		end = strstr(body, "@@ ");

		struct sv format = { body, end ? (size_t)(end - body) : strlen(body) };

		CHECK_EQ(tevents_add(&t, (struct sv){ at + 3, (size_t)(slash - at - 3) }, format, &e), 0);
		CHECK_STR(e.text, "");
	}
	free(text);
	return t;
}

static const struct tevent *event(const struct tevents *t, const char *system, const char *name)
{
	const struct tevent *ev = tevents_by_name(t, sv_from(system), sv_from(name));

	CHECK_SAY(ev != NULL, "%s:%s is not there", system, name);
	return ev;
}

/* --- the table ----------------------------------------------------------------------------------------------- */

TEST(kind_numbers_are_called_as_their_fields)
{
	for (size_t s = 0; s < ARRAY_SIZE(numbers); s++) {
		for (size_t i = 0; i < 10 && numbers[s].v[i].constant; i++) {
			const char *constant = numbers[s].v[i].constant, *names = numbers[s].v[i].names;
			char set[40], want[80], field[40];
			struct sv rest = sv_from(names), first;

			sv_cut(&rest, '|', &first);
			str_copy(field, sizeof(field), first);
			upper(set, sizeof(set), numbers[s].set);
			snprintf(want, sizeof(want), "%s_%s", set,
				 !strncmp(field, "__probe_", 8) ? field + 8 :
				 !strncmp(field, "common_", 7) ? field + 7 : field);
			upper(want, sizeof(want), want);
			CHECK_STR(constant, want);
		}
	}
}

/* Each word of the constant stands in the event's name. */
TEST(kind_constants_are_called_as_their_events)
{
	for (size_t i = 0; i < ARRAY_SIZE(constants); i++) {
		struct sv rest = sv_from(constants[i]), word;
		char name[80];

		if (*systems[i] == '*')
			continue;
		snprintf(name, sizeof(name), "%s_%s", systems[i], events[i]);
		upper(name, sizeof(name), name);
		while (sv_cut(&rest, '_', &word))
			CHECK_SAY(memmem(name, strlen(name), word.s, word.n), "%s stands for %s", constants[i], name);
	}
}

/* --- the kernels --------------------------------------------------------------------------------------------- */

/* Set by set: how many kernels have each of the fields. */
static void count_fields(const struct tevents *t, unsigned found[ARRAY_SIZE(numbers)][10])
{
	for (size_t k = 0; k < ARRAY_SIZE(all_kinds); k++) {
		const struct tevent *ev = tevents_by_name(t, sv_from(systems[k]), sv_from(events[k]));

		if (!ev)
			continue;
		CHECK_SAY(ev->kind == all_kinds[k], "%s is of kind %d", ev->fmt.name, ev->kind);
		for (size_t s = 0; s < ARRAY_SIZE(numbers); s++)
			for (size_t i = 0; !strcmp(numbers[s].set, sets[k]) && numbers[s].v[i].constant; i++) {
				const struct tfield *f = ev->field[numbers[s].v[i].value];

				found[s][i] += f != NULL;
				CHECK_SAY(!f || strstr(numbers[s].v[i].names, f->name), "%s is %s",
					  numbers[s].v[i].constant, f->name);
			}
	}
}

TEST(kind_finds_its_fields_in_real_kernels)
{
	/* What neither of the two has: of other architectures and configurations, and of newer kernels. */
	static const char absent[] = " GRAPH_RETADDR GRAPH_RETVAL KVM_VCPU_ID SYSCALL_RET PROBE_IP RETPROBE_FUNC "
				     "RETPROBE_RET_IP ";
	static unsigned found[ARRAY_SIZE(numbers)][10];
	struct tevents old = kernel("5.10"), new = kernel("6.12");

	count_fields(&old, found);
	count_fields(&new, found);
	for (size_t s = 0; s < ARRAY_SIZE(numbers); s++)
		for (size_t i = 0; strcmp(numbers[s].set, "common") && numbers[s].v[i].constant; i++) {
			char word[80];

			snprintf(word, sizeof(word), " %s ", numbers[s].v[i].constant);
			CHECK_SAY(!found[s][i] == !!strstr(absent, word), "%s is in %u events",
				  numbers[s].v[i].constant, found[s][i]);
		}
	tevents_deinit(&old);
	tevents_deinit(&new);
}

TEST(kind_tells_what_a_kernel_has_not)
{
	struct tevents old = kernel("5.10"), new = kernel("6.12");

	CHECK(event(&old, "sched", "sched_wakeup")->field[WAKEUP_SUCCESS] != NULL);
	CHECK(event(&new, "sched", "sched_wakeup")->field[WAKEUP_SUCCESS] == NULL);
	CHECK(event(&new, "sched", "sched_wakeup")->field[WAKEUP_TARGET_CPU] != NULL);
	CHECK(event(&old, "sched", "sched_switch")->field[SWITCH_PREV_STATE]->is_signed);
	CHECK_EQ(event(&old, "ftrace", "context_switch")->field[CONTEXT_PREV_STATE]->size, 1);
	CHECK(event(&new, "ftrace", "funcgraph_entry")->field[GRAPH_RETTIME] == NULL);
	CHECK_EQ(event(&new, "irq", "irq_handler_entry")->field[IRQ_NAME]->kind, TFIELD_DATA_LOC);
	CHECK(event(&new, "irq", "irq_handler_entry")->common[COMMON_PID] != NULL);
	CHECK(event(&new, "irq", "irq_handler_entry")->common[COMMON_PREEMPT_LAZY_COUNT] == NULL);
	tevents_deinit(&old);
	tevents_deinit(&new);
}

static const struct tevent *made(struct tevents *t, const char *system, const char *name, const char *fields)
{
	static unsigned id = 2000;
	char text[512];

	snprintf(text, sizeof(text),
		 "name: %s\nID: %u\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		 "\tfield:%s\toffset:8;\tsize:8;\tsigned:0;\n", name, id++, fields);
	CHECK_EQ(tevents_add(t, sv_from(system), sv_from(text), NULL), 0);
	return event(t, system, name);
}

TEST(kind_is_the_event_s_not_its_name_s)
{
	struct tevents t;

	tevents_init(&t, (struct tmachine){ .long_size = 8 });
	CHECK_EQ(made(&t, "mine", "sched_switch", "u64 prev_pid;")->kind, KIND_OTHER);
	CHECK_EQ(made(&t, "sched", "sched_switch", "u64 x;")->kind, KIND_SCHED_SWITCH);
	CHECK(event(&t, "sched", "sched_switch")->field[SWITCH_PREV_PID] == NULL);
	CHECK_EQ(made(&t, "syscalls", "sys_enter_futex", "u64 op;")->kind, KIND_SYSCALL_FUTEX);
	CHECK_EQ(made(&t, "syscalls", "sys_enter_read", "u64 fd;")->kind, KIND_SYSCALL_ENTER);
	CHECK_EQ(made(&t, "syscalls", "sys_exit_read", "long ret;")->kind, KIND_SYSCALL_EXIT);
	CHECK(event(&t, "syscalls", "sys_exit_read")->field[SYSCALL_RET] != NULL);
	CHECK_EQ(made(&t, "synthetic", "mine", "u64 __probe_ip;")->kind, KIND_SYNTHETIC);
	CHECK_EQ(made(&t, "any", "p", "unsigned long __probe_ip;")->kind, KIND_PROBE);
	CHECK_EQ(made(&t, "any", "r", "unsigned long __probe_func;")->kind, KIND_RETPROBE);
	CHECK(event(&t, "any", "r")->field[RETPROBE_RET_IP] == NULL);
	CHECK_STR(made(&t, "timer", "hrtimer_start", "void * timer;")->field[HRTIMER_HRTIMER]->name, "timer");
	CHECK_STR(tkind_system(KIND_IRQ_ENTRY), "irq");
	CHECK_STR(tkind_name(KIND_IRQ_ENTRY), "irq_handler_entry");
	tevents_deinit(&t);
}

/* --- the kernel's own text ----------------------------------------------------------------------------------- */

/* "name=value" in the text; false: the field is not there as a number or word. */
static bool value_in(const char *text, const char *name, char value[64])
{
	char key[48];
	size_t n = (size_t)snprintf(key, sizeof(key), "%s=", name);
	const char *at = text;

	while ((at = strstr(at, key)) && at != text && at[-1] != ' ')
		at++;
	if (!at)
		return false;
	snprintf(value, 64, "%.*s", (int)strcspn(at + n, " "), at + n);
	return true;
}

static unsigned check_record(const struct tevent *ev, const uint8_t *raw, size_t n, const char *text)
{
	unsigned checked = 0;

	for (size_t s = 0; s < ARRAY_SIZE(numbers); s++)
		for (size_t i = 0; !strcmp(numbers[s].set, sets[ev->kind - 1]) && numbers[s].v[i].constant; i++) {
			const struct tfield *f = ev->field[numbers[s].v[i].value];
			char want[64], got[64];
			uint64_t v = 0;

			if (!f || !value_in(text, f->name, want))
				continue;
			tfmt_u64(f, raw, n, &v);
			snprintf(got, sizeof(got), want[0] == '0' && want[1] == 'x' ? "0x%llx" : "%lld",
				 (unsigned long long)v);
			if (f->is_string)
				str_copy(got, sizeof(got), tfmt_str(f, raw, n));
			/* Of symbols and masks the kernel prints names. */
			if (!f->is_string && !isdigit((unsigned char)*want))
				continue;
			CHECK_STR(got, want);
			checked++;
		}
	return checked;
}

TEST(kind_reads_what_the_kernel_printed)
{
	char *text = t_read("data/formats/records.txt", NULL), *line, *save = NULL, path[128];
	const struct tevent *ev = NULL;
	unsigned checked = 0;
	uint8_t raw[512];
	size_t n = 0;
	struct tevents t;

	tevents_init(&t, (struct tmachine){ .long_size = 8 });
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "event ", 6)) {
			char *name = strchr(line, '/') + 1, *format;

			snprintf(path, sizeof(path), "data/formats/%s", name);
			format = t_read(path, NULL);
			CHECK_EQ(tevents_add(&t, (struct sv){ line + 6, (size_t)(name - line - 7) }, sv_from(format),
					     NULL), 0);
			name[-1] = '\0';
			ev = event(&t, line + 6, name);
			free(format);
		} else if (!strncmp(line, "raw ", 4)) {
			const char *hex = line + 4;

			for (n = 0; n < sizeof(raw) && sscanf(hex + 2 * n, "%2hhx", &raw[n]) == 1; )
				n++;
		} else if (!strncmp(line, "text ", 5) && ev && ev->kind != KIND_OTHER) {
			checked += check_record(ev, raw, n, line + 5);
		}
	}
	/* Two records each of switches, run times, forks, interrupts, softirqs, allocations, timers, new tasks. */
	CHECK_EQ(checked, 46);
	tevents_deinit(&t);
	free(text);
}
