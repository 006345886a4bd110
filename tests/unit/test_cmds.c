/* Every command's table of options: names are unique, and its examples parse. */
#include "cmd/cmd.h"
#include "t.h"

struct seen {
	const char *name[256];
	size_t n;
	bool letter[256];
};

static void collect(const char *cmd, const struct opt *o, struct seen *s)
{
	for (; o->kind != OPT_KIND_END; o++) {
		if (o->kind == OPT_KIND_SUB)
			collect(cmd, o->sub, s);
		if (o->kind == OPT_KIND_SUB || o->kind == OPT_KIND_HEAD)
			continue;
		CHECK_SAY(!o->letter || !s->letter[(uint8_t)o->letter], "%s has -%c twice", cmd, o->letter);
		s->letter[(uint8_t)o->letter] = true;
		for (size_t i = 0; o->name && i < s->n; i++)
			CHECK_SAY(strcmp(s->name[i], o->name), "%s has --%s twice", cmd, o->name);
		if (o->name && s->n < ARRAY_SIZE(s->name))
			s->name[s->n++] = o->name;
	}
}

TEST(cmds_have_each_option_once)
{
	for (size_t i = 0; cmds[i]; i++) {
		struct seen s = { 0 };

		collect(cmds[i]->name, cmds[i]->opts, &s);
	}
}

TEST(cmds_are_sorted_and_found_by_name)
{
	for (size_t i = 0; cmds[i]; i++) {
		CHECK(cmd_find(cmds[i]->name) == cmds[i]);
		CHECK(!i || strcmp(cmds[i - 1]->name, cmds[i]->name) < 0);
		CHECK(cmds[i]->brief && cmds[i]->examples);
	}
	CHECK(!cmd_find("nosuch"));
}

/* Words of a shell line up to a pipe or &&; quotes are taken off. */
static int words(char *line, char **argv, int max)
{
	int n = 0;

	while (*line && n < max) {
		char quote = 0, *to = line;

		while (*line == ' ')
			line++;
		if (!*line || *line == '|' || (*line == '&' && line[1] == '&') || *line == '>')
			break;
		argv[n++] = to = line;
		for (; *line && (quote || *line != ' '); line++) {
			if (*line == quote)
				quote = 0;
			else if (!quote && (*line == '\'' || *line == '"'))
				quote = *line;
			else
				*to++ = *line;
		}
		if (*line)
			line++;
		*to = '\0';
	}
	return n;
}

static void try_example(const struct cmd *cmd, struct sv line)
{
	char text[512], *argv[64];
	struct sv piece;
	struct err e = { 0 };

	sv_cut(&line, '\t', &piece);
	str_copy(text, sizeof(text), piece);

	int argc = words(text, argv, 64);
	void *want = calloc(1, cmd->want_size + 1);

	if (argc < 2 || strcmp(argv[0], "sonde") || strcmp(argv[1], cmd->name)) {
		free(want);
		return;
	}
	if (cmd->defaults)
		cmd->defaults(want);
	CHECK_SAY(opt_parse(cmd->opts, want, argc - 1, argv + 1, &e) >= 0, "%.*s: %s", (int)piece.n, piece.s, e.text);
	free(want);
}

TEST(cmds_examples_parse)
{
	for (size_t i = 0; cmds[i]; i++) {
		struct sv rest = sv_from(cmds[i]->examples), line;

		while (sv_cut(&rest, '\n', &line))
			try_example(cmds[i], line);
	}
}
