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

/// Compresses by gzip (RFC 1952), as small as zlib can; the same bytes come out the same each time.
///
/// @return how many bytes that made, or 0 where there is no room for them
size_t cwebpages_gzip(const uint8_t *bytes, size_t size, uint8_t *compressed, size_t capacity);

#endif
