/* ncurses for Swift: dull wrappers. Quirk importer-is-blind: it sees no macros with casts and no variadic functions. */
#ifndef BEDSIDE_CNCURSES_SHIM_H
#define BEDSIDE_CNCURSES_SHIM_H

/* Quirk ncurses-flags: what its pkg-config file would set to show the wide functions. */
#define NCURSES_WIDECHAR 1
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>
#include <locale.h>
#include <langinfo.h>
#include <ncursesw/curses.h>
/* Quirk term-h-macros: it is left out, for it defines hundreds of short ones such as `columns` and `lines`. */

/* The attributes are macros with a cast. */
static inline attr_t cncurses_bold(void) { return A_BOLD; }
static inline attr_t cncurses_dim(void) { return A_DIM; }
static inline attr_t cncurses_reverse(void) { return A_REVERSE; }
static inline attr_t cncurses_underline(void) { return A_UNDERLINE; }

/* Quirk c-globals: Swift 6 does not let us touch COLORS and stdscr. */
static inline int cncurses_color_count(void) { return COLORS; }
static inline int cncurses_keypad(bool on) { return keypad(stdscr, on); }
static inline int cncurses_nodelay(bool on) { return nodelay(stdscr, on); }
static inline int cncurses_immediate_off(void) { return leaveok(stdscr, FALSE); }
static inline int cncurses_move(int row, int column) { return wmove(stdscr, row, column); }
static inline int cncurses_erase(void) { return werase(stdscr); }
static inline int cncurses_refresh(void) { return wrefresh(stdscr); }
static inline int cncurses_redraw(void) { return redrawwin(stdscr); }
static inline int cncurses_read(wint_t *character) { return wget_wch(stdscr, character); }

/* cchar_t holds an array, which Swift sees as a tuple. A mark of 0 is none. */
static inline int cncurses_put(
    int row, int column, uint32_t character, uint32_t first_mark, uint32_t second_mark, attr_t attributes, short pair
) {
    wchar_t text[4] = {(wchar_t)character, (wchar_t)first_mark, (wchar_t)second_mark, 0};
    cchar_t cell;
    if (setcchar(&cell, text, attributes, pair, NULL) == ERR) return ERR;
    return mvwadd_wch(stdscr, row, column, &cell);
}

/* Masks are macros with casts. Presses only: a click is reported without the wait for a double one. */
static inline bool cncurses_watch_mouse(bool on) {
    mouseinterval(0);
    return mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL) != 0;
}
/* The button of the newest report: 1, 4 or 5; 0 for another one, or none. */
static inline int cncurses_read_mouse(int *column, int *row) {
    MEVENT event;
    if (getmouse(&event) != OK) return 0;
    *column = event.x;
    *row = event.y;
    if (event.bstate & BUTTON1_PRESSED) return 1;
    if (event.bstate & BUTTON4_PRESSED) return 4;
    return event.bstate & BUTTON5_PRESSED ? 5 : 0;
}

/* A description has RGB where its colours are red, green and blue in one number: as a flag, a number or a text. */
static inline bool cncurses_has_direct_color(void) {
    return tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (tigetstr("RGB") != NULL && tigetstr("RGB") != (char *)-1);
}
static inline int cncurses_color_pair_count(void) { return COLOR_PAIRS; }

/* wchar.h declares it for X/Open only. */
extern int wcwidth(wchar_t character);
static inline int cncurses_width(uint32_t character) { return wcwidth((wchar_t)character); }

/* tigetstr answers with (char *)-1 for a name that is no string capability. */
static inline const char *cncurses_capability(const char *name) {
    const char *value = tigetstr(name);
    return value == (const char *)-1 ? NULL : value;
}

/* setupterm is declared in term.h. With a place for its error it returns instead of ending the program. */
static inline int cncurses_look_up(const char *type) {
    extern int setupterm(const char *type, int descriptor, int *error);
    int error = 0;
    return setupterm(type, 1, &error) == OK ? 0 : -1;
}

#endif
