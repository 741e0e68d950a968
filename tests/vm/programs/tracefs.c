// SPDX-License-Identifier: GPL-2.0
/*
 * The files user_events_data and user_events_status of tracefs do the same as LKST's other files.
 *
 *	tracefs		tests the files
 *	tracefs hold	opens user_events_data with O_PATH, prints "ready", and waits for SIGUSR1,
 *			which the test sends after it has unloaded LKST. Then it must be impossible
 *			to open the file through this descriptor
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "user.h"

#define TRACEFS "/sys/kernel/tracing/"
#define DATA	TRACEFS "user_events_data"
#define STATUS	TRACEFS "user_events_status"

static int hold(void)
{
	int fd = open(DATA, O_PATH), again;
	sigset_t set;
	char path[40];
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	bail_if(fd < 0, DATA);
	puts("ready");
	fflush(stdout);
	sigwait(&set, &signal);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, O_RDWR);
	if (again >= 0 || errno != EIO)
		printf("open: %s\n", again < 0 ? strerror(errno) : "success");
	return again >= 0 || errno != EIO;
}

static void read_file(const char *path, char text[65536])
{
	int fd = open(path, O_RDONLY);
	ssize_t got, len = 0;

	bail_if(fd < 0, path);
	while ((got = read(fd, text + len, 65535 - len)) > 0)
		len += got;
	text[len] = '\0';
	close(fd);
}

int main(int argc, char **argv)
{
	static char status[65536], expected[65536];
	struct stat data, device;
	int fd, index;
	size_t num;

	if (argc > 1 && !strcmp(argv[1], "hold"))
		return hold();
	user_begin();
	bail_if(stat(DATA, &data) || stat(USER_FILE, &device), DATA);
	ok(S_ISREG(data.st_mode) && (data.st_mode & 07777) == (device.st_mode & 07777),
	   "user_events_data has the mode of the device");
	ok(data.st_uid == device.st_uid && data.st_gid == device.st_gid,
	   "it has the owner and group of the device");
	fd = open(DATA, O_RDWR);
	bail_if(fd < 0, DATA);
	need(user_register(fd, "tracefs_one u32 a", 0, &user_words[0], &index), "register");
	user_record();
	ok(user_write(fd, index, "abcd", 4) == 0, "write()");
	ok(user_writev(fd, index, "efgh", 4) == 0, "writev()");
	num = user_read();
	ok(user_count(num, user_find("user_events:tracefs_one").etype) == 2, "both are recorded");
	read_file(STATUS, status);
	read_file(USER_STATUS, expected);
	ok(strstr(status, "tracefs_one") && !strcmp(status, expected),
	   "user_events_status has the same text as " USER_STATUS);
	need(user_unregister(fd, &user_words[0]), "unregister");
	close(fd);
	user_finish();
	return done_testing();
}
