// SPDX-License-Identifier: GPL-2.0
/*
 * leaky: a service in the background handles 1000 requests. For each request, it opens a file and
 * closes it, and creates an eventfd that it never closes. It then waits for up to a minute.
 */
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include "cookbook.h"

static void handle_request(void)
{
	int fd = open("/dev/null", O_RDONLY);

	if (fd < 0 || eventfd(0, 0) < 0)
		err(1, "open");
	close(fd);
}

int main(void)
{
	int ends[2];
	char byte;

	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 2000, 2000 });
	if (pipe(ends))
		err(1, "pipe");
	if (!start("leaky")) {
		for (int i = 0; i < 1000; i++)
			handle_request();
		if (write(ends[1], "", 1) != 1)
			err(1, "write");
		nap(60000);
		return 0;
	}
	close(ends[1]);
	return read(ends[0], &byte, 1) != 1;
}
