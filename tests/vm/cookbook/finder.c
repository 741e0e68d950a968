// SPDX-License-Identifier: GPL-2.0
/*
 * finder: a program that looks for its configuration in many places before it finds it, and tries
 * to connect to a service that does not run.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "cookbook.h"

static const char *const places[] = { "/etc/finder.conf", "/usr/etc/finder.conf",
				      "/opt/finder.conf" };

static void try_to_open(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd >= 0)
		close(fd);
}

static void try_to_connect(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(61999),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		err(1, "socket");
	if (!connect(fd, (struct sockaddr *)&to, sizeof(to)))
		errx(1, "port 61999 is in use");
	close(fd);
}

int main(void)
{
	for (int i = 0; i < 20; i++)
		for (size_t j = 0; j < sizeof(places) / sizeof(places[0]); j++)
			try_to_open(places[j]);
	for (int i = 0; i < 5; i++)
		try_to_connect();
	return 0;
}
