/* screen.c - see screen.h. Sequences are those of ECMA-48, and xterm's for the second screen (1049). */
#include "sys/screen.h"

#include "show/text.h"
#include "sys/guard.h"
#include "sys/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char begin_text[] = "\033[?1049h\033[?25l\033[?7l";
static const char end_text[] = "\033[?7h\033[?25h\033[?1049l";

bool screen_can(int in, int out)
{
	const char *term = getenv("TERM");

	return tty_is(in) && tty_is(out) && term && *term && strcmp(term, "dumb");
}

static void put(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t done = write(fd, text, n);

		if (done < 0 && errno != EINTR)
			return;
		text += MAX(done, 0);
		n -= (size_t)MAX(done, 0);
	}
}

static void give_back(void *arg)
{
	const struct screen *s = arg;

	put(s->kept, end_text, sizeof(end_text) - 1);
	tcsetattr(s->kept, TCSADRAIN, &s->before);
}

static int set_up(struct screen *s)
{
	struct termios t = s->before;

	/* Ctrl-C stays a signal; what is stopped by Ctrl-Z would leave the terminal as it is. */
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
	t.c_cc[VMIN] = 0;
	t.c_cc[VTIME] = 0;
	t.c_cc[VSUSP] = _POSIX_VDISABLE;
	return tcsetattr(s->in, TCSADRAIN, &t) ? -errno : 0;
}

int screen_open(struct screen *s, int in, int out, struct err *e)
{
	int r;

	*s = (struct screen){ .in = in, .out = out, .kept = -1 };
	if (tcgetattr(in, &s->before) || (s->kept = fcntl(in, F_DUPFD_CLOEXEC, 3)) < 0)
		return err_set(e, errno, "the terminal cannot be set up: %s", err_name(errno));
	r = guard_start(s->kept, give_back, s, e);
	if (r < 0)
		return r;
	s->guard = r;
	r = set_up(s);
	if (r) {
		screen_close(s);
		return err_set(e, -r, "the terminal cannot be set up: %s", err_name(-r));
	}
	put(out, begin_text, sizeof(begin_text) - 1);
	screen_size(s);
	return 0;
}

void screen_close(struct screen *s)
{
	if (!s->guard)
		return;
	give_back(s);
	guard_end(s->guard);
	close(s->kept);
	s->guard = 0;
}

void screen_size(struct screen *s)
{
	struct winsize w = { 0 };
	bool told = !ioctl(s->out, TIOCGWINSZ, &w);

	s->rows = told && w.ws_row ? w.ws_row : 24;
	s->columns = told && w.ws_col ? w.ws_col : 80;
}

/* --- keys --- */

/* Behind ESC [ or ESC O. */
static const struct { const char *text; int key; } sequences[] = {
	{ "A", KEY_UP }, { "B", KEY_DOWN }, { "C", KEY_RIGHT }, { "D", KEY_LEFT }, { "H", KEY_HOME }, { "F", KEY_END },
	{ "1~", KEY_HOME }, { "4~", KEY_END }, { "5~", KEY_PAGE_UP }, { "6~", KEY_PAGE_DOWN }, { "7~", KEY_HOME },
	{ "8~", KEY_END },
};

static int take(struct screen *s, size_t n, int key)
{
	s->n -= n;
	memmove(s->pending, s->pending + n, s->n);
	return key;
}

/* Of a sequence that is not known all is passed over. */
static int read_sequence(struct screen *s)
{
	size_t n = 2;

	while (n < s->n && (s->pending[n] < '@' || s->pending[n] > '~'))
		n++;
	n = MIN(n + 1, s->n);
	for (size_t i = 0; i < ARRAY_SIZE(sequences); i++)
		if (strlen(sequences[i].text) == n - 2 && !memcmp(sequences[i].text, s->pending + 2, n - 2))
			return take(s, n, sequences[i].key);
	return take(s, n, KEY_NONE);
}

static int one_key(struct screen *s)
{
	if (s->n > 1 && s->pending[0] == KEY_ESCAPE && (s->pending[1] == '[' || s->pending[1] == 'O'))
		return read_sequence(s);
	return take(s, 1, s->pending[0] == '\n' ? KEY_ENTER : s->pending[0] == 8 ? KEY_BACKSPACE : s->pending[0]);
}

int screen_key(struct screen *s)
{
	ssize_t got = 0;

	if (!s->n) {
		got = read(s->in, s->pending, sizeof(s->pending));
		if (got < 0 && errno != EINTR && errno != EAGAIN)
			return KEY_CLOSED;
		s->n = (size_t)MAX(got, 0);
	}
	while (s->n) {
		int key = one_key(s);

		if (key != KEY_NONE)
			return key;
	}
	return KEY_NONE;
}

/* --- painting --- */

void screen_home(struct out *o)
{
	out_control(o, "\033[H");
}

void screen_at(struct out *o, unsigned row)
{
	char text[24];

	snprintf(text, sizeof(text), "\033[%uH", row);
	out_control(o, text);
}

void screen_rest(struct out *o)
{
	out_control(o, "\033[J");
}

/* Bytes of the sequence of colours that begins here; 0: none does. */
static size_t colour_at(struct sv text, size_t at)
{
	size_t n = at + 2;

	if (text.s[at] != '\033' || at + 1 >= text.n || text.s[at + 1] != '[')
		return 0;
	while (n < text.n && text.s[n] != 'm')
		n++;
	return n < text.n ? n + 1 - at : 0;
}

void screen_line(const struct screen *s, struct out *o, struct sv text, bool reverse)
{
	unsigned column = 0;
	char code[32];

	if (reverse)
		out_control(o, "\033[7m");
	for (size_t i = 0, n; i < text.n && column < s->columns; i += n) {
		n = colour_at(text, i);
		if (n && n < sizeof(code) && !reverse) {
			memcpy(code, text.s + i, n);
			code[n] = '\0';
			out_control(o, code);
		} else if (!n) {
			n = fmt_utf8((const uint8_t *)text.s + i, text.n - i);
			n = n ? n : 1;
			column += (unsigned)text_columns((struct sv){ text.s + i, n });
			if (column <= s->columns)
				out_bytes(o, text.s + i, n);
		}
	}
	if (reverse)
		out_fill(o, ' ', s->columns - MIN(column, s->columns));
	out_control(o, "\033[0m\033[K\r\n");
}
