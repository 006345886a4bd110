/* more.c - one PMU's events alone, formulas, metrics as JSON, into a file. */
#include "cmd/list/more.h"

#include "sys/output.h"

#include <fcntl.h>

const struct opt list_more_opts[] = {
	OPT_FLAG(0, "details", struct list_more_want, details, "print encodings of events, formulas of metrics"),
	OPT_STR(0, "unit", struct list_more_want, unit, "<pmu>",
		"only events of this PMU, and metrics of its cores; * and ? match"),
	{ OPT_AT(0, "cputype", STR, struct list_more_want, unit), .flags = OPT_HIDDEN, .arg = "<pmu>" },
	OPT_STR('o', "output", struct list_more_want, output, "<file>", "write here, not to standard output"),
	{ OPT_AT(0, "long-desc", FLAG, struct list_more_want, details), .flags = OPT_HIDDEN },
	OPT_IGNORED(0, "deprecated", FLAG, struct list_more_want, deprecated),
	OPT_REFUSED(0, "debug", OPT_NO_VALUE, "", "there is nothing to watch", "-v tells most of the events"),
	OPT_END,
};

const char list_examples[] =
	"sonde list hw cache\tmeaning of generic events on this machine\n"
	"sonde list 'sched:*' -v\ttracepoints with their fields\n"
	"sonde list --core neoverse-n1 tlb\ttable of another core\n"
	"sonde list --core neoverse-n2 --details metric\tmetrics for stat -M, with formulas\n"
	"sonde list --unit 'arm_dsu*' -o dsu.txt\tevents of these PMUs, into a file\n";

bool list_metric_json(struct json *j, const struct list_item *it)
{
	bool is_group = it->kind == LIST_METRICGROUP;

	if (it->kind != LIST_METRIC && !is_group)
		return false;
	json_member_if(j, "MetricGroup", is_group ? it->name : it->groups);
	json_member_if(j, "MetricName", is_group ? NULL : it->name);
	json_member_if(j, "MetricExpr", it->encoding);
	return true;
}

static int to_file(struct ctx *c, const char *path, int (*list)(void *arg, struct out *o), void *arg)
{
	struct output file;
	struct out o;
	char buf[4096];
	struct err e = { 0 };
	int code;

	if (output_open(&file, c->sys, path, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, &e))
		return cmd_fail(c, &e);
	output_text(&file, &o, buf, sizeof(buf));
	code = list(arg, &o);
	out_end(&o);
	output_close(&file);
	if (!o.error)
		return code;
	err_set(&e, -o.error, "cannot write %s: %s", path, err_name(-o.error));
	return cmd_fail(c, &e);
}

int list_elsewhere(struct ctx *c, const struct list_more_want *w, char **words, int n_words,
		   int (*list)(void *arg, struct out *o), void *arg)
{
	struct err e = { 0 };

	for (int i = 0; i < n_words; i++) {
		if (strcmp(words[i], "sdt"))
			continue;
		err_set(&e, EOPNOTSUPP, "sdt: no list is kept of programs' markers");
		err_hint(&e, "one of a program is named so: -e 'usdt:PROVIDER:NAME@\"PROGRAM\"'");
		return cmd_fail(c, &e);
	}
	return w->output ? to_file(c, w->output, list, arg) : list(arg, c->out);
}
