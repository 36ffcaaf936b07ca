#include "CWebPages.h"

#include <limits.h>

// What is only read is const.
#define ZLIB_CONST
#include <zlib.h>

size_t cwebpages_gzip(const uint8_t *bytes, size_t size, uint8_t *compressed, size_t capacity) {
    if (size > UINT_MAX || capacity > UINT_MAX) return 0;
    z_stream stream = {0};
    // 16 more bits of window than deflate has stand for gzip's header and trailer.
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = compressed;
    stream.avail_out = (uInt)capacity;
    int result = deflate(&stream, Z_FINISH);
    size_t count = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? count : 0;
}
