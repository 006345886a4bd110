/* control.c - commands of a controlling process, line by line. */
#include "live/control.h"

#include <fcntl.h>
#include <limits.h>

static int open_fds(struct control *c, struct sv ctl, struct sv ack, struct err *e)
{
	uint64_t fd, back = 0;

	if (!str_u64(ctl, 10, &fd) || fd > INT_MAX || (ack.s && (!str_u64(ack, 10, &back) || back > INT_MAX)))
		return err_set(e, EINVAL, "--control: fd: needs descriptors: fd:CTL[,ACK]");
	c->fd = (int)fd;
	c->ack = ack.s ? (int)back : -1;
	return 0;
}

/* Opened for reading and writing: otherwise read() meets the end of file whenever no other process has it open. */
static int open_fifo(struct control *c, struct sv path, int *fd, struct err *e)
{
	char text[PATH_MAX];

	if (!path.n || path.n >= sizeof(text))
		return err_set(e, EINVAL, "--control: fifo: needs names of pipes: fifo:CTL[,ACK]");
	str_copy(text, sizeof(text), path);
	*fd = c->sys->open(c->sys, text, O_RDWR | O_NONBLOCK, 0);
	if (*fd < 0)
		return err_set(e, -*fd, "--control: %s: %s", text, err_name(-*fd));
	return sys_is_fifo(c->sys, *fd) ? 0 : err_set(e, EINVAL, "--control: %s is no named pipe", text);
}

int control_open(struct control *c, const struct sys *sys, const char *how, struct err *e)
{
	struct sv rest = sv_from(how), kind, ctl;
	int r;

	*c = (struct control){ .sys = sys, .fd = -1, .ack = -1 };
	sv_cut(&rest, ':', &kind);
	sv_cut(&rest, ',', &ctl);
	if (sv_eq(kind, "fd"))
		return open_fds(c, ctl, rest, e);
	if (!sv_eq(kind, "fifo"))
		return err_set(e, EINVAL, "--control: '%s' is neither fd:CTL[,ACK] nor fifo:CTL[,ACK]", how);
	c->ours = true;
	r = open_fifo(c, ctl, &c->fd, e);
	r = r || !rest.s ? r : open_fifo(c, rest, &c->ack, e);
	if (r)
		control_close(c);
	return r;
}

void control_close(struct control *c)
{
	for (int i = 0; c->ours && i < 2; i++)
		if ((i ? c->ack : c->fd) >= 0)
			c->sys->close(c->sys, i ? c->ack : c->fd);
	c->fd = c->ack = -1;
	c->ours = false;
}

/* A full buffer without a newline is longer than any command, so it is dropped. */
void control_read(struct control *c)
{
	ssize_t got;

	if (c->n == sizeof(c->text))
		c->n = 0;
	got = c->sys->read(c->sys, c->fd, c->text + c->n, sizeof(c->text) - c->n);
	if (got > 0)
		c->n += (size_t)got;
	else if (got != -EAGAIN && got != -EINTR)
		c->ended = true;
}

static enum control_what what_is(struct sv line)
{
	static const char *const words[] = {
		[CONTROL_ENABLE] = "enable", [CONTROL_DISABLE] = "disable", [CONTROL_PING] = "ping",
		[CONTROL_STOP] = "stop", [CONTROL_SNAPSHOT] = "snapshot",
	};

	for (enum control_what w = CONTROL_ENABLE; w <= CONTROL_SNAPSHOT; w++)
		if (sv_eq(line, words[w]))
			return w;
	return CONTROL_UNKNOWN;
}

enum control_what control_next(struct control *c)
{
	char *end = memchr(c->text, '\n', c->n);
	struct sv line;

	if (!end)
		return c->ended ? CONTROL_END : CONTROL_NOTHING;
	line = sv_trim((struct sv){ c->text, (size_t)(end - c->text) });
	str_copy(c->line, sizeof(c->line), line);

	enum control_what what = what_is(line);

	c->n -= (size_t)(end + 1 - c->text);
	memmove(c->text, end + 1, c->n);
	return what;
}

void control_ack(struct control *c)
{
	static const char ack[] = "ack\n";

	if (c->ack >= 0)
		c->sys->write(c->sys, c->ack, ack, sizeof(ack) - 1);
}
