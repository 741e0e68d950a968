#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# forks.sh: count to 50, as scripts often do: with a new process for each number
i=0
while [ "$i" -lt 50 ]; do
	# shellcheck disable=SC2003 # this is what the recipe is about
	i=$(expr "$i" + 1)
	[ $((i % 10)) -ne 0 ] || date >/dev/null
done
