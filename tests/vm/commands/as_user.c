// SPDX-License-Identifier: GPL-2.0
/* as_user COMMAND [ARG...]: runs COMMAND as user and group 1000, without capabilities. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		return 125;
	if (setgid(1000) || setuid(1000)) {
		perror("as_user");
		return 125;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
