// SPDX-License-Identifier: GPL-2.0
/*
 * top_screen STEP... -- COMMAND [ARG...]: runs COMMAND on a terminal of 24 lines and 80 columns, and
 * does the steps, one after the other:
 *
 *	wait=TEXT	wait until a line of the screen contains TEXT, or for a minute
 *	gone=TEXT	wait until no line contains TEXT
 *	type=KEYS	type keys; \e is the escape character, \r the return key
 *	size=LINESxCOLUMNS	change the size of the terminal
 *	full		read no output until COMMAND is blocked in write()
 *	signal=NUMBER	send a signal to COMMAND
 *	stopped		wait until COMMAND has been stopped, print its terminal, and continue it
 *	show		print the screen, with ">" before each line
 *	exit		wait until COMMAND ends
 *
 * At the end it prints how COMMAND has ended, whether the alternate screen was left, and whether the
 * settings of the terminal are those from the start. The exit status is 1 if a wait timed out.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#define LINES	200
#define COLUMNS 500
#define WAIT_S	60

static int master;
static pid_t pid;
static struct winsize size = { .ws_row = 24, .ws_col = 80 };
static struct termios before;

/* The terminal. It supports only the sequences that lkstla uses. */
static char screen[LINES][COLUMNS];
static unsigned int line, column;
static bool alternate, hidden, rung;

static void die(const char *why)
{
	perror(why);
	exit(125);
}

static void erase(unsigned int from_line, unsigned int from_column)
{
	if (from_line < LINES && from_column < COLUMNS)
		memset(screen[from_line] + from_column, 0, COLUMNS - from_column);
}

static void sequence(char private, const int number[2], char final)
{
	if (private) {
		if (number[0] == 1049)
			alternate = final == 'h';
		if (number[0] == 25)
			hidden = final == 'l';
	} else if (final == 'H') {
		line = number[0] ? (unsigned int)number[0] - 1 : 0;
		column = number[1] ? (unsigned int)number[1] - 1 : 0;
	} else if (final == 'K') {
		erase(line, column);
	} else if (final == 'J') {
		erase(line, column);
		for (unsigned int i = line + 1; i < LINES; i++)
			erase(i, 0);
	}
}

static void plain(char c)
{
	if (c == '\a') {
		rung = true;
	} else if (c == '\r') {
		column = 0;
	} else if (c == '\n') {
		line++;
	} else if (line < size.ws_row && column < size.ws_col && line < LINES &&
		   column < COLUMNS) {
		screen[line][column++] = c;
	}
}

/* Interpret a byte of the output. Sequences may arrive in several parts. */
static void output(char c)
{
	static char text[32];
	static size_t len;
	int number[2] = { 0 };
	bool private;

	if (!len && c != '\033') {
		plain(c);
		return;
	}
	text[len++] = c;
	text[len] = 0;
	if (len < 3 || (c < '@' && len < sizeof(text) - 1))
		return;
	private = text[2] == '?';
	sscanf(text + 2 + private, "%d;%d", &number[0], &number[1]);
	sequence(private, number, c);
	len = 0;
}

/* Read what the command has written, for at most @ms. Returns false if the terminal was closed. */
static bool read_output(int ms)
{
	struct pollfd fd = { .fd = master, .events = POLLIN };
	char part[4096];
	ssize_t n;

	if (poll(&fd, 1, ms) <= 0)
		return true;
	n = read(master, part, sizeof(part));
	for (ssize_t i = 0; i < n; i++)
		output(part[i]);
	return n > 0 || errno == EINTR;
}

/*
 * Read all output of the command, which has stopped or ended. Part of the output may not have
 * arrived yet, but it arrives before the bell that this function writes.
 */
static void read_all(void)
{
	time_t end = time(NULL) + WAIT_S;
	int slave = open(ptsname(master), O_WRONLY | O_NOCTTY);

	rung = false;
	if (slave < 0 || write(slave, "\a", 1) != 1)
		die("terminal");
	while (!rung && time(NULL) <= end)
		read_output(50);
	close(slave);
}

static bool shows(const char *text)
{
	for (unsigned int i = 0; i < LINES; i++) {
		char shown[COLUMNS + 1];

		/* Cells that have never been written are blanks. */
		for (unsigned int k = 0; k < COLUMNS; k++)
			shown[k] = screen[i][k] ? screen[i][k] : ' ';
		shown[COLUMNS] = 0;
		if (strstr(shown, text))
			return true;
	}
	return false;
}

/* Wait until the screen shows @text, or does not show it. */
static void wait_for(const char *text, bool wanted)
{
	time_t end = time(NULL) + WAIT_S;

	while (shows(text) != wanted) {
		if (time(NULL) > end || !read_output(100)) {
			printf("%s: \"%s\"\n", wanted ? "never shown" : "still shown", text);
			kill(pid, SIGKILL);
			exit(1);
		}
	}
}

/* Read a file of the command in /proc; @text becomes empty if the command has ended. */
static void read_proc(const char *name, char text[256])
{
	char path[32];
	size_t len = 0;
	FILE *file;

	sprintf(path, "/proc/%d/%s", pid, name);
	file = fopen(path, "r");
	if (file) {
		len = fread(text, 1, 255, file);
		fclose(file);
	}
	text[len] = 0;
}

