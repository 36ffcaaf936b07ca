#ifndef CWEBPAGES_H
#define CWEBPAGES_H

#include <stddef.h>
#include <stdint.h>

/// A file of Web/viewer, as it was when this was compiled.
struct CWebPage {
    const char *path; // below Web/viewer
    const uint8_t *bytes;
    size_t size;
};

size_t cwebpages_count(void);
struct CWebPage cwebpages_at(size_t index); // below the count

#endif
