#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# tidy.sh: terminate all processes with the name "sleep"
# shellcheck disable=SC2046 # one argument for each process
kill $(pidof sleep)
