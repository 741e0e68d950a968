// SPDX-License-Identifier: GPL-2.0
/*
 * Controls the terminal: reads single keys without echo from standard input, and uses the alternate
 * screen on standard output. The settings are restored when the program ends, and while it is
 * stopped with Ctrl-Z.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "terminal.h"

/* Switch to the alternate screen without cursor and line wrap, and back */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

#define SEQUENCE_MS 25 /* maximum time between two bytes of a sequence */

/*
 * The handlers are installed with SA_RESTART, because a signal may arrive while stdio writes to a
 * slow terminal. If the signal interrupted the write, part of the output would be lost, and the
 * program would end with an error. poll() returns after a signal even with SA_RESTART.
 */
static volatile sig_atomic_t stopping, suspending, resized;
static struct termios saved;
static bool entered;

static void terminal_on_stop(int signal)
{
	(void)signal;
	stopping = 1;
}

static void terminal_on_suspend(int signal)
{
	(void)signal;
	suspending = 1;
}

static void terminal_on_resize(int signal)
{
	(void)signal;
	resized = 1;
}

static void terminal_write(const char *text)
{
	size_t len = strlen(text);

	/* Ignore errors: if the terminal is closed, nothing needs to be restored. */
	while (len) {
		ssize_t done = write(STDOUT_FILENO, text, len);

		if (done < 0 && errno != EINTR)
			return;
		if (done > 0) {
			text += done;
			len -= (size_t)done;
		}
	}
}

static int terminal_set(void)
{
	struct termios raw = saved;

	/* Keep ISIG, so that Ctrl-C and Ctrl-Z still send signals. */
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	return tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

/**
 * terminal_catch_signals() - make terminal_stopping() return true after a signal that would end the
 * program
 */
void terminal_catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	const struct sigaction stop = { .sa_handler = terminal_on_stop,
					.sa_flags = SA_RESTART };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &stop, NULL);
}

/**
 * terminal_stopping() - check whether the program must end because of a signal
 */
bool terminal_stopping(void)
{
	return stopping;
}

/**
 * terminal_enter() - switch to single keys and to the alternate screen
 * @err: set if standard input is not a terminal
 */
int terminal_enter(struct lkst_error *err)
{
	const struct sigaction suspend = { .sa_handler = terminal_on_suspend,
					   .sa_flags = SA_RESTART };
	const struct sigaction resize = { .sa_handler = terminal_on_resize,
					  .sa_flags = SA_RESTART };
	static bool registered;

	if (tcgetattr(STDIN_FILENO, &saved) || terminal_set()) {
		lkst_error_system(err, errno, "standard input", "set terminal");
		return -1;
	}
	entered = true;
	if (!registered)
		atexit(terminal_leave);
	registered = true;
	sigaction(SIGTSTP, &suspend, NULL);
	sigaction(SIGWINCH, &resize, NULL);
	terminal_write(ENTER);
	return 0;
}

/**
 * terminal_leave() - restore the terminal, unless this has been done
 */
void terminal_leave(void)
{
	if (!entered)
		return;
	entered = false;
	terminal_write(LEAVE);
	tcsetattr(STDIN_FILENO, TCSANOW, &saved);
}

/* Restore the terminal and stop the process, as a shell expects after Ctrl-Z. */
static void terminal_suspend(void)
{
	suspending = 0;
	terminal_leave();
	raise(SIGSTOP);
	if (tcgetattr(STDIN_FILENO, &saved) || terminal_set())
		return;
	entered = true;
	terminal_write(ENTER);
}

/**
 * terminal_changed() - check whether the screen must be drawn again
 *
 * Return: true if the size has changed since the last call, or if the program was stopped and
 * continued.
 */
bool terminal_changed(void)
{
	bool changed = suspending || resized;

	if (suspending)
		terminal_suspend();
	resized = 0;
	return changed;
}

/**
 * terminal_size() - get the size of the terminal in characters
 * @width: result
 * @height: result; 24 x 80 if the size is unknown
 */
void terminal_size(unsigned int *width, unsigned int *height)
{
	struct winsize size = { 0 };

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	*width = size.ws_col ? size.ws_col : 80;
	*height = size.ws_row ? size.ws_row : 24;
}

/* Return whether the bytes end with an incomplete escape sequence. */
static bool terminal_incomplete(const char *bytes, ssize_t len)
{
	return bytes[len - 1] == '\033' || (len > 1 && bytes[len - 2] == '\033');
}

/**
 * terminal_read() - read keys
 * @bytes: result
 * @size: maximum number of bytes
 * @timeout_ms: maximum time to wait
 *
 * Return: number of bytes; 0 after the timeout or a signal; -1 if the terminal was closed.
 */
int terminal_read(char *bytes, size_t size, int timeout_ms)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	ssize_t len, more;

	if (poll(&fd, 1, timeout_ms) <= 0)
		return 0;
	len = read(STDIN_FILENO, bytes, size);
	if (len <= 0)
		return len < 0 && errno == EINTR ? 0 : -1;
	/* The rest of a sequence arrives soon, unless the user has pressed the escape key. */
	while (terminal_incomplete(bytes, len) && (size_t)len < size &&
	       poll(&fd, 1, SEQUENCE_MS) > 0) {
		more = read(STDIN_FILENO, bytes + len, size - (size_t)len);
		if (more <= 0)
			break;
		len += more;
	}
	return (int)len;
}
