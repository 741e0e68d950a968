// SPDX-License-Identifier: GPL-2.0
/*
 * usage: sleep SECONDS STATE
 *
 * Puts the machine to sleep, and wakes it up after SECONDS. STATE is written to /sys/power/state.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct itimerspec spec = { 0 };
	int timer, state;

	if (argc != 3)
		return 2;
	spec.it_value.tv_sec = atoi(argv[1]);
	timer = timerfd_create(CLOCK_BOOTTIME_ALARM, 0);
	if (timer < 0 || timerfd_settime(timer, 0, &spec, NULL)) {
		perror("alarm timer");
		return 1;
	}
	state = open("/sys/power/state", O_WRONLY);
	if (state < 0 || write(state, argv[2], strlen(argv[2])) < 0) {
		perror("/sys/power/state");
		return 1;
	}
	return 0;
}
