#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1
# Like requests.c, in a shell: texts mark the beginning and the end of each request. lkstlogger needs
# CAP_SYS_ADMIN.

id=1
while [ "$id" -le "${1:-10}" ]; do
	lkstlogger -s "request $id begins"
	if [ $((id % 5)) = 0 ]; then
		(i=0; while [ "$i" -lt 2000 ]; do i=$((i + 1)); done)
	fi
	lkstlogger -s "request $id ends"
	id=$((id + 1))
done
