/* libvterm for Swift: what the importer cannot see of a colour, which is a union under a bit-field. */
#ifndef BEDSIDE_CVTERM_SHIM_H
#define BEDSIDE_CVTERM_SHIM_H

/* No feature macro: the Glibc module is built without one, and both must see the same types. */
#include <vterm.h>

/* Whether the colour is the terminal's own foreground or background. */
static inline bool cvterm_color_is_default(VTermColor color) {
    return VTERM_COLOR_IS_DEFAULT_FG(&color) || VTERM_COLOR_IS_DEFAULT_BG(&color);
}

/* The index into the palette of 256 colours, or -1 for a colour given as red, green and blue. */
static inline int cvterm_color_index(VTermColor color) {
    return VTERM_COLOR_IS_INDEXED(&color) ? color.indexed.idx : -1;
}

/* Red, green and blue as 0xRRGGBB; only for a colour without an index. */
static inline uint32_t cvterm_color_rgb(VTermColor color) {
    return (uint32_t)color.rgb.red << 16 | (uint32_t)color.rgb.green << 8 | color.rgb.blue;
}

/* The row and column of the cursor. */
static inline VTermPos cvterm_cursor(VTerm *terminal) {
    VTermPos position;
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &position);
    return position;
}

#endif
