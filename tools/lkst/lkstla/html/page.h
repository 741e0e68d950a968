/* SPDX-License-Identifier: GPL-2.0 */
/* The text of the page, which gen-page.sh makes from the files in page/ when lkstla is built. */
#ifndef _LKSTLA_HTML_PAGE_H
#define _LKSTLA_HTML_PAGE_H

/* The text up to the title, from the title up to the data, and after the data */
extern const char html_page_head[], html_page_middle[], html_page_end[];

#endif
