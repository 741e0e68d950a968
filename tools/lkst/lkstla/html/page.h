/* SPDX-License-Identifier: GPL-2.0 */
/* The text of the page, which gen-page.sh makes from the files in page/ when lkstla is built. */
#ifndef _LKSTLA_HTML_PAGE_H
#define _LKSTLA_HTML_PAGE_H

/* Up to the title of the page, up to its data, and the rest */
extern const char html_page_head[], html_page_middle[], html_page_end[];

#endif
