// SPDX-License-Identifier: GPL-2.0
/*
 * Part of the demo's workload: two threads pass a token to each other, so that they sleep and wake
 * each other. A third thread repeatedly sleeps for a short time.
 *
 * usage: threads ROUNDS
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static long token, rounds;

/* Passes the token on: thread 0 does so when the token is even, and thread 1 when it is odd. */
static void *player(void *arg)
{
	long me = (long)arg;

	pthread_mutex_lock(&mutex);
	while (token < rounds) {
		if (token % 2 == me) {
			token++;
			pthread_cond_broadcast(&moved);
		} else {
			pthread_cond_wait(&moved, &mutex);
		}
	}
	pthread_cond_broadcast(&moved);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *sleeper(void *arg)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; i < 100; i++)
		nanosleep(&moment, NULL);
	return arg;
}

int main(int argc, char **argv)
{
	static void *(*const functions[])(void *) = { player, player, sleeper };
	pthread_t threads[3];
	long i;

	rounds = argc > 1 ? atol(argv[1]) : 1000;
	for (i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, functions[i], (void *)i)) {
			perror("threads");
			return 1;
		}
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
