/* What Swift cannot see of SQLite: a macro that is a cast, and variadic functions. */
#ifndef BEDSIDE_CSQLITE_SHIM_H
#define BEDSIDE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Tells SQLite to copy what is bound, for it is gone when the call returns. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/* Switches a property of a connection (SQLITE_DBCONFIG_...) on or off; answers a result code. */
static inline int csqlite_configure(sqlite3 *database, int property, int isOn) {
    return sqlite3_db_config(database, property, isOn, (int *)0);
}

#endif
