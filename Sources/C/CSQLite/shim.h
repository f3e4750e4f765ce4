/* What Swift cannot see of SQLite: a macro that is a cast, variadic functions, and the methods of an open file. */
#ifndef BEDSIDE_CSQLITE_SHIM_H
#define BEDSIDE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Tells SQLite to copy what is bound, for it is gone when the call returns. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/* Switches a property of a connection (SQLITE_DBCONFIG_...) on or off; answers a result code. */
static inline int csqlite_configure(sqlite3 *database, int property, int isOn) {
    return sqlite3_db_config(database, property, isOn, (int *)0);
}

/* The database's open file, and its size. */
static inline int csqlite_file(sqlite3 *database, sqlite3_file **file, sqlite3_int64 *size) {
    *file = (sqlite3_file *)0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, file);
    if (code != SQLITE_OK) return code;
    if (!*file || !(*file)->pMethods) return SQLITE_MISUSE;
    return (*file)->pMethods->xFileSize(*file, size);
}

/* Reads the first bytes of the database's open file, and its size, past all caches and without a descriptor
   of our own; of a file that is shorter only the size. */
static inline int csqlite_read_start(sqlite3 *database, void *bytes, int count, sqlite3_int64 *size) {
    sqlite3_file *file;
    int code = csqlite_file(database, &file, size);
    if (code != SQLITE_OK || *size < count) return code;
    return file->pMethods->xRead(file, bytes, count, 0);
}

/* Reads the whole of the database's open file, to know whether the disk gives it. Quirk sqlite-calls-errors-damage: an
   error of the disk becomes SQLITE_CORRUPT in a statement, but not here. */
static inline int csqlite_read_whole(sqlite3 *database) {
    sqlite3_file *file;
    sqlite3_int64 size;
    char bytes[65536];
    int code = csqlite_file(database, &file, &size);
    for (sqlite3_int64 place = 0; code == SQLITE_OK && place < size; place += (sqlite3_int64)sizeof bytes) {
        sqlite3_int64 left = size - place;
        int count = left < (sqlite3_int64)sizeof bytes ? (int)left : (int)sizeof bytes;
        code = file->pMethods->xRead(file, bytes, count, place);
    }
    return code;
}

#endif
