// SPDX-License-Identifier: GPL-2.0
#include "shim/lkst.h"

#include "cpu_chains.h"
#include "case.h"

#include "lkst/dispatch/chain.h"
#include <linux/lkst_etypes.h>

#define CHAINS	1024
#define RECORDS 8 /* highest number of records in a chain */

struct chain {
	unsigned int bytes;
	bool key_known;
	u32 cpu, serial;
	u64 recid[RECORDS]; /* 0: no reader has returned this record */
};

static struct {
	struct chain chains[CHAINS];
	unsigned int num;
	u32 cpu;
	unsigned long other_serial; /* serial of the next chain of the CPU that is not running */
} model;

/*
 * Word @word of the payload of chain @chain. The low 16 bits say which word it is, so a reader can
 * tell which chain and which place a record is from.
 */
static u64 word_of(unsigned int chain, unsigned int word)
{
	return 0x5a00000000000000ull | (u64)chain << 16 | word;
}

void chains_begin(void)
{
	memset(model.chains, 0, model.num * sizeof(*model.chains));
	model.num = 0;
	model.cpu = 0;
	model.other_serial = *record_chain_serial();
}

u32 chains_cpu(void)
{
	return model.cpu;
}

u32 chains_move(void)
{
	unsigned long serial = *record_chain_serial();

	*record_chain_serial() = model.other_serial;
	model.other_serial = serial;
	model.cpu = !model.cpu;
	return model.cpu;
}

void chains_record(unsigned int bytes)
{
	u64 data[RECORDS * 3];
	unsigned int chain = model.num++;
	struct lkst_payload payload = { .data = &data[1], .bytes = bytes - 8, .words = 1 };

	if (model.num > CHAINS || bytes > sizeof(data))
		record_fail("CHAINS or RECORDS is too small");
	model.chains[chain].bytes = bytes;
	for (unsigned int i = 0; i < bytes / 8; i++)
		data[i] = word_of(chain, i);
	payload.word[0] = data[0];
	lkst_event_chain(CHAIN_ETYPE, &payload);
}

/* Check that no other chain has the serial @serial of @cpu. */
static void check_key(unsigned int chain, u32 cpu, u32 serial)
{
	struct chain *this = &model.chains[chain];

	for (unsigned int i = 0; i < model.num; i++)
		if (i != chain && model.chains[i].key_known && model.chains[i].cpu == cpu &&
		    model.chains[i].serial == serial)
			record_fail("chains %u and %u of CPU %u have the serial %u", chain, i, cpu,
				    serial);
	if (this->key_known && this->serial != serial)
		record_fail("chain %u has the serials %u and %u", chain, this->serial, serial);
	if (this->key_known && this->cpu != cpu)
		record_fail("chain %u is from the CPUs %u and %u", chain, this->cpu, cpu);
	this->cpu = cpu;
	this->serial = serial;
	this->key_known = true;
}

/* Return the first argument that record @n of @chain must have. */
static u64 argument_of(const struct chain *chain, unsigned int n)
{
	unsigned int left = chain->bytes - n * LKST_CHAIN_BYTES;

	if (!n)
		return LKST_CHAIN_HEAD(chain->serial, (chain->bytes - 1) / 24, 0, chain->bytes);
	return LKST_CHAIN_PART(chain->serial, n, left < 24 ? left : 24);
}

bool chains_found(u64 recid, const struct lkst_event_record *record)
{
	unsigned int chain = (unsigned int)(record->arg[1] >> 16) & 0xffff;
	unsigned int word = (u16)record->arg[1], n = word / 3;
	struct chain *this = &model.chains[chain % CHAINS];

	if (record->event_type != CHAIN_ETYPE && record->event_type != LKST_ETYPE_LKST_MORE)
		return false;
	if (chain >= model.num || word % 3 || word * 8 >= this->bytes ||
	    !n != (record->event_type == CHAIN_ETYPE))
		record_fail("recid %llu is no record of a chain: %#llx", recid,
			    (u64)record->arg[1]);
	check_key(chain, record->gid, LKST_CHAIN_SERIAL(record->arg[0]));
	if (record->arg[0] != argument_of(this, n))
		record_fail("recid %llu: record %u of chain %u begins with %#llx", recid, n, chain,
			    (u64)record->arg[0]);
	for (unsigned int i = 0; i < 3; i++)
		if (record->arg[1 + i] !=
		    ((word + i) * 8 < this->bytes ? word_of(chain, word + i) : 0))
			record_fail("recid %llu: record %u of chain %u is not whole", recid, n,
				    chain);
	if (this->recid[n] && this->recid[n] != recid)
		record_fail("record %u of chain %u has the recids %llu and %llu", n, chain,
			    this->recid[n], recid);
	this->recid[n] = recid;
	return true;
}

u64 chains_end(void)
{
	u64 missing = 0;

	for (unsigned int chain = 0; chain < model.num; chain++) {
		const struct chain *this = &model.chains[chain];
		u64 last = 0;

		for (unsigned int n = 0; n * LKST_CHAIN_BYTES < this->bytes; n++) {
			missing += !this->recid[n];
			if (this->recid[n] && this->recid[n] < last)
				record_fail("record %u of chain %u has recid %llu, after %llu", n,
					    chain, this->recid[n], last);
			if (this->recid[n])
				last = this->recid[n];
		}
	}
	return missing;
}
