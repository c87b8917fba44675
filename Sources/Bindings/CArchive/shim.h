#pragma once
#include <archive.h>
#include <archive_entry.h>

// Macros with casts, which Swift cannot import.
enum {
    ALLSPEAK_AE_IFREG = AE_IFREG,
};
