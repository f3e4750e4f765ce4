/* What Swift cannot see of SQLite: a macro that is a cast, and a variadic function. */
#ifndef BEDSIDE_CSQLITE_SHIM_H
#define BEDSIDE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Tells SQLite to copy what is bound, for it is gone when the call returns. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

#endif
