/*
 * mkflame.c - stacks on standard input, one per line as "k:a;u:b 12", to a flame graph on standard
 * output. The letter before a name is its kind: p plain, u program, l library, k kernel.
 *   mkflame svg|icicle|folded [TITLE [SUBTITLE]]
 */
#include "show/flame.h"

enum { DEPTH = 4096, LINE = 1 << 20 };

static int to_stdout(void *arg UNUSED, const char *bytes, size_t n)
{
	return fwrite(bytes, 1, n, stdout) == n ? 0 : -EIO;
}

static enum flame_kind kind_of(char letter)
{
	return letter == 'u' ? FLAME_USER : letter == 'l' ? FLAME_LIBRARY :
	       letter == 'k' ? FLAME_KERNEL : FLAME_PLAIN;
}

static int add_line(struct flame *f, char *line)
{
	static struct flame_frame frames[DEPTH];
	char *space = strrchr(line, ' '), *at = line;
	uint64_t weight;
	size_t n = 0;

	if (!space || !str_u64(sv_trim(sv_from(space)), 10, &weight))
		return -EBADMSG;
	*space = '\0';
	while (at && n < DEPTH && at[0] && at[1] == ':') {
		char *end = strchr(at, ';');

		if (end)
			*end++ = '\0';
		frames[n++] = (struct flame_frame){ .name = at + 2, .kind = kind_of(at[0]) };
		at = end;
	}
	return flame_add(f, frames, n, weight);
}

int main(int argc, char **argv)
{
	static char line[LINE], buf[65536];
	struct out o = { .write = to_stdout, .buf = buf, .cap = sizeof(buf) };
	struct flame_want want = {
		.title = argc > 2 ? argv[2] : NULL,
		.subtitle = argc > 3 ? argv[3] : NULL,
	};
	struct flame *f = flame_new();
	int err = f ? 0 : -ENOMEM;

	if (argc < 2)
		return 2;
	while (!err && fgets(line, sizeof(line), stdin))
		err = add_line(f, line);
	want.order = strcmp(argv[1], "icicle") ? FLAME_GROW_UP : FLAME_GROW_DOWN;
	if (!err && !strcmp(argv[1], "folded"))
		flame_folded(f, &o);
	else if (!err)
		flame_svg(f, &want, &o);
	out_flush(&o);
	flame_free(f);
	return err || o.error ? 1 : 0;
}
