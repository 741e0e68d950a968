// SPDX-License-Identifier: GPL-2.0
/* deaf: send 500 datagrams to a socket that has a small buffer and is never read. */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "cookbook.h"

int main(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(to);
	int fd = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);
	char data[512] = "";

	/* Port 0: the kernel chooses one. */
	if (fd < 0 || from < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){ 4096 }, sizeof(int)) ||
	    bind(fd, (struct sockaddr *)&to, len) || getsockname(fd, (struct sockaddr *)&to, &len))
		err(1, "socket");
	for (int i = 0; i < 500; i++)
		if (sendto(from, data, sizeof(data), 0, (struct sockaddr *)&to, len) < 0)
			err(1, "send");
	return 0;
}