/* Return whether the command sleeps or has ended. */
static bool rests(void)
{
	char text[256];
	const char *state;

	read_proc("stat", text);
	/* The state follows the name, which is in parentheses. */
	state = strrchr(text, ')');
	return !state || (state[1] && state[2] != 'R');
}

/* Read until the command has drawn the whole screen. The command may pause while it draws. */
static void settle(void)
{
	struct pollfd fd = { .fd = master, .events = POLLIN };
	time_t end = time(NULL) + WAIT_S;

	while (!rests() && time(NULL) <= end)
		read_output(50);
	read_all();
	while (poll(&fd, 1, 100) > 0 && read_output(0))
		;
}

static void type(const char *keys)
{
	char bytes[256];
	size_t len = 0;

	/* Send all keys in one write, because a terminal does not split a sequence. */
	for (; *keys && len < sizeof(bytes); keys++) {
		char key = *keys;

		if (key == '\\' && keys[1]) {
			keys++;
			key = *keys == 'e' ? '\033' : *keys == 'r' ? '\r' : *keys;
		}
		bytes[len++] = key;
	}
	if (write(master, bytes, len) != (ssize_t)len)
		die("type");
}

static void show(void)
{
	settle();
	for (unsigned int i = 0; i < size.ws_row; i++) {
		size_t len = size.ws_col;

		while (len && (!screen[i][len - 1] || screen[i][len - 1] == ' '))
			len--;
		printf(">");
		for (size_t k = 0; k < len; k++)
			putchar(screen[i][k] ? screen[i][k] : ' ');
		printf("\n");
	}
}

static void report_terminal(void)
{
	struct termios now;

	memset(&now, 0, sizeof(now));
	if (tcgetattr(master, &now))
		die("tcgetattr");
	printf("settings: %s\n", memcmp(&now, &before, sizeof(now)) ? "changed" : "as before");
	printf("screen: %s, cursor: %s\n", alternate ? "alternate" : "normal",
	       hidden ? "hidden" : "shown");
}

static void fill(void)
{
	time_t end = time(NULL) + WAIT_S;
	char text[256];

	/* The file begins with the number of the system call that blocks, or with "running". */
	do {
		usleep(10000);
		read_proc("syscall", text);
	} while ((*text == 'r' || atoi(text) != SYS_write) && time(NULL) <= end);
	if (time(NULL) > end) {
		printf("never full\n");
		kill(pid, SIGKILL);
		exit(1);
	}
}

static void wait_for_stop(void)
{
	int status;

	while (!waitpid(pid, &status, WUNTRACED | WNOHANG))
		read_output(50);
	if (!WIFSTOPPED(status))
		die("not stopped");
	read_all();
	printf("stopped\n");
	report_terminal();
	kill(pid, SIGCONT);
}

static void wait_for_end(void)
{
	time_t end = time(NULL) + WAIT_S;
	int status;

	while (!waitpid(pid, &status, WNOHANG)) {
		read_output(50);
		if (time(NULL) > end) {
			printf("did not end\n");
			kill(pid, SIGKILL);
			exit(1);
		}
	}
	read_all();
	if (WIFSIGNALED(status))
		printf("killed by signal %d\n", WTERMSIG(status));
	else
		printf("status %d\n", WEXITSTATUS(status));
	/* The screen shows the error. */
	if (status)
		show();
}

static void change_size(const char *text)
{
	if (sscanf(text, "%hux%hu", &size.ws_row, &size.ws_col) != 2 || size.ws_row > LINES ||
	    size.ws_col > COLUMNS || ioctl(master, TIOCSWINSZ, &size))
		die(text);
	memset(screen, 0, sizeof(screen));
}

static void step(const char *text)
{
	const char *value = strchr(text, '=');
	size_t len = value ? (size_t)(value++ - text) : strlen(text);

	if (!strncmp(text, "wait", len) && value)
		wait_for(value, true);
	else if (!strncmp(text, "gone", len) && value)
		wait_for(value, false);
	else if (!strncmp(text, "type", len) && value)
		type(value);
	else if (!strncmp(text, "size", len) && value)
		change_size(value);
	else if (!strncmp(text, "signal", len) && value)
		kill(pid, atoi(value));
	else if (!strcmp(text, "show"))
		show();
	else if (!strcmp(text, "full"))
		fill();
	else if (!strcmp(text, "stopped"))
		wait_for_stop();
	else if (!strcmp(text, "exit"))
		wait_for_end();
	else
		die(text);
}

int main(int argc, char **argv)
{
	int slave, first = 1;

	while (first < argc && strcmp(argv[first], "--"))
		first++;
	if (first + 1 >= argc)
		return 125;
	if (openpty(&master, &slave, NULL, NULL, &size))
		die("openpty");
	memset(&before, 0, sizeof(before));
	if (tcgetattr(slave, &before))
		die("tcgetattr");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		close(master);
		setenv("TERM", "xterm", 1);
		if (login_tty(slave))
			die("login_tty");
		execvp(argv[first + 1], argv + first + 1);
		die(argv[first + 1]);
	}
	/* The slave stays open, so the settings can be read after the end of the command. */
	for (int i = 1; i < first; i++)
		step(argv[i]);
	report_terminal();
	return 0;
}
