#pragma once
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

// Macros with casts, which Swift cannot import.
enum {
    ALLSPEAK_A_BOLD = A_BOLD,
    ALLSPEAK_A_DIM = A_DIM,
    ALLSPEAK_A_REVERSE = A_REVERSE,
    ALLSPEAK_A_UNDERLINE = A_UNDERLINE,
};

// Global variables, which Swift 6 takes for unguarded ones: curses.h leaves it to the caller to stay on one thread.
static inline WINDOW *allspeak_standard_window(void) {
    return stdscr;
}
static inline void allspeak_repaint_all(void) {
    clearok(curscr, TRUE);
}
static inline int allspeak_colours(void) {
    return COLORS;
}
static inline void allspeak_forget_terminal(void) {
    del_curterm(cur_term);
}

// mvwadd_wchnstr is a macro. The cells go to where they are told, and the window's cursor stays there.
static inline int allspeak_put_cells(int row, int column, const cchar_t *cells, int count) {
    return mvwadd_wchnstr(stdscr, row, column, cells, count);
}

// The pair goes in as an int, since the short one holds no more than 32 767 (curs_getcchar(3)).
static inline int allspeak_set_cell(cchar_t *cell, const wchar_t *text, attr_t attributes, int pair) {
    return setcchar(cell, text, attributes, 0, &pair);
}

// NULL for what is absent, cancelled or no string: tigetstr tells the last by a cast.
static inline const char *allspeak_capability(const char *name) {
    const char *text = tigetstr(name);
    return text == (const char *)-1 ? 0 : text;
}

// tparm is variadic, which Swift cannot call. NULL where the terminal has no such capability.
static inline const char *allspeak_with_number(const char *name, int number) {
    const char *text = allspeak_capability(name);
    return text ? tparm(text, (long)number, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L) : 0;
}
