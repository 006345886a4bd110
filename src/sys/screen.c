/* screen.c - see screen.h. Sequences are those of ECMA-48, and xterm's for the second screen (1049). */
#include "sys/screen.h"

#include "show/text.h"
#include "sys/guard.h"
#include "sys/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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

	/* ISIG stays set: Ctrl-C remains a signal. Ctrl-Z is disabled, as it would leave the terminal in this mode. */
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
	free(s->seen);
	s->seen = NULL;
	s->guard = 0;
}

void screen_size(struct screen *s)
{
	struct winsize w = { 0 };
	bool told = !ioctl(s->out, TIOCGWINSZ, &w);
	unsigned rows = told && w.ws_row ? w.ws_row : 24, columns = told && w.ws_col ? w.ws_col : 80;

	if (s->seen && rows == s->rows && columns == s->columns)
		return;
	free(s->seen);
	s->seen = calloc(rows, sizeof(*s->seen));
	s->rows = rows;
	s->columns = columns;
}

/* --- keys --- */

/* Sequences behind ESC [ or ESC O. */
static const struct { const char *text; int key; } sequences[] = {
	{ "A", KEY_UP }, { "B", KEY_DOWN }, { "C", KEY_RIGHT }, { "D", KEY_LEFT }, { "H", KEY_HOME }, { "F", KEY_END },
	{ "1~", KEY_HOME }, { "4~", KEY_END }, { "5~", KEY_PAGE_UP }, { "6~", KEY_PAGE_DOWN }, { "7~", KEY_HOME },
	{ "8~", KEY_END }, { "Z", KEY_BACK_TAB }, { "P", KEY_F1 }, { "11~", KEY_F1 },
};

static int take(struct screen *s, size_t n, int key)
{
	s->n -= n;
	memmove(s->pending, s->pending + n, s->n);
	return key;
}

/* Skip an unknown sequence as a whole. */
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

/* Read available input: 0, or -errno. */
static int read_more(struct screen *s)
{
	ssize_t got = read(s->in, s->pending + s->n, sizeof(s->pending) - s->n);

	if (got < 0 && errno != EINTR && errno != EAGAIN)
		return -errno;
	s->n += (size_t)MAX(got, 0);
	return 0;
}

/* The bytes of an escape sequence may arrive separately on a slow line: wait so long for the rest. */
static void complete(struct screen *s)
{
	enum { WAIT_MS = 40 };
	struct pollfd p = { .fd = s->in, .events = POLLIN };

	if (s->n == 1 && s->pending[0] == KEY_ESCAPE && poll(&p, 1, WAIT_MS) > 0)
		read_more(s);
	if (s->n == 2 && s->pending[0] == KEY_ESCAPE && (s->pending[1] == '[' || s->pending[1] == 'O') &&
	    poll(&p, 1, WAIT_MS) > 0)
		read_more(s);
}

int screen_key(struct screen *s)
{
	if (!s->n && read_more(s))
		return KEY_CLOSED;
	while (s->n) {
		int key;

		complete(s);
		key = one_key(s);
		if (key == KEY_REDRAW && s->seen)
			memset(s->seen, 0, s->rows * sizeof(*s->seen));
		if (key != KEY_NONE)
			return key;
	}
	return KEY_NONE;
}

static void no_more_than_interrupts(int sig UNUSED)
{
}

bool screen_wait(struct screen *s)
{
	enum { WAIT_MS = 1000 };
	struct pollfd p = { .fd = s->in, .events = POLLIN };
	struct sigaction resized = { .sa_handler = no_more_than_interrupts }, before;
	int r;

	sigaction(SIGWINCH, &resized, &before);
	r = s->n ? 1 : poll(&p, 1, WAIT_MS);
	sigaction(SIGWINCH, &before, NULL);
	return r <= 0 ? r == 0 || errno == EINTR : s->n || p.revents & POLLIN;
}

/* --- painting --- */

void screen_home(struct screen *s)
{
	s->row = 0;
}

/* FNV-1a in 64 bits: equal hashes count as equal lines. */
static uint64_t hash_of(const char *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)p[i]) * UINT64_C(0x100000001b3);
	return h ? h : 1;
}

/* Length of the colour sequence that begins here; 0: none. */
static size_t colour_at(struct sv text, size_t at)
{
	size_t n = at + 2;

	if (text.s[at] != '\033' || at + 1 >= text.n || text.s[at + 1] != '[')
		return 0;
	while (n < text.n && ((text.s[n] >= '0' && text.s[n] <= '9') || text.s[n] == ';'))
		n++;
	return n < text.n && text.s[n] == 'm' ? n + 1 - at : 0;
}

/* Write the text within `columns`, with its colours unless reverse. */
static void compose(struct out *o, struct sv text, unsigned columns, bool reverse)
{
	unsigned column = 0;
	char code[32];

	for (size_t i = 0, n; i < text.n && column < columns; i += n) {
		n = colour_at(text, i);
		if (n && n < sizeof(code) && !reverse) {
			memcpy(code, text.s + i, n);
			code[n] = '\0';
			out_control(o, code);
		} else if (!n) {
			n = fmt_utf8((const uint8_t *)text.s + i, text.n - i);
			n = n ? n : 1;
			column += (unsigned)text_columns((struct sv){ text.s + i, n });
			if (column <= columns)
				out_bytes(o, text.s + i, n);
		}
	}
	if (reverse)
		out_fill(o, ' ', columns - MIN(column, columns));
}

/* Send the bytes of a row, unless it shows them already. */
static void send(struct screen *s, struct out *o, struct mem_out *m)
{
	const char *bytes = mem_out_str(m);
	uint64_t hash = hash_of(bytes, m->n);
	char at[24];

	if (s->row < s->rows && (!s->seen || s->seen[s->row] != hash)) {
		snprintf(at, sizeof(at), "\033[%uH", s->row + 1);
		out_control(o, at);
		out_control(o, bytes);
		out_control(o, "\033[0m\033[K");
		if (s->seen)
			s->seen[s->row] = hash;
	}
	s->row++;
}

static void put_row(struct screen *s, struct out *o, struct sv text, unsigned columns, bool reverse)
{
	struct mem_out m;

	mem_out_init(&m);
	m.out.terminal = true;
	if (reverse)
		out_control(&m.out, "\033[7m");
	compose(&m.out, text, columns, reverse);
	send(s, o, &m);
	mem_out_deinit(&m);
}

void screen_line(struct screen *s, struct out *o, struct sv text, bool reverse)
{
	if (s->row < s->rows)
		put_row(s, o, text, s->columns, reverse);
}

void screen_foot(struct screen *s, struct out *o, struct sv text)
{
	while (s->row + 1 < s->rows)
		put_row(s, o, SV(""), s->columns, false);
	/* One column less: a character in the last column of the last row might scroll the screen. */
	if (s->row < s->rows)
		put_row(s, o, text, s->columns - 1, true);
}
