// SPDX-License-Identifier: GPL-2.0
#include "mkchains.h"

#include <string.h>

#include "lib/base/etype_ids.h"

/* Return the next random number below @below (xorshift64). */
static uint64_t mkchains_random(struct mkchains *chains, uint64_t below)
{
	chains->random ^= chains->random << 13;
	chains->random ^= chains->random >> 7;
	chains->random ^= chains->random << 17;
	return (chains->random >> 11) % below;
}

/* Byte @i of the payload of the chain with this serial: a letter */
uint8_t mkchains_byte(uint32_t serial, unsigned int i)
{
	return (uint8_t)('a' + (serial * 7 + i) % 26);
}

static void mkchains_fill(uint64_t arg[4], uint32_t serial, unsigned int from, unsigned int num)
{
	uint8_t bytes[LKST_CHAIN_BYTES] = { 0 };

	for (unsigned int i = 0; i < num && i < LKST_CHAIN_BYTES; i++)
		bytes[i] = mkchains_byte(serial, from + i);
	memcpy(arg + 1, bytes, sizeof(bytes));
}

static void mkchains_end(struct mkchains *chains, size_t i)
{
	const struct mkchain *chain = &chains->open[i];

	if (chain->whole && chains->done)
		chains->done(chains->ctx, chain->serial, chain->bytes);
	chains->open[i] = chains->open[--chains->num];
}

static uint32_t mkchains_begin(struct mkchains *chains, uint64_t arg[4])
{
	static const uint32_t types[] = { LKST_ETYPE_SYSCALL_PATH, LKST_ETYPE_PROCESS_BLOCK,
					  LKST_ETYPE_OOPS_MESSAGE };
	struct mkchain *chain = &chains->open[chains->num++];
	unsigned int most = mkchains_random(chains, 8) ? 200 : LKST_CHAIN_BYTES_MAX;

	chain->serial = chains->serial++;
	chain->bytes = (unsigned int)mkchains_random(chains, most + 1);
	chain->parts = LKST_CHAIN_PARTS_OF(chain->bytes);
	chain->next = 1;
	chain->whole = true;
	arg[0] = LKST_CHAIN_HEAD(chain->serial, chain->parts, 0, chain->bytes);
	mkchains_fill(arg, chain->serial, 0, chain->bytes);
	if (!chain->parts)
		mkchains_end(chains, chains->num - 1);
	return types[mkchains_random(chains, 3)];
}

/*
 * Damage a chain or a part of it. Never use the serial of another chain, because the reader would
 * accept a part that fits that chain.
 */
static void mkchains_damage(struct mkchains *chains, struct mkchain *chain, uint64_t arg[4])
{
	uint32_t serial = chain->serial;
	unsigned int part = chain->next;
	uint8_t bytes = LKST_CHAIN_PART_BYTES(arg[0]);

	switch (mkchains_random(chains, 6)) {
	case 0: /* a part is missing */
		chain->next++;
		chain->whole = false;
		part++;
		break;
	case 1: /* the previous part again, with wrong contents: the reader uses the first one */
		if (part > 1 && chain->whole) {
			part--;
			chain->next--;
			bytes = LKST_CHAIN_BYTES;
			arg[1] = ~arg[1];
		}
		break;
	case 2: /* another number of bytes */
		bytes += (uint8_t)(1 + mkchains_random(chains, 255));
		chain->whole = false;
		break;
	case 3: /* no such part */
		part = mkchains_random(chains, 2) ? 0 : chain->parts + 1;
		chain->next--;
		break;
	case 4: /* a chain that does not exist */
		serial ^= 0x40000000;
		chain->whole = false;
		break;
	default: /* the rest is missing */
		chain->next = chain->parts;
		chain->whole = false;
		serial ^= 0x20000000;
	}
	arg[0] = LKST_CHAIN_PART(serial, part, bytes);
}

/**
 * mkchains_next() - make a record of a chain
 * @chains: chains of a CPU
 * @arg: the arguments of the record
 *
 * Return: its event type.
 */
uint32_t mkchains_next(struct mkchains *chains, uint64_t arg[4])
{
	struct mkchain *chain;
	unsigned int from, num;
	size_t i;

	if (!chains->num || (chains->num < MKCHAINS_DEPTH && !mkchains_random(chains, 4)))
		return mkchains_begin(chains, arg);
	i = mkchains_random(chains, chains->num);
	chain = &chains->open[i];
	from = LKST_CHAIN_BYTES * chain->next;
	num = chain->bytes - from < LKST_CHAIN_BYTES ? chain->bytes - from : LKST_CHAIN_BYTES;
	arg[0] = LKST_CHAIN_PART(chain->serial, chain->next, num);
	mkchains_fill(arg, chain->serial, from, num);
	if (chains->damage && !mkchains_random(chains, 16))
		mkchains_damage(chains, chain, arg);
	if (++chain->next > chain->parts)
		mkchains_end(chains, i);
	return LKST_ETYPE_LKST_MORE;
}
