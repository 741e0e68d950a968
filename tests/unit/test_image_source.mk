# SPDX-License-Identifier: GPL-2.0
src-test_image_source += mkimage.c mkimage_files.c
