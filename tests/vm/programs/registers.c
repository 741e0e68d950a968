// SPDX-License-Identifier: GPL-2.0
/*
 * registers again SECONDS: register an event and let it end, again and again
 * registers keep DEFINITION: register the event DEFINITION, such as "name u32 a", print
 *	"registered", and sleep
 */
#include <time.h>

#include "user.h"

static void again(int seconds)
{
	time_t end = time(NULL) + seconds;

	while (time(NULL) < end) {
		int fd = user_open();

		need(user_register(fd, "registers_again u32 a", 0, user_words, NULL), "register");
		need(user_unregister(fd, user_words), "unregister");
		close(fd);
	}
}

static void keep(const char *text)
{
	need(user_register(user_open(), text, 0, user_words, NULL), "register");
	puts("registered");
	fflush(stdout);
	pause();
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "again"))
		again(atoi(argv[2]));
	else if (argc == 3 && !strcmp(argv[1], "keep"))
		keep(argv[2]);
	else
		return 2;
	return 0;
}
