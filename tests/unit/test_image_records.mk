# SPDX-License-Identifier: GPL-2.0
src-test_image_records += mkimage.c mkimage_files.c
