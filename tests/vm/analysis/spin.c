// SPDX-License-Identifier: GPL-2.0
/*
 * spin MS: execute a loop for MS milliseconds of CPU time. Prints the addresses of its code. The
 * kernel counts a pause of an emulated CPU as CPU time, so each call of loop() counts as at most
 * 20 ms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MS (CLOCKS_PER_SEC / 1000)

/* The linker defines these symbols, because the section's name is an identifier. */
extern const char __start_spin[], __stop_spin[];

__attribute__((noinline, section("spin"))) static void loop(void)
{
	for (unsigned int i = 0; i < 1000000; i++)
		asm volatile("");
}

int main(int argc, char **argv)
{
	clock_t left = (argc > 1 ? atol(argv[1]) : 1000) * MS, last = clock();

	printf("%p %p\n", (const void *)__start_spin, (const void *)__stop_spin);
	while (left > 0) {
		clock_t step;

		loop();
		step = clock() - last;
		last += step;
		left -= step < 20 * MS ? step : 20 * MS;
	}
	return 0;
}
