// SPDX-License-Identifier: GPL-2.0
/* flood: send 5000 datagrams to a socket of this process, and receive them. */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "cookbook.h"

int main(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(to);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char data[512] = "";

	/* Port 0: the kernel chooses one. */
	if (fd < 0 || bind(fd, (struct sockaddr *)&to, len) ||
	    getsockname(fd, (struct sockaddr *)&to, &len))
		err(1, "socket");
	for (int i = 0; i < 5000; i++)
		if (sendto(fd, data, sizeof(data), 0, (struct sockaddr *)&to, len) < 0 ||
		    recv(fd, data, sizeof(data), 0) < 0)
			err(1, "send");
	return 0;
}
