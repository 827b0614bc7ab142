/* SPDX-License-Identifier: MIT */
/* page.h - page.js and page.css, compiled into the library line by line; NULL ends each. */
#ifndef DDN_IO_PAGE_H
#define DDN_IO_PAGE_H

extern const char *const ddn_page_script[];
extern const char *const ddn_page_style[];

#endif
