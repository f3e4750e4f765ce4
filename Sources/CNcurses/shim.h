/* ncurses for Swift: wide characters on, globals and macros wrapped. */
#ifndef BEDSIDE_CNCURSES_SHIM_H
#define BEDSIDE_CNCURSES_SHIM_H

#define NCURSES_WIDECHAR 1
#include <wchar.h>
#include <locale.h>
#include <langinfo.h>
#include <ncursesw/curses.h>

#endif
