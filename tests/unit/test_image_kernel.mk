# SPDX-License-Identifier: GPL-2.0
src-test_image_kernel += mkkernel.c mkimage.c mkimage_files.c
