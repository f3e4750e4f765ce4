/* What the program was built from. `make build` links an object that says it (.make/identity); nothing does in a program that
   `swift build` alone has made, so the symbol is weak. A definition of the preprocessor would compile everything again for
   each commit. */
#ifndef BEDSIDE_CBUILD_SHIM_H
#define BEDSIDE_CBUILD_SHIM_H

extern const char bedside_build[] __attribute__((weak));

/* The words, such as "commit 0123456789ab of 2026-01-02"; null where they are not known. */
static inline const char *cbuild_words(void) {
    return bedside_build;
}

#endif
