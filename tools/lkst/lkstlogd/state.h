/* SPDX-License-Identifier: GPL-2.0 */
/* State that outlives the daemon, in a file that the daemon maps and the next daemon reads. */
#ifndef _LKSTLOGD_STATE_H
#define _LKSTLOGD_STATE_H

#include <limits.h>

#include "lib/lkst.h"
#include "ring.h"

#define LOGD_STATE_DIR	"/run/lkst"
#define LOGD_STATE_FILE LOGD_STATE_DIR "/lkstlogd.state"

/**
 * struct logd_cpu - state of a CPU
 * @next: recid that follows the last record in a file; 0: no record is in a file
 * @writing: not 0: a record after those in files counts as lost if it is overwritten before the
 *	daemon reads it
 * @kept: number of records in files
 * @rewound: number of records that newer records have overwritten in files
 * @lost: number of records that never reached a file
 * @file: name of the open file, without its directory; "": none is open
 * @trouble: why the file cannot be written; "": no failure
 * @removed: number of events in deleted files
 * @removed_own: the part of @removed that is also in @kept
 * @ring: ring of buffers that the CPU records in
 */
struct logd_cpu {
	uint64_t next;
	uint32_t writing;
	uint64_t kept;
	uint64_t rewound;
	uint64_t lost;
	char file[NAME_MAX + 1];
	char trouble[200];
	uint64_t removed;
	uint64_t removed_own;
	struct logd_ring ring;
};

/**
 * struct logd_previous - results of the process that saves the records of previous boots
 * @saved: number of boots saved
 * @unsaved: number of boots that could not be saved
 * @reports: number of reports written
 * @file: name of the file written last, without its directory; "": none
 * @trouble: why a boot could not be saved; "": no failure
 */
struct logd_previous {
	uint32_t saved;
	uint32_t unsaved;
	uint32_t reports;
	char file[NAME_MAX + 1];
	char trouble[200];
};

/**
 * struct logd_state - the state file, which the daemon maps and leaves to the next daemon
 * @magic: MAGIC of state.c
 * @cpus: number of entries in @cpu
 * @boot_id: id of the boot that the state describes
 * @lkst: UUID of the LKST run that the recids in @cpu belong to; all 0: none yet
 * @maskset: id of lkstlogd's own maskset; LKST_MASKSET_ID_VOID if it does not exist
 * @before: id of the maskset that @maskset is based on
 * @snapshot: number of the latest snapshot that a daemon has noticed
 * @previous: results of the process that saves the records of previous boots
 * @cpu: indexed by CPU number
 */
struct logd_state {
	char magic[16];
	uint32_t cpus;
	char boot_id[64];
	uint8_t lkst[LKST_BLOCK_BOOT_LEN];
	int32_t maskset;
	int32_t before;
	uint32_t snapshot;
	struct logd_previous previous;
	struct logd_cpu cpu[];
};

int logd_state_dir(struct lkst_error *err);
int logd_state_lock(struct lkst_error *err);
void logd_state_unlock(void);
struct logd_state *logd_state_open(uint32_t cpus, struct lkst_error *err);
void logd_state_close(struct logd_state *state);

#endif
