/* cmd_doctor.c - sonde doctor: what can be measured on this machine, as text or JSON. */
#include "cmd/cmd.h"
#include "machine/doctor.h"
#include "show/json.h"
#include "show/text.h"

enum { INDENT = 2, NAME = 18, STATUS = 8, COLUMNS_MIN = 60, COLUMNS_MAX = 110, COLUMNS = 80 };

struct want {
	bool json;
};

static const struct opt opts[] = {
	OPT_FLAG('j', "json", struct want, json, "print as JSON: an array of rows"),
	OPT_END
};

static const char *status_color(enum doctor_status s)
{
	static const char *const colors[] = {
		[DOCTOR_INFO] = "", [DOCTOR_YES] = "\033[32m", [DOCTOR_PARTLY] = "\033[33m",
		[DOCTOR_NO] = "\033[31m", [DOCTOR_UNKNOWN] = "\033[33m",
	};

	return colors[s];
}

/* A column of wrapped text: its left and right edge, and the current position. */
struct column {
	struct out *o;
	unsigned left, right, at;
};

static void column_words(struct column *c, struct sv text)
{
	struct sv word;

	while (sv_cut(&text, ' ', &word)) {
		unsigned n = (unsigned)text_columns(word);

		if (c->at > c->left && c->at + 1 + n > c->right) {
			out_char(c->o, '\n');
			out_fill(c->o, ' ', c->left);
			c->at = c->left;
		} else if (c->at > c->left) {
			out_char(c->o, ' ');
			c->at++;
		}
		text_put(c->o, word, TEXT_ALL, TEXT_PLAIN);
		c->at += n;
	}
}

static void row_text(struct out *o, const struct doctor_row *r, unsigned width)
{
	struct column c = { .o = o, .left = INDENT + NAME + STATUS, .right = width, .at = INDENT + NAME + STATUS };
	const char *word = doctor_word(r->status);

	out_fill(o, ' ', INDENT);
	out_left(o, r->name, NAME);
	if (o->color)
		out_control(o, status_color(r->status));
	out_str(o, word);
	if (o->color && *status_color(r->status))
		out_control(o, "\033[0m");
	out_fill(o, ' ', STATUS - strlen(word));
	column_words(&c, sv_from(r->value));
	if (r->how) {
		char how[300];
		int n = snprintf(how, sizeof(how), "(%s)", r->how);

		if (o->color)
			out_control(o, "\033[2m");
		column_words(&c, (struct sv){ how, MIN((size_t)n, sizeof(how) - 1) });
		if (o->color)
			out_control(o, "\033[0m");
	}
	out_char(o, '\n');
	if (!r->advice)
		return;
	out_fill(o, ' ', c.left);
	c.at = c.left;
	column_words(&c, SV("do:"));
	column_words(&c, sv_from(r->advice));
	out_char(o, '\n');
}

static void report_text(struct out *o, const struct doctor_report *rep)
{
	unsigned width = o->width ? MIN(MAX(o->width, COLUMNS_MIN), COLUMNS_MAX) : COLUMNS;
	const char *topic = "";

	for (size_t i = 0; i < rep->rows.n; i++) {
		const struct doctor_row *r = &rep->rows.v[i];

		if (strcmp(r->topic, topic))
			out_printf(o, "%s%s\n", i ? "\n" : "", r->topic);
		topic = r->topic;
		row_text(o, r, width);
	}
}

static void json_text(struct json *j, const char *key, const char *text)
{
	if (!text)
		return;
	json_key(j, key);
	json_str(j, sv_from(text));
}

static void report_json(struct out *o, const struct doctor_report *rep)
{
	struct json j = json_on(o);

	json_begin_array(&j);
	for (size_t i = 0; i < rep->rows.n; i++) {
		const struct doctor_row *r = &rep->rows.v[i];

		json_line(&j);
		json_begin_object(&j);
		json_text(&j, "topic", r->topic);
		json_text(&j, "name", r->name);
		json_text(&j, "status", r->status == DOCTOR_INFO ? "info" :
			  r->status == DOCTOR_UNKNOWN ? "unknown" : doctor_word(r->status));
		json_text(&j, "value", r->value);
		json_text(&j, "how", r->how);
		json_text(&j, "do", r->advice);
		json_end(&j);
	}
	json_end(&j);
	out_char(o, '\n');
}

static int doctor_run(struct ctx *c, void *arg, int argc, char **argv)
{
	const struct want *w = arg;
	struct doctor_report rep;
	struct err e = { 0 };

	if (argc) {
		err_set(&e, EINVAL, "doctor takes no argument: '%s'", argv[0]);
		return cmd_usage(c, cmd_find("doctor"), &e);
	}
	if (doctor_init(&rep, c->sys, &e))
		return cmd_fail(c, &e);
	if (w->json)
		report_json(c->out, &rep);
	else
		report_text(c->out, &rep);
	doctor_deinit(&rep);
	return EXIT_DONE;
}

DEFINE_CMD(doctor,
	.brief = "Check what this machine can measure, and how to enable the rest",
	.synopsis = "[-j]",
	.opts = opts,
	.want_size = sizeof(struct want),
	.details = PACKED(
		   "Reads files, opens events and closes them at once; changes nothing and needs no privileges.\n"
		   "yes, partly, no; '?': unknown. A 'do:' line says what helps."),
	.examples = PACKED(
		    "sonde doctor\tas the user who will profile, and once more as root\n"
		    "sonde doctor -j\tfor scripts\n"
		    "sonde --sysroot /mnt/board doctor\ta copied /proc and /sys of another machine"),
	.run = doctor_run);
