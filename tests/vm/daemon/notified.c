// SPDX-License-Identifier: GPL-2.0
/*
 * Acts as a service manager that receives the reports of a service, as sd_notify() sends them:
 * creates the socket, and prints a line for each VARIABLE=VALUE that it receives, until it is
 * killed.
 *
 *	notified SOCKET
 *
 * SOCKET is a path, or @NAME for an abstract socket.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	char text[4096], *line, *rest;
	socklen_t length;
	ssize_t got;
	int fd;

	if (argc != 2 || strlen(argv[1]) >= sizeof(to.sun_path)) {
		fprintf(stderr, "usage: notified SOCKET\n");
		return 2;
	}
	strcpy(to.sun_path, argv[1]);
	length = offsetof(struct sockaddr_un, sun_path) + strlen(argv[1]);
	if (*to.sun_path == '@')
		*to.sun_path = 0;
	else
		unlink(argv[1]);
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&to, length)) {
		perror(argv[1]);
		return 1;
	}
	while ((got = recv(fd, text, sizeof(text) - 1, 0)) >= 0) {
		text[got] = 0;
		for (rest = text; (line = strsep(&rest, "\n"));)
			if (*line)
				puts(line);
		fflush(stdout);
	}
	return 1;
}
