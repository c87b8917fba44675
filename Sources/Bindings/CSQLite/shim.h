#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast, which Swift cannot import.
static inline int allspeak_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}
