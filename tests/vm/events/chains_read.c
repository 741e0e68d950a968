// SPDX-License-Identifier: GPL-2.0
#include "chains.h"

#define SET	 100 /* id of the maskset */
#define SIZE	 (8 << 20)
#define RECORDS	 (SIZE / RECORD_SIZE)
#define SYMBOLS	 400000
#define CHAINS	 RECORDS

struct chain *chains;
unsigned int chain_num;
unsigned int parts_without_head;

static struct lkst_log_record *records;
static struct lkst_log_buffer counts;
static struct lkst_trc_status before;

/* Functions of the kernel, in ascending order of addresses */
static struct symbol {
	uint64_t address;
	char name[48];
} *symbols;
static unsigned int symbol_num;

static int compare_symbols(const void *a, const void *b)
{
	uint64_t one = ((const struct symbol *)a)->address;
	uint64_t other = ((const struct symbol *)b)->address;

	return one < other ? -1 : one > other;
}

static void read_symbols(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	struct symbol *symbol;
	char line[512], type;

	bail_if(!file, "/proc/kallsyms");
	symbols = calloc(SYMBOLS, sizeof(*symbols));
	bail_if(!symbols, "memory");
	while (fgets(line, sizeof(line), file) && symbol_num < SYMBOLS) {
		symbol = &symbols[symbol_num];
		if (sscanf(line, "%lx %c %47s", (unsigned long *)&symbol->address, &type,
			   symbol->name) == 3 && strchr("tTwW", type))
			symbol_num++;
	}
	fclose(file);
	qsort(symbols, symbol_num, sizeof(*symbols), compare_symbols);
}

const char *symbol_of(uint64_t address)
{
	unsigned int low = 0, high = symbol_num;

	/* If a function ends with a call, the return address is just past the function's end. */
	address--;
	while (high - low > 1) {
		unsigned int middle = (low + high) / 2;

		if (symbols[middle].address <= address)
			low = middle;
		else
			high = middle;
	}
	return symbol_num && symbols[low].address <= address ? symbols[low].name : "";
}

void chains_begin(void)
{
	read_proc_etypes();
	read_symbols();
	before = get_status();
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	records = calloc(RECORDS, sizeof(*records));
	chains = calloc(CHAINS, sizeof(*chains));
	bail_if(!records || !chains, "memory");
}

void chains_finish(void)
{
	for (int cpu = 0; cpu < 2; cpu++)
		delete_buffers(cpu);
	delete_maskset(SET);
	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
}

void record_only(int etype)
{
	const struct mask mask = RECORDED(etype);

	for (int cpu = 0; cpu < 2; cpu++)
		make_ring(cpu, 1, SIZE);
	need(write_maskset(SET, "chains", &mask, 1), "MASKSET_WRITE");
	need(set_maskset(SET), "MASKSET_SET");
}

void record_nothing(void)
{
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
}

static bool is_chain(int etype)
{
	return etype == SYSCALL_PATH || etype == OOPS_MESSAGE || etype == PROCESS_BLOCK;
}

static void take(struct chain *chain, const struct lkst_log_record *record, unsigned int bytes)
{
	const lkst_arg_t arg[3] = { record->log_arg2, record->log_arg3, record->log_arg4 };

	memcpy(chain->data + chain->have, arg, bytes);
	chain->have += bytes;
	chain->whole = chain->have == chain->bytes;
}

static void take_head(const struct lkst_log_record *record)
{
	struct chain *chain = &chains[chain_num++];
	unsigned int bytes = LKST_CHAIN_HEAD_BYTES(record->log_arg1);

	*chain = (struct chain){
		.etype = record->posix.log_event_type,
		.thread = record->posix.log_thread,
		.serial = LKST_CHAIN_SERIAL(record->log_arg1),
		.bytes = bytes,
		.next = 1,
		.cut = LKST_CHAIN_HEAD_FLAGS(record->log_arg1) & LKST_CHAIN_CUT,
		.data = calloc(1, bytes + LKST_CHAIN_BYTES),
	};
	bail_if(!chain->data, "memory");
	if (LKST_CHAIN_HEAD_PARTS(record->log_arg1) != LKST_CHAIN_PARTS_OF(bytes))
		printf("# a head has the wrong number of parts\n");
	take(chain, record, bytes < LKST_CHAIN_BYTES ? bytes : LKST_CHAIN_BYTES);
}

static void take_part(const struct lkst_log_record *record)
{
	unsigned int bytes = LKST_CHAIN_PART_BYTES(record->log_arg1);
	struct chain *chain = NULL;

	for (unsigned int i = chain_num; i-- && !chain;)
		if (chains[i].serial == LKST_CHAIN_SERIAL(record->log_arg1))
			chain = &chains[i];
	if (!chain) {
		parts_without_head++;
		return;
	}
	if (LKST_CHAIN_PART_NUMBER(record->log_arg1) != chain->next ||
	    bytes > LKST_CHAIN_BYTES || chain->have + bytes > chain->bytes)
		return;
	chain->next++;
	take(chain, record, bytes);
}

void read_chains(int cpu)
{
	unsigned int num;

	for (unsigned int i = 0; i < chain_num; i++)
		free(chains[i].data);
	chain_num = 0;
	parts_without_head = 0;
	need(read_buffer_max(&counts, cpu, 1, records, RECORDS), "BUFFER_READ");
	num = counts.result_read_size / sizeof(*records);
	for (unsigned int i = 0; i < num; i++) {
		if (is_chain(records[i].posix.log_event_type))
			take_head(&records[i]);
		else if (records[i].posix.log_event_type == LKST_MORE)
			take_part(&records[i]);
	}
}

unsigned int chains_cut_by_losses(void)
{
	return counts.overwritten ? 1 : counts.dropped;
}
