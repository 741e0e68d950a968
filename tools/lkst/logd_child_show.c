// SPDX-License-Identifier: GPL-2.0
/* What others see of a child: its file, its numbers, its troubles. */
#include <string.h>

#include "logd_child.h"

enum {
	LOSS_MS = 60000, /* between two messages on losses */
};

/* ---- numbers ---- */

void child_show_file(struct child *child, const char *name)
{
	if (child_is_current(child))
		snprintf(child->shared->file, sizeof(child->shared->file), "%s", name);
}

void child_show_trouble(struct child *child, const struct lkst_error *err)
{
	if (child_is_current(child))
		logd_report_cut(child->shared->trouble, sizeof(child->shared->trouble),
				err ? err->text : "");
}

void child_show_counts(struct child *child)
{
	struct lkst_log_counts counts = { 0 };

	if (!child_is_current(child))
		return;
	if (child->log)
		lkst_log_counts(child->log, &counts);
	child->shared->kept = child->kept + counts.kept;
	child->shared->rewound = child->rewound + counts.rewound;
}

void child_tell_losses(struct child *child)
{
	if (!child->untold)
		return;
	logd_report(LOG_WARNING,
		    "CPU %d: %llu events were lost: the buffers were full before they were read",
		    child->args->cpu, (unsigned long long)child->untold);
	child->untold = 0;
	child->next_telling = logd_now_ms() + LOSS_MS;
}

void child_count_loss(struct child *child, uint64_t lost)
{
	if (!lost)
		return;
	if (child_is_current(child))
		child->shared->lost += lost;
	child->untold += lost;
	if (!child->trouble && !child->recovered && logd_now_ms() >= child->next_telling)
		child_tell_losses(child);
}

/* ---- trouble with files ---- */

void child_begin_trouble(struct child *child, const struct lkst_error *err)
{
	char before[64];

	if (!child->trouble) {
		snprintf(before, sizeof(before), "CPU %d: cannot write, will go on trying",
			 child->args->cpu);
		logd_report_error(LOG_ERR, before, err);
		child->lost_before = child->shared->lost;
	}
	child->trouble = child->tried = true;
	child->recovered = false;
	child_show_trouble(child, err);
}

/* How much was lost is known with the first run that was not read before it. */
void child_end_trouble(struct child *child)
{
	if (!child->recovered)
		return;
	child->recovered = false;
	logd_report(LOG_NOTICE, "CPU %d: can write again; %llu events were lost meanwhile",
		    child->args->cpu,
		    (unsigned long long)(child->shared->lost - child->lost_before));
	child->untold = 0;
}

void child_no_trouble(struct child *child)
{
	if (child->trouble) {
		child->trouble = false;
		child->recovered = true;
		child_show_trouble(child, NULL);
	}
}
