/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The word of maskset_select.c that contains which maskset is selected, and
 * whether LKST is stopped.
 */
#ifndef _LKST_SELECT_WORD_H
#define _LKST_SELECT_WORD_H

#include <linux/bits.h>
#include <linux/types.h>
#include <linux/lkst_maskset.h>

/*
 *	bits 0-7	id of the current maskset
 *	bits 8-15	id that TRC_START selects, or LKST_MASKSET_ID_VOID if
 *			LKST is not stopped
 *	bit 16		a context is setting lkst_select_left
 *	bit 17		countdown: LKST stops when lkst_select_left is 0
 *	bit 18		paused: no event is recorded, but rules still apply
 *	bits 19-31	count of masksets that were replaced or deleted, so
 *			that a concurrent selection notices such a change
 */
#define LKST_SELECTED_SETTING	BIT(16)
#define LKST_SELECTED_COUNTING	BIT(17)
#define LKST_SELECTED_PAUSED	BIT(18)
#define LKST_SELECTED_COUNT	BIT(19)

static inline lkst_maskset_id lkst_selected_current(u32 word)
{
	return word & 0xff;
}

static inline lkst_maskset_id lkst_selected_saved(u32 word)
{
	return word >> 8 & 0xff;
}

static inline bool lkst_selected_stopped(u32 word)
{
	return lkst_selected_saved(word) != LKST_MASKSET_ID_VOID;
}

/* Return @word with both ids replaced. */
static inline u32 lkst_selected_with(u32 word, lkst_maskset_id current_id, lkst_maskset_id saved)
{
	return (word & ~0xffffU) | current_id | saved << 8;
}

/* Return @word without a countdown. */
static inline u32 lkst_selected_no_countdown(u32 word)
{
	return word & ~(LKST_SELECTED_SETTING | LKST_SELECTED_COUNTING);
}

/* Return @word without a countdown and without a pause. */
static inline u32 lkst_selected_plain(u32 word)
{
	return lkst_selected_no_countdown(word) & ~LKST_SELECTED_PAUSED;
}

/* Return @word with a pause, and without a countdown. */
static inline u32 lkst_selected_pause(u32 word)
{
	return lkst_selected_no_countdown(word) | LKST_SELECTED_PAUSED;
}

static inline bool lkst_selected_paused(u32 word)
{
	return word & LKST_SELECTED_PAUSED;
}

#endif
