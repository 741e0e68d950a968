/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The part of QNX's <sys/neutrino.h> that programs with TraceEvent() need. See
 * traceevent(3).
 */
#ifndef _LKST_SYS_NEUTRINO_H
#define _LKST_SYS_NEUTRINO_H

#define _NTO_TCTL_IO	14

/**
 * ThreadCtl() - request I/O privileges before an event handler is attached
 * @cmd: _NTO_TCTL_IO
 * @data: ignored
 *
 * Return: 0, because nothing needs these privileges on Linux.
 */
static inline int ThreadCtl(int cmd, void *data)
{
	(void)cmd;
	(void)data;
	return 0;
}

#endif
