// SPDX-License-Identifier: GPL-2.0
/* Processes that wait for timers. */
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>

#include "why_load.h"

static void sleeper(void)
{
	nap(NAP_MS);
}

static void sleep_once(void)
{
	actor("sleeper", -1, 0, sleeper);
}

static void poller(void)
{
	poll(NULL, 0, NAP_MS);
}

static void poll_timeout(void)
{
	actor("poller", -1, 0, poller);
}

static void timerfd_reader(void)
{
	const struct itimerspec when = { .it_value.tv_nsec = NAP_MS * 1000000L };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t times;

	bail_if(timerfd_settime(fd, 0, &when, NULL) || read(fd, &times, sizeof(times)) < 0,
		"timerfd");
}

static void timerfd(void)
{
	actor("timerfd-reader", -1, 0, timerfd_reader);
}

static void ignore(int signal)
{
	(void)signal;
}

static void pauser(void)
{
	const struct itimerval often = { { 0, NAP_MS * 1000 }, { 0, NAP_MS * 1000 } };

	signal(SIGALRM, ignore);
	/* If the first signal comes too early for pause(), another one follows. */
	setitimer(ITIMER_REAL, &often, NULL);
	pause();
}

static void alarm_signal(void)
{
	actor("pauser", -1, 0, pauser);
}

const struct scenario time_scenarios[] = {
	{ "sleep", sleep_once },
	{ "poll", poll_timeout },
	{ "timerfd", timerfd },
	{ "alarm", alarm_signal },
	{ NULL, NULL },
};
